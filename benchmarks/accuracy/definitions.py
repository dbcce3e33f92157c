"""The functions and classes of a package, and which of them count as the same thing.

A class, its `__init__` and its `__new__` are one: tools name any of them for a construction. So are the overloads of a
function with its implementation, and the accessors of a property. A definition is where its name is, whatever
decorators are above it.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from benchmarks.accuracy.heirs import CONSTRUCTORS, class_of, heirs
from benchmarks.accuracy.sites import Source, SourceSpan

TOGETHER = ("overload", "setter", "deleter", "getter")
"""The last names of decorators that make definitions of one name one thing."""
HEAD = re.compile(rb"(?:async\s+)?(?:def|class)\s+")

Function = ast.FunctionDef | ast.AsyncFunctionDef
Definition = Function | ast.ClassDef


class DefinitionGroup(NamedTuple):
    """What definitions that count as the same have in common: where the first of them is, and its name."""

    path: str
    line: int
    name: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line} {self.name}"


@dataclass(frozen=True, slots=True)
class Definitions:
    """The definitions of a package by the place of their names, and by line and name, as keel tells them."""

    by_place: dict[SourceSpan, DefinitionGroup]
    by_line: dict[tuple[str, int, str], DefinitionGroup]
    heirs: dict[SourceSpan, frozenset[DefinitionGroup]]
    """By the place of a constructor's name: the classes that inherit it."""

    def module(self, path: str) -> DefinitionGroup:
        """A file as a thing that can be imported."""
        return DefinitionGroup(path, 0, "<module>")


def definitions(files: Iterable[Source]) -> Definitions:
    """All functions and classes of some files, methods and nested ones included."""
    found = [(source, node, thing) for source in files for node, thing in _of_scope(source, source.tree, "", None)]
    return Definitions(
        by_place={_name_place(source, node): thing for source, node, thing in found},
        by_line={(source.path, node.lineno, node.name): thing for source, node, thing in found},
        heirs=_heirs(found),
    )


def _heirs(found: list[tuple[Source, Definition, DefinitionGroup]]) -> dict[SourceSpan, frozenset[DefinitionGroup]]:
    """The heirs of each constructor, by its place."""
    classes = [class_of(number, node) for number, (_, node, _) in enumerate(found) if isinstance(node, ast.ClassDef)]
    places = {
        (thing, node.name): _name_place(source, node) for source, node, thing in found if node.name in CONSTRUCTORS
    }
    return {
        place: frozenset(found[heir][2] for heir in numbers)
        for (number, name), numbers in heirs(classes).items()
        if (place := places.get((found[number][2], name))) is not None
    }


def _of_scope(
    source: Source, scope: ast.AST, prefix: str, around: DefinitionGroup | None
) -> Iterator[tuple[Definition, DefinitionGroup]]:
    """The definitions in a scope and, below them, in theirs; `around` is the class whose body this is."""
    by_name: dict[str, list[Definition]] = defaultdict(list)
    for node in _defined(scope):
        by_name[node.name].append(node)
    for name, nodes in by_name.items():
        together = any(_last_name(decorator) in TOGETHER for node in nodes for decorator in node.decorator_list)
        for node in nodes:
            first = nodes[0] if together else node
            thing = DefinitionGroup(source.path, first.lineno, prefix + name)
            constructs = around is not None and name in CONSTRUCTORS
            yield node, around if constructs and around is not None else thing
            yield from _of_scope(source, node, f"{thing.name}.", thing if isinstance(node, ast.ClassDef) else None)


def _defined(scope: ast.AST) -> Iterator[Definition]:
    """The definitions of a scope itself, inside conditions and the like too."""
    for child in ast.iter_child_nodes(scope):
        if isinstance(child, Definition):
            yield child
        else:
            yield from _defined(child)


def _last_name(decorator: ast.expr) -> str:
    match decorator:
        case ast.Attribute(attr=name) | ast.Name(id=name):
            return name
    return ""


def _name_place(source: Source, node: Definition) -> SourceSpan:
    head = HEAD.match(source.lines[node.lineno - 1], node.col_offset)
    return SourceSpan(source.path, node.lineno, (head.end() if head else node.col_offset) + 1)
