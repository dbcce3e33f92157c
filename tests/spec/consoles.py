"""Answers of the command line as specs show them: ` ```console ` blocks of commands and what each says.

A line that begins with `$ keel` is run in the project of the section, mapped beforehand; the lines up to the next one
are all that it prints. `…` means any text within a line, and on a line of its own any number of lines.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping
from pathlib import Path

from tests.spec.markdown import Block
from tests.workspaces import run_keel

PROMPT = "$ keel "


def check_console(folder: Path, files: Mapping[tuple[str, str], bytes], block: Block) -> list[str]:
    """What of a `console` block does not hold for the project."""
    project = folder / "shop"
    for (_, path), data in files.items():
        file = project / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
    mapped = run_keel(["map", "--quiet"], cwd=project)
    assert mapped.returncode == 0, mapped.stderr
    wrong: list[str] = []
    for number, command, expected in commands(block):
        done = run_keel(shlex.split(command), cwd=project)
        said = (done.stdout + done.stderr).rstrip("\n")
        if not matches(said, expected):
            wrong.append(f"line {number}: keel {command}\n--- expected\n{expected}\n--- said\n{said}")
    return wrong


def commands(block: Block) -> Iterator[tuple[int, str, str]]:
    """Each command with its line and what is expected of it."""
    parts = re.split(rf"^{re.escape(PROMPT)}", block.text, flags=re.MULTILINE)
    line = block.line + parts[0].count("\n")
    for part in parts[1:]:
        command, _, expected = part.partition("\n")
        yield line, command, expected.rstrip("\n")
        line += part.count("\n")


def matches(said: str, expected: str) -> bool:
    """Whether the text is as expected, but for what `…` replaces."""
    pattern = re.escape(expected).replace("…\\\n", "(?:.*\n)*?").replace("…", ".*")
    return re.fullmatch(pattern, said) is not None
