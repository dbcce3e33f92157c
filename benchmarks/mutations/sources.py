"""The source of a package as Python's own parser sees it: functions, scopes, and which names each scope mentions.

It knows nothing of keel, so that what is measured against it cannot be its own yardstick.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

MODULE = "<module>"
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
SCOPES = (*FUNCTIONS, ast.ClassDef)
Def = ast.FunctionDef | ast.AsyncFunctionDef


class Scope(NamedTuple):
    """A function, a class body or a module: the place that a call counts for."""

    path: str
    name: str


@dataclass(frozen=True)
class Function:
    """A function or method of a package."""

    path: str
    name: str
    qualified: str
    node: Def
    owner: str
    """The qualified name of the class it is a method of; empty for a function of a module."""

    @property
    def scope(self) -> Scope:
        """Itself as a scope."""
        return Scope(self.path, self.qualified)

    @property
    def is_constructor(self) -> bool:
        """Whether calling its class calls it."""
        return bool(self.owner) and self.name == "__init__"

    @property
    def decorators(self) -> tuple[str, ...]:
        """The last names of its decorators."""
        return tuple(last_name(each.func if isinstance(each, ast.Call) else each) for each in self.node.decorator_list)


class Source:
    """One file."""

    def __init__(self, path: str, data: bytes) -> None:
        self.path, self.data = path, data

    @cached_property
    def tree(self) -> ast.Module:
        """What Python's parser makes of it."""
        return ast.parse(self.data)

    @cached_property
    def starts(self) -> list[int]:
        """The offset of each line."""
        found = [0]
        for line in self.data.splitlines(keepends=True):
            found.append(found[-1] + len(line))
        return found

    def offset(self, line: int, column: int) -> int:
        """The offset of a place that the parser names."""
        return self.starts[line - 1] + column

    @cached_property
    def spans(self) -> list[tuple[int, int, str]]:
        """First and last line and name of all scopes, outer ones first."""
        return [(node.lineno, node.end_lineno or node.lineno, name) for node, name in _named(self.tree, "")]

    def scope_at(self, line: int) -> Scope:
        """The innermost scope that a line (1-based) is in."""
        found = MODULE
        for first, last, name in self.spans:
            if first <= line <= last:
                found = name
        return Scope(self.path, found)

    @cached_property
    def mentions(self) -> Mapping[Scope, frozenset[str]]:
        """The names that each scope mentions."""
        found: dict[Scope, set[str]] = {}
        for node in ast.walk(self.tree):
            for name, line in _mentioned(node):
                found.setdefault(self.scope_at(line), set()).add(name)
        return {scope: frozenset(names) for scope, names in found.items()}

    @cached_property
    def names(self) -> frozenset[str]:
        """All names that the file mentions."""
        return frozenset[str]().union(*self.mentions.values())

    @cached_property
    def statements(self) -> Mapping[int, frozenset[str]]:
        """The names that the statement mentions, by each line that it is on; of one with a body, its head."""
        found: dict[int, frozenset[str]] = {}
        for node in ast.walk(self.tree):
            if isinstance(node, ast.stmt):
                names = frozenset(_names_of(node))
                found |= dict.fromkeys(_own_lines(node), names)
        return found

    @cached_property
    def import_lines(self) -> frozenset[int]:
        """The lines of import statements."""
        nodes = [node for node in ast.walk(self.tree) if isinstance(node, ast.Import | ast.ImportFrom)]
        return frozenset(line for node in nodes for line in _own_lines(node))

    def functions(self) -> Iterator[Function]:
        """Functions of the module and methods of its classes; those inside functions are not for others."""
        classes = {name: node for node, name in _named(self.tree, "") if isinstance(node, ast.ClassDef)}
        for node, name in _named(self.tree, ""):
            owner, _, last = name.rpartition(".")
            if isinstance(node, FUNCTIONS) and (not owner or owner in classes):
                yield Function(self.path, last, name, node, owner)


def last_name(node: ast.expr) -> str:
    """`c` of `a.b.c`; nothing for what has no name."""
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _named(node: ast.AST, prefix: str) -> Iterator[tuple[ast.ClassDef | Def, str]]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, SCOPES):
            yield child, f"{prefix}{child.name}"
            yield from _named(child, f"{prefix}{child.name}.")
        else:
            yield from _named(child, prefix)


def _mentioned(node: ast.AST) -> Iterator[tuple[str, int]]:
    if isinstance(node, ast.Name):
        yield node.id, node.lineno
    elif isinstance(node, ast.Attribute):
        yield node.attr, node.end_lineno or node.lineno
        yield node.attr, node.lineno
    elif isinstance(node, ast.alias):
        yield node.name.rpartition(".")[2], node.lineno


def _own_lines(node: ast.stmt) -> range:
    inner = [child.lineno for child in ast.walk(node) if isinstance(child, ast.stmt) and child is not node]
    decorators = [each.lineno for each in getattr(node, "decorator_list", ())]
    last = min(inner) - 1 if inner else node.end_lineno or node.lineno
    return range(min([node.lineno, *decorators]), max(last, node.lineno) + 1)


def _names_of(node: ast.stmt) -> Iterator[str]:
    stack: list[ast.AST] = [node]
    while stack:
        one = stack.pop()
        yield from (name for name, _ in _mentioned(one))
        stack += [child for child in ast.iter_child_nodes(one) if not isinstance(child, ast.stmt)]
