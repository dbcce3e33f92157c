"""Tools as a user meets them: made, run, shadowed, locked, broken, and asked about like any other symbol."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.e2e.shop import ok, refused
from tests.toolspaces import AWKWARD, is_gone, manifest
from tests.workspaces import PATIENCE, commit_all, run_keel


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project without tools of its own, whose user has none either."""
    monkeypatch.setenv("USER_SPACE", str(tmp_path / "user"))
    project = tmp_path / "project"
    project.mkdir()
    return project


def test_a_new_users_way(folder: Path) -> None:
    assert ok(folder, "tools", "new", "greet") == "made .ai/tools/greet.py\ntry it: keel tools run greet\n"
    assert json.loads(ok(folder, "tools", "run", "greet")) == {"greeting": "Hello, world!"}
    assert json.loads(ok(folder, "tools", "run", "greet", "--param", "name=Ada")) == {"greeting": "Hello, Ada!"}
    assert "already exists" in refused(folder, "tools", "new", "greet")
    assert "\n  greet              project  python     0.1.0  Greets somebody" in ok(folder, "tools", "list")
    assert ok(folder, "tools", "check") == "checked 7 tools: nothing is wrong\n"

    ok(folder, "tools", "lock", "greet")
    ok(folder, "tools", "run", "greet", "--frozen")
    path = folder / ".ai/tools/greet.py"
    path.write_text(path.read_text().replace("Hello", "Goodbye"))
    said = refused(folder, "tools", "run", "greet", code=1)
    assert "'greet' is not run: 'greet' (" in said
    assert "`keel tools lock greet`" in said
    ok(folder, "tools", "lock", "greet")
    assert "Goodbye" in ok(folder, "tools", "run", "greet", "--frozen")


def test_a_system_tool_is_shadowed_seen_and_brought_back(folder: Path) -> None:
    said = ok(folder, "tools", "new", "node_runtime")
    assert "it shadows the tool of the system space" in said
    shown = ok(folder, "tools", "show", "node_runtime")
    assert "node_runtime  python  project space" in shown
    assert "node_runtime.py would take its place if it were deleted" in shown
    (folder / ".ai/tools/node_runtime.py").unlink()
    assert "node_runtime  runtime  system space" in ok(folder, "tools", "show", "node_runtime")


@pytest.mark.parametrize("kind", ["python", "bash", "node"])
def test_every_scaffold_greets_the_name_it_is_given(folder: Path, kind: str) -> None:
    word = "\n".join(AWKWARD)
    ok(folder, "tools", "new", "greet", "--type", kind, "--description", f'Greets "{word.strip()}" \\')
    said = json.loads(ok(folder, "tools", "run", "greet", f"--param=name={word}", "--json"))
    data = said["data"]["greeting"] if kind == "python" else said["data"].removesuffix("\n")
    assert data == f"Hello, {word}!"


def test_a_tool_that_fails_is_an_answer_of_no(folder: Path) -> None:
    (folder / ".ai/tools").mkdir(parents=True)
    (folder / ".ai/tools/fail.py").write_text(manifest() + "raise SystemExit('no luck')\n")
    done = run_keel(["tools", "run", "fail"], cwd=folder)
    assert (done.returncode, done.stdout) == (1, "failed: exit code 1: no luck\nno luck\n")
    said = json.loads(run_keel(["tools", "run", "fail", "--json"], cwd=folder).stdout)
    assert (said["success"], said["exit_code_of_tool"]) == (False, 1)


@pytest.mark.parametrize(
    ("words", "expected", "code"),
    [
        (["show", "pyhton_runtime"], "there is no tool 'pyhton_runtime' (searched ", 1),
        (["show", "../x"], "'../x' is not a valid tool id: its segment '..' begins with a dot", 2),
        (["run"], "ITEM-ID is missing: The id of the tool.", 2),
        (["run", "subprocess"], "'subprocess' cannot be run: CONFIG names no command", 2),
        (["run", "greet", "--param", "x"], "the parameters do not fit 'greet': 'x' is not of the form name=value", 2),
        (["run", "greet", "--param", "x=1"], "the parameters do not fit 'greet': there is no parameter 'x'", 2),
        (["run", "greet", "--params", "[1]"], "--params is not a JSON object; write it as", 2),
        (["run", "greet", "--params", "{"], "--params is not JSON: ", 2),
        (["run", "greet", "--frozen"], "'greet' is not run: it is not locked; `keel tools lock greet` locks it", 1),
        (["new", "greet", "--space", "system"], "--space cannot be 'system' (project, user)", 2),
        (
            ["new", "bash_runtime", "--type", "bash"],
            "a bash tool called 'bash_runtime' would be run by itself; choose",
            2,
        ),
        (["lst"], "unknown command 'tools lst'; did you mean tools list?", 2),
    ],
)
def test_what_cannot_be_done_is_told(folder: Path, words: list[str], expected: str, code: int) -> None:
    ok(folder, "tools", "new", "greet")
    assert refused(folder, "tools", *words, code=code).startswith(expected)


def test_a_chain_with_issues_is_shown_with_all_of_them(folder: Path) -> None:
    (folder / ".ai/tools").mkdir(parents=True)
    (folder / ".ai/tools/subprocess.py").write_text(manifest(None, "primitive"))
    done = run_keel(["tools", "chain", "python_runtime"], cwd=folder)
    assert done.returncode == 1
    assert "cannot depend on 'subprocess' from project space." in done.stdout
    checked = run_keel(["tools", "check"], cwd=folder)
    assert checked.returncode == 1
    assert checked.stdout.startswith("checked 6 tools: ")


def test_tools_can_be_asked_about_like_symbols(folder: Path) -> None:
    (folder / "app.py").write_text("def greet() -> None:\n    pass\n")
    ok(folder, "tools", "new", "git/log", "--description", "Shows the log.")
    ok(folder, "map")
    said = json.loads(ok(folder, "where", "tool:project:git/log", "--json"))
    assert (said["kind"], said["path"], said["id"]) == ("tool", ".ai/tools/git/log.py", "tool:project:git/log")
    assert json.loads(ok(folder, "where", "git/log", "--json"))["kind"] == "tool"
    assert "  tool python_runtime  " in ok(folder, "where", "python_runtime")
    assert ok(folder, "where", "greet").startswith("app.py:1  function greet")
    described = json.loads(ok(folder, "describe", "tool:project:git/log", "--json"))
    assert described["edges"] == {"delegates_to": {"in": 0, "out": 1}}
    assert described["node"]["doc"] == "Shows the log."
    assert described["source"].startswith('"""Shows the log.\n')
    assert described["node"]["hash"] == said["hash"]
    assert refused(folder, "where", "tool:user:git/log", code=1) == "no symbol is called 'tool:user:git/log'"


def test_compile_says_what_an_edit_does_to_tools(folder: Path) -> None:
    ok(folder, "tools", "new", "greet")
    ok(folder, "tools", "new", "own_runtime")
    runtime = folder / ".ai/tools/own_runtime.py"
    runtime.write_text(manifest("subprocess", "runtime", CONFIG={"command": "true"}))
    path = folder / ".ai/tools/greet.py"
    path.write_text(path.read_text().replace('"python_runtime"', '"own_runtime"'))
    commit_all(folder)
    assert ok(folder, "compile") == ""
    (folder / ".ai/tools/other.py").write_text(manifest("own_runtime"))
    broken = folder / ".ai/tools/broken.py"
    broken.write_text(manifest("nowhere"))
    commit_all(folder)
    assert ok(folder, "compile", ".ai/tools/broken.py") == "1 finding on code that is as it was; --verbose lists them\n"
    runtime.unlink()
    done = run_keel(["compile"], cwd=folder)
    assert done.stdout.count("T001") == 2
    assert done.returncode == 1
    assert run_keel(["compile", ".ai/tools/own_runtime.py"], cwd=folder).stdout == done.stdout
    assert (
        ".ai/tools/greet.py:12  error T001  Tool 'greet' cannot be run: It names the executor 'own_run" in done.stdout
    )


def test_ending_keel_ends_the_tool_as_well(folder: Path, tmp_path: Path) -> None:
    (folder / ".ai/tools").mkdir(parents=True)
    mark = tmp_path / "pid"
    part = f"{mark}.part"
    code = f"import os, time\nopen({part!r}, 'w').write(str(os.getpid()))\nos.rename({part!r}, {str(mark)!r})\n"
    (folder / ".ai/tools/wait.py").write_text(f"{manifest()}{code}time.sleep(60)\n")
    running = subprocess.Popen([sys.executable, "-m", "keel", "tools", "run", "wait"], cwd=folder)
    while not mark.exists():
        assert running.poll() is None
        time.sleep(0.02)
    running.terminate()
    assert running.wait(timeout=PATIENCE) == 128 + signal.SIGTERM
    assert is_gone(mark)
