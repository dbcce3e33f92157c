"""What the daemon keeps: it is used while the graph is the same, and forgotten when it is another one.

That findings are the same with it and without is `tests/property/test_graph_cache.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from keel.bootstrap import Workspace, open_workspace
from keel.languages.python.resolve.incremental.persistent_linker import PersistentLinker
from keel.operations import compile as compiling
from keel.operations import map as mapping
from keel.ports.definitions import Definition, Position
from tests.helping import FakeHelper
from tests.workspaces import commit_all, write_files

CALLEE = 'def charge(order: int) -> int:\n    """Charges."""\n    return order\n'
APP = 'from shop import charge\n\n\ndef pay() -> int:\n    """Pays."""\n    return charge(1)\n'
FILES = {"shop.py": CALLEE, "app.py": APP, "other.py": '"""Something else."""\n'}
WIDER = CALLEE.replace("order: int)", "order: int, amount: int)")


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    """A repository that is kept open, compiled once."""
    monkeypatch.setenv("KEEL_NO_TY", "1")
    folder = write_files(tmp_path / "shop", FILES)
    commit_all(folder)
    workspace = open_workspace(str(folder), str(folder), persistent=True)
    codes(workspace)
    codes(workspace)
    return workspace


def codes(workspace: Workspace) -> list[str]:
    result = compiling.run(workspace, compiling.Params(session="ci"))
    return [each.code for each in result.errors]


def edit(workspace: Workspace, **files: str) -> None:
    write_files(Path(workspace.folder), {f"{name}.py": text for name, text in files.items()})


def counted(monkeypatch: pytest.MonkeyPatch, owner: type, name: str) -> list[str]:
    """Every call of a method from now on, by its name."""
    calls: list[str] = []
    method: Callable[..., object] = getattr(owner, name)

    def called(*arguments: object, **named: object) -> object:
        calls.append(name)
        return method(*arguments, **named)

    monkeypatch.setattr(owner, name, called)
    return calls


def test_a_command_that_ends_keeps_nothing(tmp_path: Path) -> None:
    folder = write_files(tmp_path / "shop", FILES)
    assert open_workspace(str(folder), str(folder)).graph_cache is None


def test_files_are_read_once_while_the_graph_is_the_same(shop: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    with shop.store.reading() as reader:
        reads = counted(monkeypatch, type(reader), "files")
    edit(shop, shop=WIDER)
    assert codes(shop) == ["E005"]
    edit(shop, shop=CALLEE)
    assert codes(shop) == []
    assert reads == []


def test_a_graph_that_another_process_wrote_is_read_again(shop: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    edit(shop, shop=WIDER)
    codes(open_workspace(shop.folder, shop.folder))
    with shop.store.reading() as reader:
        reads = counted(monkeypatch, type(reader), "files")
    assert codes(shop) == ["E005"]
    assert reads == ["files"]


def test_a_graph_that_was_taken_away_is_built_again(shop: Workspace) -> None:
    edit(shop, shop=WIDER)
    assert codes(shop) == ["E005"]
    for path in (Path(shop.folder) / ".keel").glob("graph.db*"):
        path.unlink()
    assert codes(shop) == ["E005"]
    edit(shop, shop=CALLEE)
    assert codes(shop) == []


def test_a_run_that_fails_halfway_leaves_nothing_behind(shop: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    edit(shop, shop=WIDER)
    with monkeypatch.context() as patch:
        patch.setattr(PersistentLinker, "settings", _fails)
        with pytest.raises(RuntimeError):
            codes(shop)
    edit(shop, shop=CALLEE)
    assert codes(shop) == []
    edit(shop, shop=WIDER)
    assert codes(shop) == ["E005"]


def _fails(linker: PersistentLinker) -> bytes:
    raise RuntimeError


def test_what_was_accepted_is_not_linked_again(shop: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    from keel.languages.python import Python

    made = counted(monkeypatch, Python, "linker")
    for text in (WIDER, CALLEE, WIDER):
        edit(shop, shop=text)
        codes(shop)
    assert len(made) <= 1, "one that lasts at most, and none for what was accepted"


def test_after_a_commit_another_tree_is_accepted(shop: Workspace) -> None:
    edit(shop, shop=WIDER)
    assert codes(shop) == ["E005"]
    edit(shop, app=APP.replace("charge(1)", "charge(1, 2)"))
    assert codes(shop) == []
    commit_all(Path(shop.folder))
    edit(shop, shop=CALLEE)
    assert codes(shop) == ["E005"]


def test_files_that_say_the_same_are_told_apart(shop: Workspace) -> None:
    """Each of two modules with the same text has a caller: both are broken when both change in the same way."""
    edit(shop, twin=CALLEE, user=APP.replace("shop", "twin"))
    commit_all(Path(shop.folder))
    assert codes(shop) == []
    edit(shop, twin="")
    assert codes(shop) == ["E004"]
    edit(shop, shop="")
    assert codes(shop) == ["E004", "E004"]


def test_a_new_file_is_seen(shop: Workspace) -> None:
    edit(shop, shop=WIDER, more="from shop import charge\n\n\nNOW = charge(1)\n")
    assert codes(shop) == ["E005", "E005"]
    (Path(shop.folder) / "more.py").unlink()
    assert codes(shop) == ["E005"]


def test_a_graph_that_was_made_with_a_helper_is_kept_too(shop: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    from keel.languages.python import Python

    def says(position: Position, second_opinion: bool) -> tuple[Definition, ...]:
        there = Definition(str(Path(shop.folder) / "shop.py"), 1, 5, 1, 11)
        return (there,) if position.path.endswith("app.py") else ()

    shop.helpers = {language.name: [FakeHelper(says).helper] for language in shop.languages}
    mapping.run(shop, mapping.Params())
    codes(shop)
    with shop.store.reading() as reader:
        reads = counted(monkeypatch, type(reader), "files")
    made = counted(monkeypatch, Python, "linker")
    for word in ("Takes", "Charges", "Pays", "Charges"):
        edit(shop, shop=CALLEE.replace("Charges", word))
        assert codes(shop) == []
    assert len(made) <= 1, "one that lasts"
    for text in (WIDER, CALLEE, WIDER):
        edit(shop, shop=text)
        assert codes(shop) == (["E005"] if text == WIDER else [])
    assert reads == []
