"""Which functions of a tree are edited, and how: drawn by a seed, from the source without its tests.

The bar is for files to 3,000 lines and definitions with up to 20 caller files; what is beyond is measured apart.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import NamedTuple

from benchmarks.edit.edits import EDITS, Function, Target
from keel.ports.store import GraphReader

SOURCES = {"django": "django", "sqlalchemy": "lib/sqlalchemy"}
"""Where the source of a corpus is."""
MAX_LINES, MAX_CALLERS = 3_000, 20
SEED = 7


class Planned(NamedTuple):
    """One edit."""

    kind: str
    path: str
    symbol: str
    text: str
    lines: int
    callers: int
    """Files other than this one with an edge into what is edited."""

    @property
    def is_inside(self) -> bool:
        """Whether the bar is for it."""
        return self.lines <= MAX_LINES and self.callers <= MAX_CALLERS


def planned(name: str, tree: Path, reader: GraphReader, wanted: int) -> list[Planned]:
    """Edits until so many are inside the bar; those that come up beyond it are among them."""
    chance = Random(SEED)
    files = sorted(path for path in (tree / SOURCES[name]).rglob("*.py") if path.stat().st_size > 500)
    numbers = {row.path: row.id for row in reader.files()}
    pool = [(path, index) for path in files for index in range(_functions(path))]
    kinds = list(EDITS)
    found: list[Planned] = []
    while sum(one.is_inside for one in found) < wanted:
        path, index = chance.choice(pool)
        made = _edit(tree, path, index, kinds[len(found) % len(kinds)], numbers, reader)
        if made is not None:
            found.append(made)
    return found


def _functions(path: Path) -> int:
    return sum(1 for _ in _targets(path))


def _edit(
    tree: Path, path: Path, index: int, kind: str, numbers: dict[str, int], reader: GraphReader
) -> Planned | None:
    target = list(_targets(path))[index]
    text = EDITS[kind](target)
    inside = path.relative_to(tree).as_posix()
    if text is None or text == "".join(target.lines) or inside not in numbers or not _parses(text):
        return None
    callers = _callers(reader, numbers[inside], target.name)
    return Planned(kind, inside, target.name, text, len(target.lines), callers)


def _callers(reader: GraphReader, file: int, name: str) -> int:
    nodes = [node for node in reader.nodes(file) if node.qualified_name == name]
    sources = {edge.source for node in nodes for edge in reader.edges_to(node.number)}
    files = {node.file for number in sources if (node := reader.node(number)) is not None}
    return len(files - {file})


def _targets(path: Path) -> Iterator[Target]:
    text = path.read_text(encoding="utf-8")
    module = ast.parse(text)
    lines = text.splitlines(keepends=True)
    for one in module.body:
        held = one.body if isinstance(one, ast.ClassDef) else [one]
        owner = one.name if isinstance(one, ast.ClassDef) else ""
        for function in held:
            if isinstance(function, Function) and function.body[0].lineno > function.lineno:
                yield Target(lines, function, owner, module)


def _parses(text: str) -> bool:
    try:
        ast.parse(text)
    except SyntaxError:
        return False
    return True
