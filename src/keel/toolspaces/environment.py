"""The environment of a run: which variables a tool gets, and which interpreter its runtime uses.

A tool gets the few variables that programs need to work at all, and those that its chain names in `ENV_CONFIG`:

    ENV_CONFIG = {
        "pass": ["GITHUB_TOKEN"],            # passed on from the environment of keel
        "set": {"LC_ALL": "C"},              # set for the tool
        "interpreter": {"program": "python", "folders": [".venv", "venv"]},
    }

Nothing else is passed on, so that secrets do not leak to tools. Running programs is left to the primitives.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterable, Mapping
from typing import NamedTuple

ALLOWED = frozenset(
    {
        *("PATH", "HOME", "USER", "LOGNAME", "SHELL", "TERM", "TZ", "TMPDIR", "TMP", "TEMP"),
        *(
            "LANG",
            "LANGUAGE",
            "LC_ALL",
            "LC_COLLATE",
            "LC_CTYPE",
            "LC_MESSAGES",
            "LC_MONETARY",
            "LC_NUMERIC",
            "LC_TIME",
        ),
        *("SYSTEMROOT", "COMSPEC", "PATHEXT"),
    }
)
"""What every tool gets: where programs and temporary files are, who and in which language."""

KNOWN = ("pass", "set", "interpreter")
PYTHON = "python"


class EnvironmentProblem(Exception):
    """An `ENV_CONFIG` cannot be used; the message says why."""


class Environment(NamedTuple):
    """What a run gets from around it."""

    variables: Mapping[str, str]
    passed: Mapping[str, str]
    """Those of them that the chain asked for by name."""
    interpreter: str
    """The program that a runtime asks for; empty when none does."""


def environment_of(said: Iterable[Mapping[str, object]], project: str, around: Mapping[str, str]) -> Environment:
    """What the elements of a chain ask for, the primitive first: what comes later wins."""
    passed: dict[str, str] = {}
    given: dict[str, str] = {}
    wanted: Mapping[str, object] = {}
    for each in said:
        check_said(each)
        passed |= {name: around[name] for name in _texts(each, "pass") if name in around}
        table = each.get("set")
        given |= {name: str(value) for name, value in table.items()} if isinstance(table, dict) else {}
        asked = each.get("interpreter")
        wanted = asked if isinstance(asked, dict) else wanted
    allowed = {name: value for name, value in around.items() if name in ALLOWED}
    variables = allowed | passed | given
    return Environment(variables, passed | given, _interpreter(wanted, project, variables) if wanted else "")


def check_said(said: Mapping[str, object]) -> None:
    """Refuses an `ENV_CONFIG` that cannot be used."""
    unknown = sorted(said.keys() - set(KNOWN))
    if unknown:
        raise EnvironmentProblem(f"ENV_CONFIG has no '{unknown[0]}'; there are {', '.join(KNOWN)}")
    names = said.get("pass", [])
    if not isinstance(names, list) or not all(isinstance(name, str) and _is_name(name) for name in names):
        raise EnvironmentProblem("ENV_CONFIG: pass must be a list of names of variables")
    table = said.get("set", {})
    if not isinstance(table, dict) or not all(_is_name(key) and _is_value(value) for key, value in table.items()):
        raise EnvironmentProblem("ENV_CONFIG: set must map names of variables to texts")
    wanted = said.get("interpreter", {"program": PYTHON})
    if not isinstance(wanted, dict) or not isinstance(wanted.get("program"), str) or not wanted["program"]:
        raise EnvironmentProblem("ENV_CONFIG: interpreter must say its program")


def _is_name(name: object) -> bool:
    return isinstance(name, str) and name != "" and "=" not in name and "\0" not in name


def _is_value(value: object) -> bool:
    return isinstance(value, str) and "\0" not in value


def _texts(said: Mapping[str, object], key: str) -> list[str]:
    held = said.get(key)
    return [str(each) for each in held] if isinstance(held, list) else []


def _interpreter(wanted: Mapping[str, object], project: str, variables: Mapping[str, str]) -> str:
    """The program in an environment of the project, when there is one; else Python as it runs here, or from PATH."""
    program = str(wanted["program"])
    folders = [os.path.join(project, folder) for folder in _texts(wanted, "folders")]
    inside = [os.path.join(folder, *place) for folder in folders for place in _places(program)]
    found = next((path for path in inside if os.path.isfile(path) and os.access(path, os.X_OK)), None)
    if found is None:
        here = sys.executable if program == PYTHON else None
        found = here or shutil.which(program, path=variables.get("PATH"))
    if found is None:
        raise EnvironmentProblem(f"{program} was not found on PATH")
    return found


def _places(program: str) -> tuple[tuple[str, str], ...]:
    return ("bin", program), ("Scripts", f"{program}.exe")
