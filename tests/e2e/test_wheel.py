"""The wheel, built and installed into an environment of its own, answers its first questions.

Whether the answers are right in detail is tested on the sources.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import venv
from pathlib import Path
from typing import Any

import pytest

from tests.repository import TOP, settings
from tests.workspaces import PATIENCE, MakeWorkspace

# What points at the sources must not reach the installed command, or it would test those instead.
INITIALIZE = """\
{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-06-18", "capabilities": {}, \
"clientInfo": {"name": "test", "version": "1"}}}
{"jsonrpc": "2.0", "method": "notifications/initialized"}
{"jsonrpc": "2.0", "id": 2, "method": "tools/list"}
"""
"""What an agent says first, as lines."""
FOREIGN = ("PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV")
ENVIRONMENT = {name: value for name, value in os.environ.items() if name not in FOREIGN}


@pytest.fixture(scope="module")
def scripts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of commands of a fresh environment that has the wheel installed."""
    top = tmp_path_factory.mktemp("wheel")
    run(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", top, cwd=TOP)
    [wheel] = top.glob("keel_graph-*.whl")
    environment = top / "environment"
    venv.create(environment, with_pip=False)
    folder = environment / ("Scripts" if os.name == "nt" else "bin")
    # The pip at hand installs into the new environment, which saves giving it one of its own.
    pip = (sys.executable, "-m", "pip", "--python", folder / "python")
    run(*pip, "install", "--quiet", "--disable-pip-version-check", wheel, cwd=top)
    return folder


def test_the_installed_command_answers(scripts: Path, workspace: MakeWorkspace) -> None:
    folder = workspace({"app.py": "def greet() -> str:\n    return 'hello'\n"})
    keel = scripts / "keel"
    assert settings()["project"]["version"] in run(keel, "--version", cwd=folder)
    run(keel, "map", cwd=folder)
    assert "app.py" in run(keel, "where", "greet", cwd=folder)
    # the system's tools come with it, and a plain installation without extras runs a scaffolded one
    run(keel, "tools", "new", "greeter", cwd=folder)
    assert "Hello, world!" in run(keel, "tools", "run", "greeter", cwd=folder)


def test_what_init_sets_up_works_after_a_plain_installation(scripts: Path, workspace: MakeWorkspace) -> None:
    folder = workspace({"app.py": "def greet() -> str:\n    return 'hello'\n"})
    pipe = subprocess.PIPE
    words = [str(scripts / "keel"), "mcp"]
    with subprocess.Popen(words, cwd=folder, env=ENVIRONMENT, stdin=pipe, stdout=pipe, encoding="utf-8") as server:
        assert server.stdin is not None
        assert server.stdout is not None
        server.stdin.write(INITIALIZE)
        server.stdin.flush()
        answers: dict[object, dict[str, Any]] = {}
        while 2 not in answers:  # the end of its input would end it before it has answered
            answer = json.loads(server.stdout.readline())
            answers[answer.get("id")] = answer
        server.stdin.close()
    assert answers[1]["result"]["serverInfo"]["name"] == "keel"
    assert len(answers[2]["result"]["tools"]) == 8


def run(*command: str | Path, cwd: Path) -> str:
    """Run the command to its end, and return what it printed; a failure shows all it said."""
    done = subprocess.run(
        [str(word) for word in command],
        cwd=cwd,
        env=ENVIRONMENT,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        timeout=PATIENCE,
    )
    assert done.returncode == 0, f"{command} failed:\n{done.stdout}"
    return done.stdout
