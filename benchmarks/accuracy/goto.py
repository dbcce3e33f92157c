"""Asks jedi where names are defined; run by the Python of the environment that jedi is installed in.

Questions come as one JSON object on standard input, answers go out as one JSON line a file. Nothing of the other
modules is imported, since that environment has none of them; `jedi_answers` is the other side.
"""

from __future__ import annotations

import importlib
import json
import sys
from pathlib import Path
from typing import Any

OUTSIDE = ("", 0, 0)
DEFINITIONS = ("function", "class", "module")


def main() -> None:
    """Answers everything that is asked."""
    asked = json.load(sys.stdin)
    jedi = importlib.import_module("jedi")  # nothing that a type checker of this project could see
    room = Path(asked["room"])
    project = jedi.Project(
        room, environment_path=asked["environment"], added_sys_path=[str(room / root) for root in asked["roots"]]
    )
    lines: dict[Path, list[bytes]] = {}
    for path, places in asked["places"].items():
        script = jedi.Script(path=room / path, project=project)
        found = [[line, column, _landings(script, room, path, line, column, lines)] for line, column in places]
        print(json.dumps([path, found]), flush=True)


def _landings(
    script: Any, room: Path, path: str, line: int, column: int, lines: dict[Path, list[bytes]]
) -> list[tuple[str, int, int]]:
    """Where jedi lands: what goes to a variable is asked again for what the variable holds, to be fair."""
    before = _line(room / path, line, lines)[: column - 1]
    position = (line, len(before.decode()))
    try:
        names = script.goto(*position, follow_imports=True)
        if not any(name.type in DEFINITIONS for name in names):
            names = script.infer(*position) or names
    except Exception:  # it breaks now and then: no answer
        return []
    return list(dict.fromkeys(_landing(name, room, lines) for name in names))


def _landing(name: Any, room: Path, lines: dict[Path, list[bytes]]) -> tuple[str, int, int]:
    path = name.module_path
    if path is None or not Path(path).is_relative_to(room):
        return OUTSIDE
    line, column = name.line or 1, name.column or 0
    text = _line(Path(path), line, lines).decode()
    return Path(path).relative_to(room).as_posix(), line, len(text[:column].encode()) + 1


def _line(path: Path, number: int, lines: dict[Path, list[bytes]]) -> bytes:
    if path not in lines:
        lines[path] = path.read_bytes().splitlines()
    known = lines[path]
    return known[number - 1] if number <= len(known) else b""


if __name__ == "__main__":
    main()
