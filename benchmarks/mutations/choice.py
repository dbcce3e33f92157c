"""Which functions of a package are changed, and how: by chance, from a seed.

A function counts when a checker finds a use of it. What the changes are is left to `changes`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from random import Random

from benchmarks.mutations.changes import CHANGES
from benchmarks.mutations.mutants import WRITTEN, Kind, Mutant
from benchmarks.mutations.sources import Function, Scope, Source, last_name

MAX_SCOPES = 25
MAX_FILES = 8
"""What is mentioned in more places costs the checkers too much."""
RARE = (Kind.NO_STATIC, Kind.NO_PROPERTY, Kind.PROPERTY, Kind.STATIC, Kind.RENAME_PARAMETER, Kind.MOVE, Kind.MOVE_KEPT)
"""Kinds that fit few functions, taken wherever they fit."""


class Sources:
    """All files of a package, with what the others say about a function."""

    def __init__(self, files: Mapping[str, bytes]) -> None:
        self.files = {path: Source(path, data) for path, data in files.items()}
        self._renamed: dict[str, set[str]] = {}
        self._heirs: dict[str, set[str]] = {}
        self._passed: dict[str, set[str]] = {}
        self._bound: dict[str, int] = {}
        self._mentioning: dict[str, set[Scope]] = {}
        for source in self.files.values():
            for node in ast.walk(source.tree):
                self._read(node)
            for scope, names in source.mentions.items():
                for name in names:
                    self._mentioning.setdefault(name, set()).add(scope)

    def functions(self) -> Iterator[Function]:
        """Those that a user may call by their name: plain names, and constructors."""
        for source in self.files.values():
            for function in source.functions():
                is_special = function.name.startswith("__") and function.name.endswith("__")
                if not is_special or function.is_constructor:
                    yield function

    def words(self, function: Function) -> frozenset[str]:
        """The names that a use of a function mentions: its own or its class's, and what imports rename it to."""
        names = {function.name}
        if function.is_constructor:
            names |= _closure({function.owner.rpartition(".")[2]}, self._heirs)
        return frozenset(_closure(names, self._renamed))

    def scopes(self, words: Iterable[str]) -> set[Scope]:
        """The scopes that mention one of some names."""
        return set[Scope]().union(*(self._mentioning.get(word, ()) for word in words))

    def defined(self, name: str) -> int:
        """How often the package binds a name, or sets an attribute of that name."""
        return self._bound.get(name, 0)

    def passed(self, function: Function) -> frozenset[str]:
        """The names of arguments that calls of that name pass; `**` when some cannot be known."""
        words = self.words(function) | ({"cls", "super"} if function.is_constructor else set())
        return frozenset[str]().union(*(self._passed.get(word, ()) for word in words))

    def _read(self, node: ast.AST) -> None:
        if isinstance(node, ast.ImportFrom):
            for alias in node.names:
                if alias.asname:
                    self._renamed.setdefault(alias.name, set()).add(alias.asname)
        elif isinstance(node, ast.ClassDef):
            for base in node.bases:
                self._heirs.setdefault(last_name(base), set()).add(node.name)
        elif isinstance(node, ast.Call):
            given = {keyword.arg or "**" for keyword in node.keywords}
            called = node.args[:1] if last_name(node.func) == "partial" else [node.func]
            for each in called:
                self._passed.setdefault(last_name(each), set()).update(given)
        for name in _bound_names(node):
            self._bound[name] = self._bound.get(name, 0) + 1


def _closure(names: set[str], further: Mapping[str, set[str]]) -> set[str]:
    found, waiting = set(names), list(names)
    while waiting:
        more = further.get(waiting.pop(), set()) - found
        found |= more
        waiting += more
    return found


def candidates(sources: Sources, seed: str) -> list[Function]:
    """The functions that are mentioned, in an order of chance."""
    found = [function for function in sources.functions() if _is_used(sources, function)]
    Random(seed).shuffle(found)
    return found


def mutants_of(sources: Sources, function: Function, seed: str, most: int) -> list[Mutant]:
    """Some mutants of a function; kinds that seldom fit come first."""
    chance = Random(f"{seed} {function.path} {function.qualified}")
    kinds = [kind for kind in CHANGES if kind not in WRITTEN]
    chance.shuffle(kinds)
    kinds.sort(key=lambda kind: kind not in RARE)
    found: list[Mutant] = []
    for kind in kinds:
        made = mutant_of(sources, function, kind, chance)
        if made is not None and len(found) < most:
            found.append(made)
    return found


def mutant_of(sources: Sources, function: Function, kind: Kind, chance: Random) -> Mutant | None:
    """A function changed in one way; None where that cannot be done."""
    if function.is_constructor and kind in (Kind.ASYNC, Kind.PROPERTY, Kind.STATIC, Kind.RENAME, Kind.REMOVE):
        return None
    source = sources.files[function.path]
    made = CHANGES[kind](source, function, chance, sources.passed(function))
    if made is None:
        return None
    return Mutant(kind, function, made[0], made[1], sources.words(function))


def _is_used(sources: Sources, function: Function) -> bool:
    own = {function.scope}
    scopes = {
        scope
        for scope in sources.scopes(sources.words(function))
        if scope not in own and not scope.name.startswith(f"{function.qualified}.")
    }
    return 0 < len(scopes) <= MAX_SCOPES and len({scope.path for scope in scopes}) <= MAX_FILES


def _bound_names(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        yield node.name
    elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
        yield node.id
    elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
        yield node.attr
