"""What a case does when it runs: the calls between its own definitions, seen by `tracer` in a process of its own.

What a case says about itself is compared here with what was seen; keel has no part in it.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from tests.spec.callgraph.cases import Case, Edge

TRACER = Path(__file__).with_name("tracer.py")
SECONDS = 120


class Seen(NamedTuple):
    """The calls that a run took, each with whether it is written as a call; and why the run ended early, if it did."""

    calls: dict[Edge, bool]
    error: str


def write_case(case: Case, folder: Path) -> None:
    """Puts the files of a case on disk."""
    for path, text in case.files.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")


def observe(cases: Sequence[Case], folder: Path) -> list[Seen]:
    """Runs cases one after another in one process."""
    request = []
    for number, case in enumerate(cases):
        write_case(case, folder / str(number))
        request.append({"folder": str(folder / str(number)), "entry": case.entry})
    asked, answered = folder / "request.json", folder / "answer.json"
    asked.write_text(json.dumps(request), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-I", str(TRACER), str(asked), str(answered)],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        timeout=SECONDS,
    )
    if done.returncode:
        raise RuntimeError(f"the tracer ended with {done.returncode}: {done.stderr}")
    return [_seen(each) for each in json.loads(answered.read_text(encoding="utf-8"))]


def untruths(case: Case, seen: Seen) -> list[str]:
    """What a case says and its run does not bear out."""
    if seen.error:
        return [f"it does not run: {seen.error}"]
    return list(_untruths(case.calls, seen.calls))


def _seen(answer: Mapping[str, list[tuple[str, str, bool]]]) -> Seen:
    return Seen({Edge(caller, callee): written for caller, callee, written in answer["calls"]}, str(answer["error"]))


def _untruths(calls: Mapping[Edge, frozenset[str]], seen: Mapping[Edge, bool]) -> Iterator[str]:
    for edge in sorted(seen.keys() - calls.keys()):
        yield f"seen and not listed: {edge}{'' if seen[edge] else ' implicit'}"
    for edge, marks in calls.items():
        if marks & {"static", "may"}:
            if edge in seen:
                yield f"marked as not taken, and yet seen: {edge}"
        elif edge not in seen:
            yield f"listed and not seen: {edge}"
        elif seen[edge] == ("implicit" in marks):
            yield f"{'written as a call, not implicit' if seen[edge] else 'implicit'}: {edge}"
