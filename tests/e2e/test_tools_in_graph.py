"""Tools as a user meets them in the graph: discovered, explained, and checked by compile when they are only YAML."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.e2e.shop import ok, refused
from tests.toolspaces import manifest
from tests.workspaces import commit_all, run_keel, write_files

BROKEN = (
    ".ai/tools/plain.yaml:2  error T001  Tool 'plain' cannot be run: It names the executor 'own', which no space has."
)


def plain(executor: str) -> str:
    return f"__tool_type__: config\n__executor_id__: {executor}\nCONFIG: {{command: 'true'}}\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with code and a tool in YAML that is run by another one."""
    monkeypatch.setenv("USER_SPACE", str(tmp_path / "user"))
    files = {
        "app.py": 'def greet() -> None:\n    """Greets."""\n',
        ".ai/tools/plain.yaml": plain("own"),
        ".ai/tools/own.yaml": plain("subprocess"),
        ".ai/tools/git/log.py": manifest(),
    }
    return write_files(tmp_path / "project", files)


def failed(folder: Path, *words: str) -> str:
    """What is found when the answer is no."""
    done = run_keel(["compile", *words], cwd=folder)
    assert (done.returncode, done.stderr) == (1, "")
    return done.stdout


def test_discover_and_explain_know_tools(folder: Path) -> None:
    ok(folder, "map")
    said = ok(folder, "discover", "own")
    assert "1 upstream (run by it), 1 downstream (runs it)\n" in said
    assert "\n  .ai/tools/plain.yaml:2  tool plain  " in said
    assert "\nmodule" not in said
    assert "\nmodule .ai.tools.git.log: " in ok(folder, "discover", "tool:project:git/log")
    assert ok(folder, "explain", "plain", "own").splitlines() == [
        ".ai/tools/plain.yaml:1  plain -> own",
        "1 edge from plain to own, the surest with confidence 1.00",
        "delegates_to  1.00  by keel, from one file",
        "  config  .ai/tools/plain.yaml:2  __executor_id__: own",
        "defined at  .ai/tools/own.yaml:1  __tool_type__: config",
    ]
    done = run_keel(["explain", "plain", "app.greet"], cwd=folder)
    assert (done.returncode, done.stdout.splitlines()[1]) == (1, "no edge from plain to greet")
    assert refused(folder, "discover", "tool:user:own", code=1) == "no symbol is called 'tool:user:own'"
    assert refused(folder, "explain", "plain", "tool:user:own", code=1) == "no symbol is called 'tool:user:own'"


def test_a_shadowed_tool_says_what_runs_in_its_place(folder: Path) -> None:
    (folder / ".ai/tools/subprocess.yaml").write_text("__tool_type__: primitive\n__executor_id__: null\n")
    ok(folder, "map")
    shadowed = "shadowed by .ai/tools/subprocess.yaml, which runs in its place"
    assert f"\n{shadowed}\n" in ok(folder, "discover", "tool:system:subprocess")
    (folder / ".ai/tools/python_runtime.yaml").write_text(plain("subprocess"))
    done = run_keel(["explain", "tool:system:python_runtime", "subprocess"], cwd=folder)
    assert "; python_runtime is shadowed by .ai/tools/python_runtime.yaml, which runs in its" in done.stdout


@pytest.mark.parametrize("under_git", [True, False])
def test_compile_sees_yaml_tools_that_are_edited_new_or_deleted(folder: Path, under_git: bool) -> None:
    if under_git:
        commit_all(folder)
    ok(folder, "map")
    assert ok(folder, "compile") == ""
    own, new = folder / ".ai/tools/own.yaml", folder / ".ai/tools/new.yaml"

    own.write_text(plain("subproces"))
    said = failed(folder)
    assert said.count("T001") == 2, "the tool itself, and the one that it runs"
    assert ".ai/tools/own.yaml:2  error T001  Tool 'own' cannot be run: It names the executor 'subproces', " in said
    assert said.count("did you mean subprocess?") == 2
    assert failed(folder, ".ai/tools/own.yaml") == said, "who is asked about a tool tells about those that it runs"
    own.write_text(plain("subprocess"))
    assert ok(folder, "compile") == ""

    new.write_text("__tool_type__: [\n")
    assert ".ai/tools/new.yaml:2  error T001  Tool 'new' cannot be run: it is no YAML: " in failed(folder)
    new.unlink()

    own.unlink()
    assert failed(folder).startswith(BROKEN)
    for name in ("plain", "own"):
        assert failed(folder, f".ai/tools/{name}.yaml").startswith(BROKEN)
    assert "\n  definition  .ai/tools/plain.yaml:2  __executor_id__: own\n" in ok(folder, "explain", "T001", "plain")
    assert ok(folder, "compile", "app.py") == ""
    if under_git:
        commit_all(folder)
    else:
        assert ok(folder, "accept") == "accepted 3 files\n"
    as_it_was = "1 finding on code that is as it was; --verbose lists them\n"
    assert ok(folder, "compile", ".ai/tools/plain.yaml") == as_it_was
    assert ok(folder, "compile") == ""


def test_a_yaml_tool_is_named_from_any_folder_and_since_any_commit(folder: Path) -> None:
    commit_all(folder)
    (folder / ".ai/tools/own.yaml").unlink()
    commit_all(folder)
    assert failed(folder, "--since", "HEAD~1").startswith(BROKEN)
    done = run_keel(["compile", "plain.yaml", "--since", "HEAD~1"], cwd=folder / ".ai/tools")
    assert (done.returncode, done.stdout.startswith(BROKEN)) == (1, True)
    assert refused(folder, "compile", ".ai/tools/nope.yaml") == "there is no file .ai/tools/nope.yaml"


def test_a_yaml_tool_that_git_ignores_is_no_new_one(folder: Path) -> None:
    commit_all(folder)
    write_files(folder, {".gitignore": "private.yaml\n", ".ai/tools/private.yaml": plain("nowhere")})
    assert ok(folder, "compile") == ""
