"""Sessions: the `console` blocks of a page, run for real in a copy of the sample project, and compared with the page.

The blocks of one page are one session, from a fresh copy on. A line that begins with `$ ` is a command, `# ` a remark;
what follows a command is its output. A line `…` means any lines, `…` within a line any text. Which commands
are worth showing is left to the pages.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tools.docs.repository import TOP, markdown_pages, text_of

SAMPLE = TOP / "demo" / "sample"
SHOWN_FOLDER = "/home/you/shop"
"""Where the project is said to be, wherever the copy is."""
ANY = "…"
ENVIRONMENT = {
    **{"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", "LC_ALL": "C.UTF-8", "NO_COLOR": "1"},
    "KEEL_NO_DAEMON": "1",  # nothing stays behind
    "USER_SPACE": os.devnull,  # tools of the person who makes the pages are not for readers
    "HOME": os.devnull,  # nor are the coding agents that they use
}

_time = re.compile(r"\b\d+(?:\.\d+)? (s|ms|seconds?)\b")


class Step(NamedTuple):
    """A command of a page, the output that the page shows, and the lines of the page that hold it."""

    command: str
    shown: list[str]
    first: int
    last: int


class Difference(NamedTuple):
    """A command whose output is not what the page shows."""

    step: Step
    real: list[str]


def pages() -> list[str]:
    """The pages that have sessions."""
    return [page for page in markdown_pages() if list(steps(text_of(page)))]


def differences(page: str) -> list[Difference]:
    """Runs a page's session; every command whose output differs from what is shown."""
    found = [Difference(step, real) for step, real in _run(list(steps(text_of(page))))]
    return [one for one in found if not matches(one.step.shown, one.real)]


def refreshed(page: str) -> str:
    """The page with the real output where it differs; as much of it is left out as before."""
    lines = text_of(page).split("\n")
    for step, real in reversed(differences(page)):
        lines[step.first : step.last] = abridged(real, step.shown)
    return "\n".join(lines)


def steps(text: str) -> Iterator[Step]:
    """The commands of a page's `console` blocks."""
    lines = text.split("\n")
    command, first, inside = "", 0, False
    for number, line in enumerate(lines):
        begins = inside and line.startswith(("$ ", "# ", "```"))
        if command and begins:
            yield _step(command, lines, first, number)
            command = ""
        if begins and line.startswith("$ "):
            command, first = line[2:], number + 1
        if line.startswith("```"):
            inside = line == "```console"


def matches(shown: list[str], real: list[str]) -> bool:
    """Whether real output is what is shown; times differ from run to run."""
    pattern = "".join(_pattern(_timeless(line)) for line in shown)
    return re.fullmatch(pattern, "".join(f"{_timeless(line)}\n" for line in real)) is not None


def abridged(real: list[str], shown: list[str]) -> list[str]:
    """Real output with as many lines at its beginning and end as were shown before."""
    if ANY not in shown:
        return real
    head, tail = shown.index(ANY), shown[::-1].index(ANY)
    return [*real[:head], ANY, *real[len(real) - tail :]] if len(real) > head + tail else real


def _step(command: str, lines: list[str], first: int, last: int) -> Step:
    """Empty lines before the next command are air."""
    while last > first and not lines[last - 1]:
        last -= 1
    return Step(command, lines[first:last], first, last)


def _pattern(line: str) -> str:
    return r"(?:.*\n)*?" if line == ANY else "[^\n]*".join(map(re.escape, line.split(ANY))) + "\n"


def _timeless(line: str) -> str:
    return _time.sub(r"0 \1", line)


def _run(wanted: list[Step]) -> Iterator[tuple[Step, list[str]]]:
    with tempfile.TemporaryDirectory() as top:
        folder = Path(top).resolve() / "shop"
        shutil.copytree(SAMPLE, folder, ignore=shutil.ignore_patterns("__pycache__", ".keel"))
        _output_of("git init --quiet", folder)
        for step in wanted:
            yield step, _output_of(step.command, folder)


def _output_of(command: str, folder: Path) -> list[str]:
    """What a command line prints, on standard output and error alike."""
    script = f'keel() {{ "{sys.executable}" -m keel "$@"; }}\n{command}'
    done = subprocess.run(
        ["sh", "-c", script],
        cwd=folder,
        env={**os.environ, **ENVIRONMENT},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        timeout=120,
    )
    return done.stdout.replace(str(folder), SHOWN_FOLDER).rstrip("\n").split("\n") if done.stdout.strip() else []
