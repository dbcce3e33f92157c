"""What follows from a use and a changed function by Python's own rules, where type checkers are silent.

Calls are bound by `inspect.signature` to a function with the changed parameters, made for the purpose. Who is used
where is taken from the checkers' references; keel has no part in it.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from benchmarks.mutations.changes import has_receiver
from benchmarks.mutations.checkers import Position
from benchmarks.mutations.choice import Sources
from benchmarks.mutations.mutants import GONE, Kind, Mutant, applied
from benchmarks.mutations.sources import Def, Function, Scope, Source, last_name

BINDING = (
    Kind.RENAME_PARAMETER,
    Kind.ADD_REQUIRED,
    Kind.REMOVE_PARAMETER,
    Kind.STATIC,
    Kind.NO_STATIC,
    Kind.RENAME_UNNAMED,
    Kind.ADD_OPTIONAL,
)
TRANSPARENT = ("staticmethod", "classmethod", "contextmanager", "lru_cache", "cache", "abstractmethod", "overload")
"""Decorators that leave alone how a function is called."""


class Use(NamedTuple):
    """A name in the source, with what is around it."""

    node: ast.AST
    parents: tuple[ast.AST, ...]
    """From the innermost."""

    @property
    def call(self) -> ast.Call | None:
        """The call of it."""
        parent = self.parents[0] if self.parents else None
        return parent if isinstance(parent, ast.Call) and parent.func is self.node else None


def uses(source: Source) -> dict[tuple[int, int], Use]:
    """Every name of a file by where it is."""
    found: dict[tuple[int, int], Use] = {}
    stack: list[tuple[ast.AST, tuple[ast.AST, ...]]] = [(source.tree, ())]
    while stack:
        node, parents = stack.pop()
        if isinstance(node, ast.Name | ast.alias):
            found[node.lineno, node.col_offset] = Use(node, parents)
        elif isinstance(node, ast.Attribute) and node.end_col_offset is not None:
            found[node.end_lineno or 0, node.end_col_offset - len(node.attr.encode())] = Use(node, parents)
        stack += [(child, (node, *parents[:2])) for child in ast.iter_child_nodes(node)]
    return found


class Reasoning:
    """Uses of functions of one package."""

    def __init__(self, sources: Sources) -> None:
        self._sources = sources
        self._uses: dict[str, dict[tuple[int, int], Use]] = {}
        self._classes = {
            node.name
            for source in sources.files.values()
            for node in ast.walk(source.tree)
            if isinstance(node, ast.ClassDef)
        }

    def broken(self, mutant: Mutant, places: Iterable[Position]) -> set[Scope]:
        """The scopes in which a use at one of some places is broken for sure."""
        return {scope for scope, use in self._used(mutant, places) if self._is_broken(mutant, use)}

    def _used(self, mutant: Mutant, places: Iterable[Position]) -> Iterator[tuple[Scope, Use]]:
        for place in places:
            source = self._sources.files.get(place.path)
            if source is None or b"type: ignore" in source.data[slice(*source.starts[place.line - 1 : place.line + 1])]:
                continue
            if place.path not in self._uses:
                self._uses[place.path] = uses(source)
            use = self._uses[place.path].get((place.line, place.column))
            scope = source.scope_at(place.line)
            if use is not None and not mutant.is_own(scope):
                yield scope, use

    def _is_broken(self, mutant: Mutant, use: Use) -> bool:
        function = mutant.function
        if mutant.kind in GONE:
            return self._is_the_only_one(function)
        if set(function.decorators) - {*TRANSPARENT, "property"}:
            return False  # what a decorator makes of it is not known
        if mutant.kind is Kind.NO_PROPERTY:
            return self._is_the_only_one(function) and isinstance(getattr(use.node, "ctx", None), ast.Load)
        if use.call is None:
            return False
        if mutant.kind is Kind.ASYNC:
            return not isinstance(use.parents[1], ast.Await)
        if mutant.kind is Kind.PROPERTY:
            return True
        if mutant.kind is Kind.REORDER:
            return _takes_another_place(mutant, use.call, self._given_before(function, use))
        return mutant.kind in BINDING and self._is_unbound(mutant, use.call, use)

    def _is_the_only_one(self, function: Function) -> bool:
        """Whether the name can mean nothing else once the function is gone."""
        return self._sources.defined(function.name) == 1

    def _given_before(self, function: Function, use: Use) -> int:
        """How many parameters are filled before the arguments of a call."""
        if not has_receiver(function):
            return 0
        if function.is_constructor and last_name_of(use.node) != "__init__":
            return 1
        owner = use.node.value if isinstance(use.node, ast.Attribute) else None
        through_class = isinstance(owner, ast.Name) and owner.id in self._classes
        return 0 if through_class and "classmethod" not in function.decorators else 1

    def _is_unbound(self, mutant: Mutant, call: ast.Call, use: Use) -> bool:
        if any(isinstance(arg, ast.Starred) for arg in call.args) or any(key.arg is None for key in call.keywords):
            return False
        now = changed(mutant, self._sources)
        if now is None:
            return False
        before = self._given_before(mutant.function, use)
        after = self._given_before(now, use)
        return _binds(mutant.function.node, call, before) and not _binds(now.node, call, after)


def changed(mutant: Mutant, sources: Sources) -> Function | None:
    """The function as it is after the change."""
    files = {mutant.function.path: sources.files[mutant.function.path].data}
    source = Source(mutant.function.path, applied(files, [mutant])[mutant.function.path])
    return next((each for each in source.functions() if each.qualified == mutant.function.qualified), None)


def last_name_of(node: ast.AST) -> str:
    """The last name of an expression."""
    return last_name(node) if isinstance(node, ast.expr) else ""


def _binds(node: Def, call: ast.Call, before: int) -> bool:
    """Whether Python binds so many arguments and these keywords."""
    try:
        _signature(node).bind(*[None] * (before + len(call.args)), **{str(key.arg): None for key in call.keywords})
    except TypeError:
        return False
    return True


def _signature(node: Def) -> inspect.Signature:
    """The real signature of a function with the same parameters."""
    made: dict[str, object] = {}
    args = ast.parse(f"def f({ast.unparse(node.args)}): ...").body[0]
    assert isinstance(args, ast.FunctionDef), "parsed from a def"
    for arg in ast.walk(args.args):
        if isinstance(arg, ast.arg):
            arg.annotation = None
    args.args.defaults = [ast.Constant(None) for _ in args.args.defaults]
    args.args.kw_defaults = [None if each is None else ast.Constant(None) for each in args.args.kw_defaults]
    code = compile(ast.fix_missing_locations(ast.Module([args], [])), "<signature>", "exec")
    exec(code, made)
    return inspect.signature(made["f"])  # type: ignore[arg-type]  # a function was just defined


def _takes_another_place(mutant: Mutant, call: ast.Call, before: int) -> bool:
    """Whether an argument that is given by its place reaches another parameter now."""
    old = [arg.arg for arg in mutant.function.node.args.args]
    [edit] = mutant.edits
    parsed = ast.parse(f"def f({edit.text.decode()}): ...").body[0]
    assert isinstance(parsed, ast.FunctionDef), "parsed from a def"
    new = [arg.arg for arg in parsed.args.args]
    moved = min(at for at, (one, other) in enumerate(zip(old, new, strict=True)) if one != other)
    stars = any(isinstance(arg, ast.Starred) for arg in call.args)
    return not stars and before + len(call.args) > moved
