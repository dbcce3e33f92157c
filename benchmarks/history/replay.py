"""One step: a release is accepted, the next one is the edit, and `keel compile` says what it breaks.

Whether what it says is true is left to `verdicts`.
"""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from benchmarks.corpora import git
from benchmarks.history.repository import differing, edit, start
from benchmarks.measure import Failed, environment

KEEL = (sys.executable, "-m", "keel")
LIMIT_SECONDS = 1800
ERROR, WARNING = SEVERITIES = ("ERROR", "WARNING")


@dataclass(frozen=True, slots=True, order=True)
class Statement:
    """What is said about one place: a finding has as many as it names affected ones."""

    severity: str
    code: str
    symbol: str
    """The definition that changed or is gone, with its file: `httpx/_client.py:Client.send`."""
    place: str
    """The file and line that is affected."""
    caller: str
    why: str


@dataclass(frozen=True, slots=True)
class Step:
    """What one edit came to."""

    package: str
    before: str
    after: str
    files: int
    signatures: int
    findings: Mapping[str, int]
    """By severity."""
    places: Mapping[str, int]
    """The lines that they name, likewise."""
    said: Sequence[Statement]
    """What is said about each; of a step that was kept, only the errors."""
    cpu_seconds: float
    keel: str
    """Which keel it was."""

    @property
    def name(self) -> str:
        """The step in words."""
        return f"{self.package} {self.before} → {self.after}"


def replay(package: str, folder: Path, versions: Sequence[str], keel: str = "") -> Iterator[Step]:
    """Every step of a history, in order."""
    start(folder, versions[0])
    _keel(folder, "map")
    for before, after in pairwise(versions):
        edit(folder, before, after)
        answer, seconds = _keel(folder, "compile", "--json", "--session", "ci")
        found = [*answer["errors"], *answer["warnings"]]
        said = sorted(_statements(found))
        differ = differing(folder, before, after)
        pairs = [(_text(folder, before, path), _text(folder, after, path)) for how, path in differ if how == "M"]
        yield Step(
            package,
            before,
            after,
            files=len(differ),
            signatures=sum(changed_signatures(*pair) for pair in pairs),
            findings={word: sum(each["severity"] == word for each in found) for word in SEVERITIES},
            places={word: sum(each.severity == word for each in said) for word in SEVERITIES},
            said=said,
            cpu_seconds=round(seconds, 2),
            keel=keel,
        )


def changed_signatures(before: str, after: str) -> int:
    """How many functions two versions of a file both have, with other parameters or another result."""
    was, now = _signatures(before), _signatures(after)
    return sum(was[name] != now[name] for name in was.keys() & now.keys())


def _statements(found: Sequence[Mapping[str, Any]]) -> Iterator[Statement]:
    for each in found:
        symbol = f"{each['file']}:{each['symbol']}"
        for one in each["affected"]:
            place = f"{one['file']}:{one['line']}"
            yield Statement(each["severity"], each["code"], symbol, place, one["name"], one["why"])


def _text(folder: Path, version: str, path: str) -> str:
    return git(folder, "show", f"{version}:{path}")


def _signatures(text: str) -> dict[str, str]:
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):  # source of an older Python, or a file that is broken on purpose
        return {}
    found: dict[str, str] = {}
    _collect(tree, "", found)
    return found


def _collect(node: ast.AST, around: str, found: dict[str, str]) -> None:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            name = f"{around}{child.name}"
            if not isinstance(child, ast.ClassDef):
                result = ast.unparse(child.returns) if child.returns else ""
                found[name] = f"{type(child).__name__} {ast.unparse(child.args)} {result}"
            _collect(child, f"{name}.", found)
        else:
            _collect(child, around, found)


def _keel(folder: Path, *arguments: str) -> tuple[dict[str, Any], float]:
    """What keel answers, and the CPU-seconds it took, those of its children included."""
    began = os.times()
    done = subprocess.run(
        [*KEEL, *arguments],
        cwd=folder,
        env=environment(),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        timeout=LIMIT_SECONDS,
    )
    ended = os.times()
    spent = ended.children_user + ended.children_system - began.children_user - began.children_system
    if done.returncode not in (0, 1):
        words = done.stderr.strip().splitlines() or ["no word why"]
        raise Failed(f"keel {arguments[0]}: exit code {done.returncode}: {words[-1]}")
    answer: dict[str, Any] = json.loads(done.stdout) if "--json" in arguments else {}
    return answer, spent
