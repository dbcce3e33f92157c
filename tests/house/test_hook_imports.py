"""The commands that run after every edit import little, and an addition is seen.

How long they take is measured in `benchmarks`; here only what they load is held.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests import snapshots
from tests.daemons import environment, serving
from tests.workspaces import PATIENCE, commit_all, run_keel, write_files

SNAPSHOT = Path(__file__).with_name("hook_imports.txt")

# Each fast command with the words it is run with, in a workspace that is under git and mapped.
COMMANDS: dict[str, tuple[str, ...]] = {
    "compile": ("compile", "app.py"),
    "hook": ("hook", "claude-code"),
    "where": ("where", "greet"),
}
PAYLOAD = '{"session_id": "s", "tool_name": "Edit", "tool_input": {"file_path": "app.py"}}'
"""What they find on standard input, if they read it."""

CLIENT_OF = "compile-by-daemon"

BANNED = (
    # web and MCP
    *("aiohttp", "anyio", "fastapi", "httpx", "mcp", "requests", "starlette", "uvicorn"),
    # output and schemas
    *("click", "jsonschema", "pydantic", "rich", "typer"),
    # heavy parts of the standard library that a fast command has no use for
    *("asyncio", "dataclasses", "email", "http", "importlib.metadata", "inspect"),
    *("multiprocessing", "unittest", "urllib.request", "xml"),
    # packaging
    *("pkg_resources", "setuptools"),
    # other sockets' libraries
    *("dask", "distributed", "neo4j"),
)

# What is beside keel in a command that a daemon answers: of the interpreter, and nothing of the library.
CLIENT = ("_blake2", "_socket", "array", "select", "time")

# msgspec takes typing_extensions (10 ms, with inspect) when it happens to be installed, as it is
# beside mypy. Hidden, the list is that of a plain installation, and keel cannot use it unseen.
PROBE = """
import sys
sys.modules["typing_extensions"] = None
before = set(sys.modules)
from keel.surfaces.cli import main
report, *words = sys.argv[1:]
sys.argv = ["keel", *words]
try:
    code = main()
except SystemExit as stop:
    code = stop.code
loaded = sorted(set(sys.modules) - before)
with open(report, "w", encoding="utf-8") as out:
    out.write("\\n".join(loaded))
sys.exit(code)
"""

OLD, SOON = time.time() - 3600, time.time() + 3600

LoadedBy = dict[str, list[str]]


@pytest.fixture(scope="module")
def loaded_by(tmp_path_factory: pytest.TempPathFactory) -> LoadedBy:
    """The modules each fast command loads, asked once for the tests of this file."""
    top = tmp_path_factory.mktemp("fast")
    folder = write_files(
        top / "workspace", {"app.py": 'def greet() -> str:\n    """Greets."""\n    return \'hello\'\n'}
    )
    commit_all(folder)
    os.utime(folder / "app.py", (OLD, OLD))
    mapped = run_keel(["map"], cwd=folder)
    assert mapped.returncode == 0, mapped.stderr
    # the first look after a commit asks git, and remembers
    assert run_keel(["compile", "app.py"], cwd=folder).returncode == 0
    # However fast the machine is: the file is known to be as it was, and the folder is listed each time.
    os.utime(folder, (SOON, SOON))
    alone = {
        command: modules_loaded(words, folder, report=top / f"{command}.txt") for command, words in COMMANDS.items()
    }
    with serving(folder):
        return alone | {CLIENT_OF: modules_loaded(COMMANDS["compile"], folder, top / "client.txt", environment())}


@pytest.mark.parametrize("command", [*COMMANDS, CLIENT_OF])
def test_nothing_heavy_is_loaded(command: str, loaded_by: LoadedBy) -> None:
    assert [module for module in loaded_by[command] if is_banned(module)] == []


def test_the_modules_of_keel_are_the_agreed_ones(loaded_by: LoadedBy) -> None:
    snapshots.compare(
        SNAPSHOT,
        [
            f"{command} {module}"
            for command, modules in loaded_by.items()
            for module in modules
            if module.partition(".")[0] == "keel"
        ],
    )


@pytest.mark.skipif(sys.platform != "linux", reason="there are no daemons elsewhere")
def test_a_command_that_a_daemon_answers_loads_next_to_nothing(loaded_by: LoadedBy) -> None:
    others = [module for module in loaded_by[CLIENT_OF] if module.partition(".")[0] != "keel"]
    assert set(others) <= {"__future__", "gc", *CLIENT}


def modules_loaded(
    words: tuple[str, ...], folder: Path, report: Path, env: Mapping[str, str] | None = None
) -> list[str]:
    """Run the command in a fresh interpreter, and return what it imported beyond start-up."""
    done = subprocess.run(
        [sys.executable, "-c", PROBE, str(report), *words],
        cwd=folder,
        input=PAYLOAD,
        env=None if env is None else dict(env),
        capture_output=True,
        encoding="utf-8",
        timeout=PATIENCE,
    )
    assert done.returncode == 0, done.stderr
    return report.read_text(encoding="utf-8").splitlines()


def is_banned(module: str) -> bool:
    """Whether the module is on the list, or inside a package on it."""
    return any(module == name or module.startswith(f"{name}.") for name in BANNED)
