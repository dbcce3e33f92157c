"""Where files are watched, only what was touched is looked at, and nothing is missed, however it was written.

Watching itself is `test_watch.py`; that a daemon answers from the text as it is, `tests/e2e/daemon`.
"""

from __future__ import annotations

import mmap
import os
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from keel.bootstrap import Workspace, open_workspace
from keel.indexing.pipeline import FOLDERS
from keel.indexing.scan import scan as scanning
from keel.indexing.scan.file_filter import file_filter
from keel.indexing.scan.folders import decode, key_of
from keel.indexing.scan.suspects import suspect_files
from keel.indexing.watch.inotify import Watch
from keel.indexing.watch.notices import Notices
from keel.indexing.watch_set import folders_of, hard_links
from keel.model.rows import FileRow
from keel.operations import compile as compiling
from keel.ports.language import manifest_names
from keel.querying.current_graph import index_context
from tests.workspaces import commit_all, write_files

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="nothing is watched elsewhere")

CALLEE = 'def charge(order: int) -> int:\n    """Charges."""\n    return order\n'
APP = 'from shop import charge\n\n\ndef pay() -> int:\n    """Pays."""\n    return charge(1)\n'
OTHERS = {f"other{n}.py": '"""Something else."""\n' for n in range(5)}
WIDER = CALLEE.replace("order: int)", "order: int, amount: int)")
LONG_AGO = 1_600_000_000


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    """A repository that is kept open and watched; its files are old enough for their times to be trusted."""
    monkeypatch.setenv("KEEL_NO_TY", "1")
    folder = write_files(tmp_path / "shop", {"shop.py": CALLEE, "app.py": APP, "deep/inside.py": "", **OTHERS})
    os.link(folder / "other0.py", tmp_path / "another name")
    commit_all(folder)
    for path in [*folder.rglob("*"), folder]:
        os.utime(path, (LONG_AGO, LONG_AGO))
    workspace = open_workspace(str(folder), str(folder), persistent=True)
    codes(workspace)
    follow(workspace)
    while not is_settled(workspace):  # git, which is asked at first, may write its index
        time.sleep(0.06)
    return workspace


def is_settled(workspace: Workspace) -> bool:
    """Compiles; whether the next look will go by what was touched."""
    codes(workspace)
    context = index_context(workspace)
    assert workspace.graph_cache is not None
    assert workspace.graph_cache.notices is not None
    names = file_filter(context.suffixes.keys(), {name for each in context.languages for name in manifest_names(each)})
    with workspace.store.reading() as reader:
        folders = decode(reader.note(FOLDERS), key_of(context.roots, names))
        assert folders is not None
        touched = workspace.graph_cache.notices.touched()
        return suspect_files(context.roots, names, context.files(reader), touched, folders) is not None


def follow(workspace: Workspace) -> None:
    """What the daemon does after a look."""
    assert workspace.graph_cache is not None
    if workspace.graph_cache.notices is None:
        workspace.graph_cache.notices = Notices()
        workspace.graph_cache.notices.begin(Watch(workspace.roots.values()))
    context = index_context(workspace)
    with workspace.store.reading() as reader:
        linked = hard_links(context.roots, context.files(reader))
        workspace.graph_cache.notices.follow(*folders_of(context, reader), linked)


def codes(workspace: Workspace) -> list[str]:
    result = compiling.run(workspace, compiling.Params(session="ci"))
    return [each.code for each in result.errors]


@pytest.fixture
def looked(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The files that were looked at, look by look; `all` where they were listed."""
    looks: list[list[str]] = []
    check, listed = scanning._check_known, scanning._list_again

    def checked(roots: Mapping[str, str], known: Sequence[FileRow]) -> object:
        looks.append([row.path for row in known])
        return check(roots, known)

    def all_listed(*given: object) -> object:
        looks.append(["all"])
        return listed(*given)  # type: ignore[arg-type]  # handed on

    monkeypatch.setattr(scanning, "_check_known", checked)
    monkeypatch.setattr(scanning, "_list_again", all_listed)
    return looks


def test_only_what_was_touched_is_looked_at(shop: Workspace, looked: list[list[str]]) -> None:
    assert codes(shop) == []
    write_files(Path(shop.folder), {"shop.py": WIDER})
    assert codes(shop) == ["E005"]
    assert looked == [["other0.py"], ["other0.py", "shop.py"]], "the one with two names is looked at in any case"


def test_a_file_that_is_put_in_place_of_another_is_seen(shop: Workspace, looked: list[list[str]]) -> None:
    part = Path(shop.folder) / "shop.py.part"
    part.write_text(WIDER)
    part.replace(Path(shop.folder) / "shop.py")
    assert codes(shop) == ["E005"]
    assert looked == [["other0.py", "shop.py"]], "what has a name of no language does not count"


def test_a_write_by_another_name_is_seen(shop: Workspace) -> None:
    (Path(shop.folder).parent / "another name").write_text("from shop import charge\n\n\nNOW = charge(1)\n")
    write_files(Path(shop.folder), {"shop.py": WIDER})
    assert codes(shop) == ["E005", "E005"]


def test_a_write_through_memory_is_seen_when_it_is_over(shop: Workspace) -> None:
    path = Path(shop.folder) / "app.py"
    with path.open("r+b") as file, mmap.mmap(file.fileno(), 0) as memory:
        at = memory.find(b"charge(1)")
        memory[at : at + 9] = b"charge( )"
    assert codes(shop) == ["E005"]


def test_what_happens_while_it_is_looked_at_is_seen_next_time(shop: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    check = scanning._check_known
    writes = [lambda: write_files(Path(shop.folder), {"shop.py": WIDER})]

    def checked(roots: Mapping[str, str], known: Sequence[FileRow]) -> object:
        found = check(roots, known)
        while writes:
            writes.pop()()
        return found

    monkeypatch.setattr(scanning, "_check_known", checked)
    assert codes(shop) == []
    assert codes(shop) == ["E005"]


@pytest.mark.parametrize("name", ["new.py", "deep/new.py", "folder/new.py"])
def test_a_new_file_is_seen_wherever_it_is(name: str, shop: Workspace) -> None:
    write_files(Path(shop.folder), {name: APP, "shop.py": WIDER})
    assert codes(shop) == ["E005", "E005"]
    write_files(Path(shop.folder), {name: APP.replace("charge(1)", "charge(1, 2)")})
    assert codes(shop) == ["E005"], "also in a folder that is not watched yet"
    follow(shop)
    os.remove(Path(shop.folder) / name)
    os.remove(Path(shop.folder) / "app.py")
    assert codes(shop) == ["E004"] or codes(shop) == []


def test_a_folder_that_is_moved_is_seen(shop: Workspace) -> None:
    write_files(Path(shop.folder), {"deep/caller.py": APP})
    follow(shop)
    codes(shop)
    (Path(shop.folder) / "deep").rename(Path(shop.folder).parent / "away")
    write_files(Path(shop.folder), {"shop.py": WIDER})
    assert codes(shop) == ["E005"]


def test_what_git_ignores_decides(shop: Workspace) -> None:
    write_files(Path(shop.folder), {"extra/caller.py": APP, "shop.py": WIDER})
    follow(shop)
    assert codes(shop) == ["E005", "E005"]
    write_files(Path(shop.folder), {".gitignore": "extra/\n"})
    assert codes(shop) == ["E005"]


def test_a_look_that_fails_leaves_what_was_told(shop: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    write_files(Path(shop.folder), {"shop.py": WIDER})
    with monkeypatch.context() as patch:
        patch.setattr(scanning, "_check_known", lambda *_: 1 // 0)
        with pytest.raises(ZeroDivisionError):
            codes(shop)
    assert codes(shop) == ["E005"]


def test_another_graph_means_a_whole_look(shop: Workspace, looked: list[list[str]]) -> None:
    other = open_workspace(shop.folder, shop.folder)
    write_files(Path(shop.folder), {"shop.py": WIDER})
    assert codes(other) == ["E005"]
    looked.clear()
    assert codes(shop) == ["E005"]
    assert "other3.py" in looked[0] or looked[0] == ["all"]
