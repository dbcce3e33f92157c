"""Which classes are made by the constructor of another class: a checker that lands on a constructor means any of them.

Bases are told by their last names alone, which is enough here: it only says which answers count as the same.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Collection, Iterable
from typing import NamedTuple

CONSTRUCTORS = ("__init__", "__new__")


class Class(NamedTuple):
    """A class as this question sees it."""

    number: int
    name: str
    bases: tuple[str, ...]
    constructors: frozenset[str]
    """Those that it defines itself."""


def class_of(number: int, node: ast.ClassDef) -> Class:
    """A class by its syntax; the number is the asker's own."""
    own = {child.name for child in node.body if isinstance(child, ast.FunctionDef)}
    bases = tuple(name for base in node.bases if (name := _last_name(base)))
    return Class(number, node.name, bases, frozenset(own.intersection(CONSTRUCTORS)))


def heirs(classes: Collection[Class]) -> dict[tuple[int, str], frozenset[int]]:
    """For each class and constructor of its own: the classes below it that have no other one of that name."""
    below: dict[str, list[Class]] = defaultdict(list)
    for one in classes:
        for base in one.bases:
            below[base].append(one)
    return {(one.number, name): frozenset(_heirs(one, name, below)) for one in classes for name in one.constructors}


def _heirs(top: Class, constructor: str, below: dict[str, list[Class]]) -> Iterable[int]:
    found: set[int] = set()
    waiting = [top]
    while waiting:
        for child in below.get(waiting.pop().name, ()):
            if child.number not in found and child.number != top.number and constructor not in child.constructors:
                found.add(child.number)
                waiting.append(child)
    return found


def _last_name(base: ast.expr) -> str:
    match base:
        case ast.Attribute(attr=name) | ast.Name(id=name):
            return name
        case ast.Subscript(value=value):
            return _last_name(value)
    return ""
