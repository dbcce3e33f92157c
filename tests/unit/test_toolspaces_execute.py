"""Running tools: what they get, what comes back, and what ends them."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from keel.errors import ChainValidationError, ParameterError, RunError
from keel.toolspaces import ToolResult, run_tool
from keel.toolspaces.parameters import from_words
from keel.toolspaces.primitives import groups
from tests.toolspaces import AWKWARD, SpaceFolders, is_gone, make_trees, manifest


@pytest.fixture
def trees(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> SpaceFolders:
    return make_trees(tmp_path, monkeypatch)


def python(trees: SpaceFolders, code: str, params: dict[str, object] | None = None, **said: object) -> ToolResult:
    """Runs some Python as a tool."""
    trees.add("project", "tool", manifest("python_runtime", "python", **said) + code)
    return run_tool("tool", trees.project, params)


# what tools get


@pytest.mark.parametrize("runtime", ["python_runtime", "bash_runtime", "node_runtime", "subprocess"])
def test_arguments_arrive_as_they_are(trees: SpaceFolders, runtime: str) -> None:
    scripts = {
        "bash_runtime": 'printf "%s\\0" "$@"',
        "node_runtime": 'process.stdout.write(process.argv.slice(1).map(each => each + "\\0").join(""))',
    }
    config: dict[str, object] = {"args": ["{words}", "{last}"], "script": scripts.get(runtime, "")}
    code = "import sys\nsys.stdout.write(''.join(each + '\\0' for each in sys.argv[1:]))\n"
    if runtime == "subprocess":
        config |= {"command": sys.executable, "args": ["-c", code, *config["args"]]}  # type: ignore[misc]  # a list
    trees.add("project", "tool", manifest(runtime, CONFIG=config) + code)
    result = run_tool("tool", trees.project, {"words": AWKWARD, "last": "--end of it"})
    assert result.error == ""
    assert str(result.data).split("\0")[:-1] == [*AWKWARD, "--end of it"]


@pytest.mark.parametrize("runtime", ["python_runtime", "bash_runtime", "node_runtime"])
def test_parameters_come_as_json_on_standard_input(trees: SpaceFolders, runtime: str) -> None:
    scripts = {"bash_runtime": "cat", "node_runtime": "process.stdin.pipe(process.stdout)"}
    config = {"script": scripts.get(runtime, ""), "output": "json"}
    code = "import sys\nsys.stdout.write(sys.stdin.read())\n"
    trees.add("project", "tool", manifest(runtime, CONFIG=config) + code)
    params: dict[str, object] = {"words": AWKWARD, "deep": {"a": [1, 2.5, None, True]}}
    assert run_tool("tool", trees.project, params).data == params


def test_a_parameter_that_is_not_given_is_left_out_of_the_arguments(trees: SpaceFolders) -> None:
    code = "import sys, json\nprint(json.dumps(sys.argv[1:]))\n"
    result = python(trees, code, {"a": 1}, CONFIG={"args": ["--a={a}", "--b={b}", "{{a}}"], "output": "json"})
    assert result.data == ["--a=1", "{a}"]


@pytest.mark.parametrize(
    ("config", "problem"),
    [
        ({"args": ["{tool.nothing}"]}, r"there is nothing called \{tool.nothing\}; there are config"),
        ({"args": ["{"]}, "there is a single brace"),
        ({"args": "x"}, "args must be a list of texts"),
        ({"timeout": 0}, "timeout must be a number above 0"),
        ({"timeout": True}, "timeout must be a number above 0"),
        ({"max_output": -1}, "max_output must be a whole number"),
        ({"output": "xml"}, "output must be one of text, json"),
        ({"exit_codes": 0}, "exit_codes must be a list"),
        ({"command": "no-such-program"}, "the program 'no-such-program' was not found on PATH"),
        ({"command": "./no/such"}, "No such file"),
        ({"cwd": "nowhere"}, "the folder .*nowhere: No such file"),
        ({"args": ["{nul}"]}, "would hold a NUL"),
    ],
)
def test_settings_that_cannot_be_used_are_told(trees: SpaceFolders, config: dict[str, object], problem: str) -> None:
    with pytest.raises(RunError, match=problem):
        python(trees, "", {"nul": "a\0b"}, CONFIG=config)


def test_secrets_stay_with_their_owner(trees: SpaceFolders, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("GITHUB_TOKEN", "AWS_SECRET_ACCESS_KEY", "PYTHONPATH", "LD_PRELOAD_X", "SSH_AUTH_SOCK"):
        monkeypatch.setenv(name, "secret")
    code = "import os, json\nprint(json.dumps(dict(os.environ)))\n"
    seen = python(trees, code, CONFIG={"output": "json"}).data
    assert isinstance(seen, dict)
    assert "secret" not in seen.values()
    assert seen["PATH"] == os.environ["PATH"]
    asked = python(
        trees, code, CONFIG={"output": "json"}, ENV_CONFIG={"pass": ["GITHUB_TOKEN", "UNSET"], "set": {"X": "1"}}
    ).data
    assert isinstance(asked, dict)
    assert (asked["GITHUB_TOKEN"], asked["X"]) == ("secret", "1")
    assert "AWS_SECRET_ACCESS_KEY" not in asked
    assert "UNSET" not in asked


@pytest.mark.parametrize(
    "said", [{"pass": "PATH"}, {"pass": ["A=B"]}, {"set": {"A": 1}}, {"interpreter": "python"}, {"passes": []}]
)
def test_a_wrong_env_config_is_told(trees: SpaceFolders, said: dict[str, object]) -> None:
    with pytest.raises(RunError, match="ENV_CONFIG"):
        python(trees, "", ENV_CONFIG=said)


def test_the_projects_own_python_is_used_when_there_is_one(trees: SpaceFolders) -> None:
    venv = trees.project / ".venv" / "bin"
    venv.mkdir(parents=True)
    (venv / "python").write_text(f'#!/bin/sh\nOWN=1 exec {sys.executable} "$@"\n')
    (venv / "python").chmod(0o755)
    assert python(trees, "import os\nprint(os.environ.get('OWN'))\n").data == "1\n"


def test_a_tool_does_not_hide_a_library_of_its_name(trees: SpaceFolders) -> None:
    trees.add("project", "json", "raise SystemExit('the wrong json')\n")
    result = python(trees, "import json, os\nprint(json.dumps([__file__, __name__, os.getcwd()]))\n")
    path = trees.tools("project") / "tool.py"
    assert json.loads(str(result.data)) == [str(path), "__main__", str(trees.project)]


# what comes back


def test_a_result_has_everything(trees: SpaceFolders) -> None:
    result = python(trees, "import sys\nprint('out')\nprint('err', file=sys.stderr)\n", __version__="1.2")
    assert (result.success, result.data, result.error, result.messages) == (True, "out\n", "", "err\n")
    assert (result.exit_code, result.warnings) == (0, [])
    assert result.duration > 0
    assert [each["item_id"] for each in result.chain] == ["tool", "python_runtime", "subprocess"]
    assert (result.chain[0]["space"], result.chain[0]["version"]) == ("project", "1.2")


@pytest.mark.parametrize(
    ("code", "error"),
    [
        ("raise SystemExit(3)", "exit code 3"),
        ("raise ValueError('oh no')", "exit code 1: ValueError: oh no"),
        ("import os\nos.kill(os.getpid(), 9)", "ended by signal 9"),
    ],
)
def test_a_tool_that_fails_says_how(trees: SpaceFolders, code: str, error: str) -> None:
    result = python(trees, code)
    assert (result.success, result.error) == (False, error)


def test_exit_codes_that_mean_success_can_be_said(trees: SpaceFolders) -> None:
    assert python(trees, "raise SystemExit(1)", CONFIG={"exit_codes": [0, 1]}).success


def test_output_that_should_be_json_and_is_not_is_a_failure(trees: SpaceFolders) -> None:
    result = python(trees, "print('{oh')", CONFIG={"output": "json"})
    assert not result.success
    assert result.error.startswith("its output is no JSON")
    assert result.data == "{oh\n"


@pytest.mark.parametrize(
    "output", ["NaN", "[-Infinity]", "[" * 200 + "]" * 200, "[" * 90_000, '{"a":' * 150 + "1" + "}" * 150]
)
def test_output_that_only_some_take_for_json_is_a_failure(trees: SpaceFolders, output: str) -> None:
    result = python(trees, f"print({output!r})", CONFIG={"output": "json"})
    assert result.error.startswith("its output is no JSON (")
    assert python(trees, "print('[' * 90 + ']' * 90)", CONFIG={"output": "json"}).success


def test_output_beyond_the_limit_is_cut_and_said_so(trees: SpaceFolders) -> None:
    code = "import sys\nsys.stdout.write('x' * 300_000)\nsys.stderr.write('y' * 200_000)\n"
    result = python(trees, code, CONFIG={"max_output": 1000})
    assert (result.data, result.messages) == ("x" * 1000, "y" * 1000)
    assert result.warnings == [
        "the output is cut: 299,000 of 300,000 bytes are left out",
        "the error output is cut: 199,000 of 200,000 bytes are left out",
    ]


# what ends them

SPAWN = """
import subprocess, sys, time
child = '''
import os, sys, time, signal
signal.signal(signal.SIGTERM, signal.SIG_IGN)
open(sys.argv[1] + "~", "w").write(str(os.getpid()))
os.rename(sys.argv[1] + "~", sys.argv[1])
time.sleep(600)
'''
subprocess.Popen([sys.executable, "-c", child, {path!r}])
while not __import__("os").path.exists({path!r}): time.sleep(0.01)
"""


def test_a_time_out_ends_the_whole_process_group(trees: SpaceFolders, tmp_path: Path) -> None:
    path = tmp_path / "pid"
    code = SPAWN.format(path=str(path)) + "print('begun', flush=True)\ntime.sleep(600)\n"
    result = python(trees, code, CONFIG={"timeout": 10})
    assert (result.success, result.error, result.exit_code) == (False, "not done after 10 s, and ended", None)
    assert result.data == "begun\n"
    assert is_gone(path)


def test_what_a_tool_leaves_running_is_ended_with_it(trees: SpaceFolders, tmp_path: Path) -> None:
    path = tmp_path / "pid"
    result = python(trees, SPAWN.format(path=str(path)) + "print('done')\n")
    assert (result.success, result.data) == (True, "done\n")
    assert is_gone(path)


def test_what_leaves_the_group_and_holds_the_output_does_not_hold_up_the_answer(
    trees: SpaceFolders, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(groups, "GRACE", 0.2)
    code = "import os, time\nif os.fork() == 0:\n    os.setsid()\n    time.sleep(20)\n    os._exit(0)\nprint('done')\n"
    result = python(trees, code)
    assert (result.success, result.data) == (True, "done\n")
    assert result.warnings == ["the output was not closed in time", "the error output was not closed in time"]


# parameters

SCHEMA = {
    "type": "object",
    "properties": {"n": {"type": "integer", "default": 7}, "who": {"type": "string"}, "all": {"type": "boolean"}},
    "required": ["who"],
    "additionalProperties": False,
}


def test_parameters_are_checked_first_and_defaults_are_filled_in(trees: SpaceFolders, tmp_path: Path) -> None:
    code = f"import sys\nopen({str(tmp_path / 'ran')!r}, 'w')\nprint(sys.stdin.read())\n"
    with pytest.raises(ParameterError) as caught:
        python(trees, code, {"n": "many", "how": 1}, CONFIG_SCHEMA=SCHEMA)
    assert caught.value.problems == [
        "parameter 'who' is missing",
        "there is no parameter 'how'; there are n, who, all",
        "parameter 'n' must be an integer, not \"many\"",
    ]
    assert not (tmp_path / "ran").exists()
    result = python(trees, code, {"who": "Ada"}, CONFIG_SCHEMA=SCHEMA, CONFIG={"output": "json"})
    assert result.data == {"n": 7, "who": "Ada"}


def test_words_become_what_the_schema_says(trees: SpaceFolders) -> None:
    from keel.toolspaces import resolve_chain

    trees.add("project", "tool", manifest(CONFIG_SCHEMA=SCHEMA))
    tool = resolve_chain("tool", trees.project).tool
    said = from_words(tool, ["n=3", "who=3", "all=true", "else=[1]", "empty="])
    assert said == {"n": 3, "who": "3", "all": True, "else": "[1]", "empty": ""}
    for words in (["n"], ["=3"], ["n=1", "n=2"]):
        with pytest.raises(ParameterError):
            from_words(tool, words)


def test_a_schema_that_is_none_is_told(trees: SpaceFolders) -> None:
    with pytest.raises(ParameterError, match=r'CONFIG_SCHEMA cannot be used: properties\.a\.type cannot be "txt"'):
        python(trees, "", CONFIG_SCHEMA={"properties": {"a": {"type": "txt"}}})


# chains that must not run


def test_a_primitive_of_the_project_is_not_performed(trees: SpaceFolders, tmp_path: Path) -> None:
    code = f"open({str(tmp_path / 'ran')!r}, 'w')\n"
    trees.add("project", "mine", manifest(None, "primitive") + code)
    with pytest.raises(ChainValidationError, match="only those of the system space: http_client, subprocess"):
        run_tool("mine", trees.project)
    assert not (tmp_path / "ran").exists()


def test_a_system_runtime_does_not_rely_on_a_primitive_of_the_project(trees: SpaceFolders) -> None:
    trees.add("project", "subprocess", manifest(None, "primitive"))
    with pytest.raises(ChainValidationError) as caught:
        python(trees, "")
    assert caught.value.issues[0].startswith(
        "Tool 'python_runtime' from system space cannot depend on 'subprocess' from project space."
    )
