"""`init` and `deinit` as a user meets them: whole or not at all, and back to what was there before, byte for byte."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from keel import config
from keel.bootstrap import IGNORED, Workspace, open_workspace
from keel.errors import StoreBusy, StoreError, WorkspaceError
from keel.operations import deinit, init, map
from keel.stores.sqlite.store import SqliteStore
from tests.workspaces import MakeWorkspace, commit_all, run_keel

GOOD = 'def total(price: int) -> int:\n    """The sum."""\n    return price\n'
LOG = ".keel/log"
BARE = "def total(price):\n    return price\n"
FILES = {
    "pyproject.toml": '[project]\nname = "shop"\n[tool.setuptools]\npackage-dir = {"" = "lib"}\n',
    "lib/shop/__init__.py": "",
    "lib/shop/cart.py": GOOD,
    "tests/test_cart.py": "from shop.cart import total\n\n\ndef test_total():\n    total(1)\n",
    "notes.txt": "not code\n",
}


def tree(folder: Path) -> dict[str, bytes | None]:
    """Every name below a folder, `.git` included, with the bytes of files; the log grows with every command."""
    return {
        str(path.relative_to(folder)): path.read_bytes() if path.is_file() and path != folder / LOG else None
        for path in sorted(folder.rglob("*"))
    }


def status(folder: Path) -> str:
    """What git says about a working tree."""
    command = ["git", "--no-optional-locks", "status", "--porcelain", "--ignored", "-uall"]
    return subprocess.run(command, cwd=folder, capture_output=True, encoding="utf-8", check=True).stdout


def keel(folder: Path, *words: str, code: int = 0) -> str:
    """What a command says, after its exit code was checked; nothing goes to standard error."""
    done = run_keel(words, cwd=folder)
    assert (done.returncode, done.stderr) == (code, "")
    return done.stdout


def refused(folder: Path, *words: str) -> str:
    """What a command that could not do it says in its one line."""
    done = run_keel(words, cwd=folder)
    assert (done.returncode, done.stdout) == (2, "")
    assert "Traceback" not in done.stderr
    return done.stderr


def setup(folder: Path) -> Workspace:
    """The workspace of a folder."""
    return open_workspace(str(folder))


# init


def test_without_a_terminal_and_without_yes_the_plan_is_shown_and_nothing_written(git_workspace: MakeWorkspace) -> None:
    folder = git_workspace(FILES, "shop")
    before = tree(folder)
    said = keel(folder, "init")
    assert tree(folder) == before
    assert said.startswith(f"{folder}  not set up yet\n")
    assert "python  3\n" in said
    assert "pyproject.toml  shop\n" in said
    assert "source roots:\n  .\n  lib\n" in said
    assert IGNORED.strip() in said
    assert 'docstrings = "error"\n' in said
    assert said.endswith("nothing was written; run `keel init --yes` to write it\n")


def test_a_folder_without_code_is_said_to_be_one(workspace: MakeWorkspace) -> None:
    said = keel(workspace({"notes.txt": "not code\n"}), "init")
    assert "no file here is in a language that keel reads (.py .pyi)\n" in said


def test_what_is_written_is_what_was_shown(git_workspace: MakeWorkspace) -> None:
    folder = git_workspace(FILES, "shop")
    plan = json.loads(keel(folder, "init", "--json"))
    done = json.loads(keel(folder, "init", "--yes", "--json"))
    assert (plan["applied"], plan["outcome"], done["applied"], done["outcome"]) == (False, "planned", True, "written")
    shown = {each["path"]: each["content"] for each in plan["files"]}
    assert {".keel/.gitignore", ".keel/config.toml", ".keel/graph.db"} == shown.keys()
    for path in (".keel/.gitignore", ".keel/config.toml"):
        assert (folder / path).read_text(encoding="utf-8") == shown[path]
    assert sorted(os.listdir(folder / ".keel")) == [".gitignore", "config.toml", "graph.db", "log"]


def test_the_configuration_is_valid_and_says_the_same_in_every_clone(git_workspace: MakeWorkspace) -> None:
    folder = git_workspace(FILES, "shop")
    keel(folder, "init", "--yes")
    written = config.load(str(folder))
    assert (written.workspace.name, written.workspace.roots) == ("shop", (("shop", "."),))
    assert [override.pattern for override in written.enforcement.overrides] == ["tests/**"]
    assert written.replace(workspace=config.Workspace(), enforcement=config.Enforcement()) == config.defaults()


def test_everything_can_be_asked_afterwards_and_the_graph_is_fresh(git_workspace: MakeWorkspace) -> None:
    folder = git_workspace(FILES, "shop")
    keel(folder, "init", "--yes")
    assert keel(folder, "where", "total").startswith("lib/shop/cart.py:1")
    assert keel(folder, "sync").startswith("up to date: 3 files")
    assert status(folder) == "?? .keel/config.toml\n!! .keel/.gitignore\n!! .keel/graph.db\n!! .keel/log\n"


@pytest.mark.parametrize(
    ("files", "words", "hints", "docs"),
    [
        ({}, (), "error", "error"),
        ({"a.py": GOOD}, (), "error", "error"),
        ({"a.py": BARE}, (), "warning", "warning"),
        ({"a.py": BARE}, ("--strict",), "error", "error"),
        ({"a.py": GOOD * 4 + BARE}, (), "error", "error"),
        ({"a.py": GOOD * 7 + BARE * 2}, (), "warning", "warning"),
        ({"a.py": "def total(price: int) -> int:\n    return price\n"}, (), "error", "warning"),
        ({"a.py": GOOD, "tests/a.py": BARE * 9, "pkg/fixtures/b.py": BARE * 9}, (), "error", "error"),
        ({"a.py": GOOD + "def _x(a): ...\nclass A:\n    def __eq__(self, o): ...\n"}, (), "error", "error"),
        ({"a.py": GOOD + "class _A:\n    def m(self, o): ...\n"}, (), "error", "error"),
    ],
)
def test_checks_are_as_strict_as_the_code_is(
    workspace: MakeWorkspace, files: dict[str, str], words: tuple[str, ...], hints: str, docs: str
) -> None:
    folder = workspace({**files, "README": ""})
    init.run(setup(folder), init.Params(yes=True, strict="--strict" in words))
    written = dict(config.load(str(folder)).enforcement.settings)
    assert (written["type_hints"], written["docstrings"]) == (hints, docs)
    assert (written["type_hints_existing"], written["docstrings_existing"]) == ("warning", "warning")


def test_the_figures_are_said(workspace: MakeWorkspace) -> None:
    folder = workspace({"a.py": GOOD * 3 + BARE})
    result = init.run(setup(folder), init.Params())
    measure = result.compliance["type_hints"]
    assert (measure.functions, measure.comply, measure.percent, measure.severity) == (4, 3, 75, "warning")
    line = 'type_hints = "warning": 3 of 4 public functions comply (75 %, which is less than 80 %)'
    assert line in result.checks
    assert line in result.contents


def test_folders_of_tests_below_others_are_met_by_their_name(workspace: MakeWorkspace) -> None:
    folder = workspace({"tests/a.py": "", "packages/b/tests/b.py": "", "scripts/c.py": "", "fixtures.py": ""})
    init.run(setup(folder), init.Params(yes=True))
    overrides = config.load(str(folder)).enforcement.overrides
    assert [override.pattern for override in overrides] == ["**/tests/**", "scripts/**"]


def test_a_name_of_any_letters_can_be_written_and_read(workspace: MakeWorkspace) -> None:
    folder = workspace(FILES, 'a "b" \\ c.d ü')
    init.run(setup(folder), init.Params(yes=True))
    assert config.load(str(folder)).workspace.name == 'a "b" \\ c.d ü'


def test_a_second_init_changes_nothing_and_says_so(git_workspace: MakeWorkspace) -> None:
    folder = git_workspace(FILES, "shop")
    keel(folder, "init", "--yes")
    before = tree(folder)
    for words in ((), ("--yes",)):
        said = keel(folder, "init", *words)
        assert said.startswith(f"{folder}  set up already; nothing is written\n")
        assert tree(folder) == before


def test_a_configuration_that_is_there_is_kept_and_what_would_differ_is_said(workspace: MakeWorkspace) -> None:
    mine = '[enforcement]\ntype_hints = "off"\n[enforcement.overrides]\n"old/**" = { docstrings = "off" }\n'
    folder = workspace({"a.py": GOOD, ".keel/config.toml": mine})
    result = init.run(setup(folder), init.Params(yes=True))
    assert (folder / ".keel/config.toml").read_text(encoding="utf-8") == mine
    assert (folder / ".keel/graph.db").exists()
    assert result.differs == (
        "enforcement.type_hints is off; init would write error",
        'enforcement.overrides."old/**" is { docstrings = "off" }; init would write nothing',
    )


def test_a_graph_that_is_there_is_used(git_workspace: MakeWorkspace) -> None:
    folder = git_workspace(FILES, "shop")
    keel(folder, "map")
    keel(folder, "init", "--yes")
    assert keel(folder, "sync").startswith("up to date: 3 files")


def test_projects_and_their_source_roots_are_found(workspace: MakeWorkspace) -> None:
    folder = workspace(
        {
            "pyproject.toml": "[tool.uv.workspace]\nmembers = ['packages/*']\n",
            "packages/a/pyproject.toml": "[project]\nname = 'shop-a'\n[tool.hatch.build]\npackages = ['python/a']\n",
            "packages/a/python/a/__init__.py": "",
            "packages/b/setup.py": "from setuptools import setup\nsetup(package_dir={'b': 'impl'})\n",
            "packages/b/impl/__init__.py": "",
        }
    )
    result = init.run(setup(folder), init.Params())
    assert result.projects == (
        "packages/a/pyproject.toml  shop-a  packages a",
        "packages/b/setup.py  (no name)",
        "pyproject.toml  (no name)",
    )
    assert result.source_roots == (
        ".",
        "packages/a",
        "packages/a/python",
        "packages/b",
        "packages/b/impl  as b",
    )


# where it is run


def test_in_a_folder_of_a_repository_the_whole_of_it_is_set_up(git_workspace: MakeWorkspace) -> None:
    folder = git_workspace(FILES, "shop")
    keel(folder / "lib/shop", "init", "--yes")
    assert (folder / ".keel/config.toml").exists()


def test_a_workspace_inside_another_is_told(git_workspace: MakeWorkspace) -> None:
    folder = git_workspace(FILES, "shop")
    keel(folder, "init", "--yes")
    said = keel(folder, "init", "--yes", "--workspace", "lib")
    assert f"it is inside the workspace {folder}, which has a graph of its own\n" in said
    assert config.load(str(folder / "lib")).workspace.name == "lib"
    assert "set up already" in keel(folder / "lib/shop", "init")


def test_a_working_tree_is_named_as_the_repository_and_does_not_take_the_cache_of_others(
    git_workspace: MakeWorkspace, tmp_path: Path
) -> None:
    folder, other = git_workspace(FILES, "shop"), tmp_path / "feature"
    subprocess.run(["git", "worktree", "add", "-q", str(other)], cwd=folder, check=True, stdin=subprocess.DEVNULL)
    for each in (folder, other):
        keel(each, "init", "--yes")
    assert config.load(str(other)).workspace.name == "shop"
    assert keel(other, "sync").startswith("up to date")
    (folder / "lib/shop/cart.py").write_text(BARE, encoding="utf-8")
    keel(folder, "sync")
    cache = folder / ".git/keel/facts.db"
    assert cache.exists()
    said = keel(other, "deinit", "--yes", "--purge")
    assert cache.exists()
    assert f".git/keel/facts.db  the working tree {folder} uses it\n" in said
    keel(folder, "deinit", "--yes", "--purge")
    assert not cache.parent.exists()
    assert not (other / ".keel").exists()


# deinit


@pytest.mark.parametrize("under_git", [True, False])
def test_init_and_deinit_leave_the_tree_as_it_was(workspace: MakeWorkspace, under_git: bool) -> None:
    folder = workspace(FILES, "shop")
    if under_git:
        commit_all(folder)
        (folder / "notes.txt").write_text("changed\n", encoding="utf-8")
    before, said = tree(folder), status(folder) if under_git else ""
    keel(folder, "init", "--yes")
    (folder / "lib/shop/cart.py").write_text(BARE, encoding="utf-8")
    keel(folder, "sync")  # facts that the graph loses go to the cache
    (folder / "lib/shop/cart.py").write_text(GOOD, encoding="utf-8")
    keel(folder, "sync")
    (folder / ".keel/log").write_text("a fault\n", encoding="utf-8")
    (folder / ".keel/session.json").write_text("{}", encoding="utf-8")
    (folder / ".keel/daemon.log").write_text("{}", encoding="utf-8")
    keel(folder, "deinit", "--yes", "--purge")
    assert tree(folder) == before
    assert not under_git or status(folder) == said


def test_the_configuration_stays_unless_it_is_purged(git_workspace: MakeWorkspace) -> None:
    folder = git_workspace(FILES, "shop")
    keel(folder, "init", "--yes")
    said = keel(folder, "deinit", "--yes")
    assert ".keel/config.toml  it may be edited by hand; `--purge` removes it too\n" in said
    assert os.listdir(folder / ".keel") == ["config.toml"]
    assert keel(folder, "deinit", "--yes").startswith(f"{folder}  nothing to remove\n")


def test_without_yes_what_would_go_is_shown_and_stays(git_workspace: MakeWorkspace) -> None:
    folder = git_workspace(FILES, "shop")
    keel(folder, "init", "--yes")
    before = tree(folder)
    said = keel(folder, "deinit", "--purge")
    assert "remove:\n  .keel/graph.db\n  .keel/log\n  .keel/config.toml\n  .keel/.gitignore\n" in said
    assert said.endswith("nothing was removed; run `keel deinit --purge --yes` to remove it\n")
    assert tree(folder) == before


def test_what_is_left_of_a_graph_that_was_discarded_goes_too(workspace: MakeWorkspace) -> None:
    folder = workspace(FILES, "shop")
    before = tree(folder)
    keel(folder, "map")
    (folder / ".keel/graph.db").write_bytes(b"not a database")
    keel(folder, "map", "--fresh")
    keel(folder, "deinit", "--yes")
    assert tree(folder) == before


def test_what_keel_did_not_write_stays_and_is_named(workspace: MakeWorkspace) -> None:
    others = {".keel/mine.txt": "mine\n", ".keel/.gitignore": "*\n", ".keel/log/a": "a folder of that name\n"}
    folder = workspace({**FILES, **others}, "shop")
    before = tree(folder)
    keel(folder, "map")
    said = keel(folder, "deinit", "--yes", "--purge")
    assert tree(folder) == before
    assert ".keel/.gitignore  it is not as keel wrote it\n" in said
    assert ".keel/mine.txt    keel did not write it\n" in said
    assert ".keel/log         keel did not write it\n" in said


def test_no_log_is_left_beside_an_ignore_file_of_the_user(workspace: MakeWorkspace) -> None:
    folder = workspace({**FILES, ".keel/.gitignore": "*\n"}, "shop")
    keel(folder, "map")
    keel(folder, "deinit", "--yes")
    assert os.listdir(folder / ".keel") == [".gitignore"]


@pytest.mark.parametrize("damage", [b"not a database", b""])
def test_a_damaged_graph_and_a_bad_configuration_can_be_taken_away(workspace: MakeWorkspace, damage: bytes) -> None:
    folder = workspace({**FILES, ".keel/config.toml": "["}, "shop")
    (folder / ".keel/graph.db").write_bytes(damage)
    keel(folder, "deinit", "--yes", "--purge")
    assert not (folder / ".keel").exists()


def test_a_graph_is_not_taken_away_while_it_is_written(workspace: MakeWorkspace) -> None:
    folder = workspace(FILES)
    opened = setup(folder)
    map.run(opened, map.Params())
    hasty = setup(folder)
    hasty.store = SqliteStore(hasty.own_path("graph.db"), wait_seconds=0.1)
    with opened.store.writing(), pytest.raises(StoreBusy):
        deinit.run(hasty, deinit.Params(yes=True))
    assert opened.store.exists()


def test_a_file_that_cannot_be_taken_away_is_told(workspace: MakeWorkspace, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = workspace(FILES)
    map.run(setup(folder), map.Params())

    def refuse(path: str) -> None:
        raise PermissionError(13, "Permission denied", path)

    monkeypatch.setattr(os, "remove", refuse)
    with pytest.raises(WorkspaceError, match=r"cannot take away .*graph\.db: Permission denied"):
        deinit.run(setup(folder), deinit.Params(yes=True))


# bad input: clear words, exit code 2, and everything as it was


def test_a_file_where_the_folder_should_be(workspace: MakeWorkspace) -> None:
    folder = workspace({**FILES, ".keel": "a file\n"}, "shop")
    before = tree(folder)
    for words in ((), ("--yes",)):
        assert refused(folder, "init", *words).startswith(f"keel: {folder}/.keel is in the way")
    assert tree(folder) == before


def test_a_bad_configuration_is_told_with_its_line(workspace: MakeWorkspace) -> None:
    folder = workspace({**FILES, ".keel/config.toml": "[enforcement]\ntype_hints = 'loud'\n"}, "shop")
    before = tree(folder)
    for words in ((), ("--yes",)):
        assert "config.toml:2: enforcement.type_hints: is one of" in refused(folder, "init", *words)
    assert tree(folder) == before


def test_a_damaged_graph_is_told(workspace: MakeWorkspace) -> None:
    folder = workspace({**FILES, ".keel/graph.db": "not a database, but long enough to be looked at\n" * 99}, "shop")
    before = tree(folder)
    for words in ((), ("--yes",)):
        assert "graph.db is damaged" in refused(folder, "init", *words)
    assert tree(folder) == before


def test_a_folder_that_cannot_be_written(workspace: MakeWorkspace, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = workspace(FILES)
    before = tree(folder)

    def refuse(path: str, mode: int = 0, exist_ok: bool = False) -> None:
        raise PermissionError(13, "Permission denied", path)

    monkeypatch.setattr(os, "makedirs", refuse)
    with pytest.raises(WorkspaceError, match=r"cannot make .*\.keel: Permission denied"):
        init.run(setup(folder), init.Params(yes=True))
    assert tree(folder) == before


@pytest.mark.parametrize("existing", [{}, {".keel/config.toml": "schema_version = 1\n"}])
def test_a_database_that_cannot_be_made(
    workspace: MakeWorkspace, monkeypatch: pytest.MonkeyPatch, existing: dict[str, str]
) -> None:
    folder = workspace({**FILES, **existing, ".keel/graph.db/in the way": ""})
    before = tree(folder)
    with pytest.raises(StoreError):
        init.run(setup(folder), init.Params(yes=True))
    assert tree(folder) == before


@pytest.mark.parametrize("failure", [OSError(28, "No space left on device"), KeyboardInterrupt()])
@pytest.mark.parametrize("mapped", [True, False])
def test_a_failure_at_the_last_step_takes_everything_back(
    git_workspace: MakeWorkspace, monkeypatch: pytest.MonkeyPatch, failure: BaseException, mapped: bool
) -> None:
    folder = git_workspace(FILES)
    if mapped:
        map.run(setup(folder), map.Params())
    names = tree(folder).keys()

    def fail(*_: object) -> None:
        raise failure

    monkeypatch.setattr(init, "_write_config", fail)
    with pytest.raises(type(failure)):
        init.run(setup(folder), init.Params(yes=True))
    assert tree(folder).keys() == names
    assert setup(folder).store.exists() is mapped


def test_a_configuration_that_came_in_between_is_not_overwritten(
    workspace: MakeWorkspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = workspace(FILES)
    really = init._write_config

    def write(opened: Workspace, result: init.Result) -> None:
        (folder / ".keel/config.toml").write_text("# theirs\n", encoding="utf-8")
        really(opened, result)

    monkeypatch.setattr(init, "_write_config", write)
    with pytest.raises(WorkspaceError, match=r"cannot write .*config\.toml: File exists"):
        init.run(setup(folder), init.Params(yes=True))


KILLED = """
import os, signal
from {module} import {owner}
{owner}.{step} = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
from keel.surfaces.cli import main
main(["init", "--yes"])
"""


@pytest.mark.parametrize(
    ("module", "owner", "step"),
    [
        ("keel.bootstrap", "Workspace", "prepare"),
        ("keel.indexing.update", "Update", "_settle"),
        ("keel.operations", "init", "_write_config"),
    ],
)
def test_what_a_killed_init_left_is_completed_by_the_next_one_and_taken_away(
    workspace: MakeWorkspace, module: str, owner: str, step: str
) -> None:
    folder = workspace(FILES, "shop")
    before = tree(folder)
    killed = [sys.executable, "-c", KILLED.format(module=module, owner=owner, step=step)]
    done = subprocess.run(killed, cwd=folder, stdin=subprocess.DEVNULL, check=False)
    assert done.returncode == -signal.SIGKILL
    assert not (folder / ".keel/config.toml").exists()
    assert json.loads(keel(folder, "init", "--json"))["outcome"] == "planned"
    keel(folder, "init", "--yes")
    assert keel(folder, "sync").startswith("up to date: 3 files")
    keel(folder, "deinit", "--yes", "--purge")
    assert tree(folder) == before


# asking


def asked(folder: Path, answer: str, *words: str) -> tuple[int, str]:
    """Exit code and screen of a command that runs on a terminal, where an answer is typed."""
    master, screen = pty.openpty()
    command = [sys.executable, "-m", "keel", *words]
    running = subprocess.Popen(command, cwd=folder, stdin=screen, stdout=screen, stderr=screen)
    os.close(screen)
    os.write(master, answer.encode())
    shown = b""
    while True:
        try:
            piece = os.read(master, 65536)
        except OSError:  # how Linux says that the other end is closed
            break
        if not piece:
            break
        shown += piece
    os.close(master)
    return running.wait(), shown.decode()


@pytest.mark.parametrize("answer", ["n\n", "\n", "perhaps\n", "\x04"])
def test_on_a_terminal_anything_but_yes_writes_nothing(workspace: MakeWorkspace, answer: str) -> None:
    folder = workspace(FILES, "shop")
    before = tree(folder)
    code, shown = asked(folder, answer, "init")
    assert (code, tree(folder)) == (1, before)
    assert "Write this? [y/N] " in shown


def test_on_a_terminal_yes_does_it(workspace: MakeWorkspace) -> None:
    folder = workspace(FILES, "shop")
    code, shown = asked(folder, "y\n", "init")
    assert (code, (folder / ".keel/config.toml").exists()) == (0, True)
    assert "not set up yet" in shown
    assert shown.count("languages:") == 1, "what the plan said is not said again"
    code, shown = asked(folder, "Yes\n", "deinit", "--purge")
    assert (code, (folder / ".keel").exists()) == (0, False)
    assert "Remove this? [y/N] " in shown


def test_a_program_on_a_terminal_is_not_asked(workspace: MakeWorkspace) -> None:
    folder = workspace(FILES, "shop")
    code, shown = asked(folder, "y\n", "init", "--json")
    assert (code, (folder / ".keel").exists()) == (0, False)
    assert "[y/N]" not in shown


def test_nothing_is_asked_where_there_is_nothing_to_do(workspace: MakeWorkspace) -> None:
    folder = workspace(FILES, "shop")
    code, shown = asked(folder, "y\n", "deinit")
    assert code == 0
    assert "[y/N]" not in shown
