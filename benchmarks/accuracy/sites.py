"""The places that are asked about: callees and imported names, found by Python's own parser.

What is there is said by `truth` and by keel. Lines and columns are counted from 1, columns in bytes of UTF-8, as
keel counts them.
"""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from benchmarks.accuracy.shapes import shape_of

CALL, IMPORT = "call", "import"
SCOPES = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


class SourceSpan(NamedTuple):
    """Where an identifier begins."""

    path: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.path}:{self.line}:{self.column}"


@dataclass(frozen=True, slots=True)
class Site:
    """A use of a name that a definition is asked for."""

    place: SourceSpan
    kind: str
    name: str
    shape: str
    """What the name hangs on: what a reader of misses wants to know first."""
    text: str
    """The line of source, stripped."""


class Source:
    """A parsed file, with its lines at hand."""

    def __init__(self, path: str, content: bytes) -> None:
        self.path = path
        self.lines = content.splitlines()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # escapes and comparisons of other people's code
            self.tree = ast.parse(content)

    def text(self, line: int) -> str:
        """A line, stripped."""
        return self.lines[line - 1].decode("utf-8", errors="replace").strip()

    def stands(self, name: str, place: SourceSpan) -> bool:
        """Whether a name is at a place: parsers before Python 3.12 misplace what is inside f-strings."""
        if not 0 < place.line <= len(self.lines):
            return False
        begin = place.column - 1
        encoded = name.encode()
        line = self.lines[place.line - 1]
        around = line[max(begin - 1, 0) : begin] + line[begin + len(encoded) : begin + len(encoded) + 1]
        return line[begin : begin + len(encoded)] == encoded and not any(
            byte == 95 or chr(byte).isalnum() for byte in around
        )


def sites(source: Source) -> list[Site]:
    """Every call site and imported name of a file, in the order of their places."""
    found = [*_calls(source), *_imports(source)]
    return sorted((site for site in found if source.stands(site.name, site.place)), key=lambda site: site.place)


def imported_places(source: Source) -> set[SourceSpan]:
    """Where names of import statements are, aliases too: a definition that lands there is only a step."""
    return {
        place
        for node in ast.walk(source.tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
        for place in (_place(source, alias), _place_of_alias(source, alias))
    }


def _calls(source: Source) -> Iterator[Site]:
    for node, around in _with_scopes(source.tree):
        if not isinstance(node, ast.Call):
            continue
        callee = node.func
        if isinstance(callee, ast.Name):
            place, name = _place(source, callee), callee.id
        elif isinstance(callee, ast.Attribute):
            place, name = _last_part(source, callee), callee.attr
        else:
            continue  # the result of a call, an element: there is no identifier to ask at
        yield Site(place, CALL, name, shape_of(callee, around), source.text(place.line))


def _imports(source: Source) -> Iterator[Site]:
    for node in ast.walk(source.tree):
        if isinstance(node, ast.ImportFrom) and node.module != "__future__":
            shape = "relative import" if node.level else "absolute import"
            for alias in node.names:
                if alias.name != "*":
                    place = _place(source, alias)
                    yield Site(place, IMPORT, alias.name, shape, source.text(place.line))


def _with_scopes(top: ast.AST) -> Iterator[tuple[ast.AST, tuple[ast.AST, ...]]]:
    """Each node with the definitions around it, the innermost last; in no particular order."""
    waiting: list[tuple[ast.AST, tuple[ast.AST, ...]]] = [(top, ())]
    while waiting:
        node, around = waiting.pop()
        yield node, around
        inner = (*around, node) if isinstance(node, SCOPES) else around
        waiting.extend((child, inner) for child in ast.iter_child_nodes(node))


def _place(source: Source, node: ast.expr | ast.alias) -> SourceSpan:
    return SourceSpan(source.path, node.lineno, node.col_offset + 1)


def _last_part(source: Source, node: ast.Attribute) -> SourceSpan:
    return SourceSpan(source.path, node.end_lineno or 0, (node.end_col_offset or 0) - len(node.attr.encode()) + 1)


def _place_of_alias(source: Source, node: ast.alias) -> SourceSpan:
    name = node.asname or node.name
    return SourceSpan(source.path, node.end_lineno or 0, (node.end_col_offset or 0) - len(name.encode()) + 1)
