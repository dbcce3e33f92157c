"""`keel.open`: every verb as a method, with the answers and errors of the command line."""

from __future__ import annotations

import inspect
import subprocess
import sys
from pathlib import Path

import pytest

import keel
from keel import errors, registry
from tests.e2e.shop import FILES
from tests.workspaces import MakeWorkspace, write_files


@pytest.fixture
def folder(workspace: MakeWorkspace) -> Path:
    """A project that is not mapped."""
    return workspace(FILES)


def test_verbs_are_methods(folder: Path) -> None:
    with keel.open(folder) as opened:
        assert opened.sync().outcome == "built"
        assert opened.where("Cart").path == "shop/cart.py"
        assert opened.describe("Cart.total", max_lines=1).source_cut == 1
        assert opened.compile("shop/cart.py", "shop/main.py").exit_code == 0


def test_answers_are_about_the_files_as_they_are(folder: Path) -> None:
    with keel.open(folder) as opened:
        opened.sync()
        write_files(folder, {"shop/new.py": "def brand_new() -> int:\n    return 1\n"})
        assert opened.where("brand_new").line == 1


def test_a_folder_inside_belongs_to_the_workspace(folder: Path) -> None:
    keel.open(folder).sync()
    inside = keel.open(folder / "shop")
    assert inside.folder == str(folder.resolve())
    assert inside.describe("cart.py").node.path == "shop/cart.py"


def test_what_is_refused_is_an_error_of_keel(folder: Path) -> None:
    opened = keel.open(folder)
    with pytest.raises(errors.GraphMissing):
        opened.where("Cart")
    opened.sync()
    with pytest.raises(errors.SymbolNotFound) as unknown:
        opened.where("Crat")
    assert "Cart" in unknown.value.nearest
    with pytest.raises(errors.UsageError, match="max_lines is at least 0"):
        opened.describe("Cart", max_lines=-1)
    with pytest.raises(errors.UsageError, match="there is no verb 'fly'"):
        opened.ask("fly")
    with pytest.raises(errors.WorkspaceError):
        keel.open(folder / "nowhere")


def test_what_a_question_started_ends_with_it(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    closed: list[object] = []
    monkeypatch.setattr("keel.bootstrap.Workspace.close", lambda workspace: closed.append(workspace))
    opened = keel.open(folder)
    opened.sync()
    with pytest.raises(errors.SymbolNotFound):
        opened.where("nobody")
    assert len(closed) == 2


def test_after_closing_nothing_is_answered(folder: Path) -> None:
    with keel.open(folder) as opened:
        opened.sync()
    with pytest.raises(errors.WorkspaceError, match="was closed"):
        opened.where("Cart")


def test_long_work_tells_how_far_it_is(folder: Path) -> None:
    told: list[str] = []
    keel.open(folder, progress=lambda stage, done, total: told.append(stage)).sync()
    assert "linking" in told


@pytest.mark.parametrize("verb", registry.names(registry.OPERATIONS))
def test_every_verb_is_a_method_with_its_parameters(verb: str, tmp_path: Path) -> None:
    operation, opened = registry.operation(verb), keel.open(tmp_path)
    assert operation is not None
    name = verb.replace(" ", "_").replace("-", "_")
    assert name in dir(opened)
    method = getattr(opened, name)
    assert method.__doc__ == (operation.__doc__ or "").partition("\n")[0]
    aside = getattr(operation.Params, "AT_TERMINAL", ())
    wanted = [name for name in operation.Params.__fields__ if name not in aside]
    assert sorted(inspect.signature(method).parameters) == sorted(wanted)


def test_a_family_s_verb_is_one_name(folder: Path) -> None:
    assert keel.open(folder).tools_list(space="system").tools


def test_what_a_method_cannot_be_given_is_refused_as_python_does(folder: Path) -> None:
    opened = keel.open(folder)
    with pytest.raises(TypeError, match="speed"):
        opened.where("Cart", speed=1)  # type: ignore[call-arg]  # it is the point
    with pytest.raises(TypeError, match="too many positional"):
        opened.where("Cart", "Cart")  # type: ignore[call-arg]  # it is the point
    with pytest.raises(AttributeError, match="no attribute 'fly'"):
        opened.fly()  # type: ignore[attr-defined]  # it is the point


def test_importing_keel_imports_nothing_else() -> None:
    code = "import sys, keel; print([name for name in sys.modules if name.startswith('keel.')])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=True)
    assert done.stdout == "[]\n"
