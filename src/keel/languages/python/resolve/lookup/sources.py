"""Sources: a file's facts with the indexes that evaluation needs, among them what the result of a function depends on.

The arguments of other parameters need not be known to evaluate what a function returns; that is decided by the
expression IR alone. What the facts mean is left to `evaluator`.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple, Protocol, cast

from msgspec.structs import replace

from keel.languages.python.facts import CELLS, Def, Interface
from keel.languages.python.forms import ATTR, BOUND, CALL, CHAIN, EXCLUDED, LAMBDA, NARROWED, PARAM, SUBSCRIPT, operands
from keel.languages.python.forms import DEFINED as DEFINED_OP
from keel.languages.python.resolve.parameters import Taking, taking
from keel.model.facts import AUGMENTED, DEFINED, GROWN, MODULE_DEF, STATIC, Site
from keel.model.kinds import NodeKind

BY_NAME = frozenset(("getattr", "get", "pop", "setdefault", "__getitem__"))
"""Operations that look something up by a text argument."""


class Body(Protocol):
    """What is asked of a file."""

    ir: list[int]
    strings: list[str]
    defs: list[Def]

    @property
    def returns(self) -> Mapping[int, Sequence[tuple[int, int]]]:
        """What each function returns: expression and how."""


class Needs(NamedTuple):
    """Parameters by index."""

    values: frozenset[int]
    """Those that the result depends on."""
    keys: frozenset[int]
    """Those whose text may select one of several values."""


def find_needs(source: Body, function: int) -> Needs:
    """The recipe: everything that is returned, and what that is made of."""
    ir = source.ir
    seen: set[int] = set()
    found: set[int] = set()
    keys: set[int] = set()
    stack = [expr for expr, _ in source.returns.get(function, ())]
    while stack:
        expr = stack.pop()
        if expr < 0 or expr in seen:
            continue
        seen.add(expr)
        op = ir[expr]
        if op == PARAM:
            if ir[expr + 1] == function:
                found.add(ir[expr + 2])
        elif op == BOUND and _is_part_of_receiver(source, expr, function):
            continue
        elif op == DEFINED_OP:
            # an inner function represents what it wraps
            stack += source.defs[ir[expr + 1]].decorators
        else:
            keys.update(_as_keys(source, expr, function))
            stack += operands(ir, expr)
    return Needs(frozenset(found), frozenset(keys & found))


def _as_keys(source: Body, expr: int, function: int) -> Iterator[int]:
    """Parameters used where a text selects something: subscripts, `getattr`, functions of the same file."""
    ir = source.ir
    if ir[expr] == SUBSCRIPT:
        candidates = [ir[expr + 2]]
    elif ir[expr] == CALL and _looks_up(source, ir[expr + 1]):
        candidates = list(operands(ir, expr)[1:])
    else:
        return
    for one in candidates:
        value = _behind_names(source, one)
        if value >= 0 and ir[value] == PARAM and ir[value + 1] == function:
            yield ir[value + 2]


def _behind_names(source: Body, expr: int) -> int:
    """The value behind names, without later narrowing."""
    ir = source.ir
    while expr >= 0:
        if ir[expr] == BOUND and ir[expr + 3] == 0:
            expr = ir[expr + 2]
        elif ir[expr] in (NARROWED, EXCLUDED):
            expr = ir[expr + 1]
        else:
            break
    return expr


def _looks_up(source: Body, callee: int) -> bool:
    callee = _behind_names(source, callee)
    if callee < 0:
        return False
    ir = source.ir
    op = ir[callee]
    if op in (DEFINED_OP, LAMBDA):
        return True
    if op == ATTR:
        return source.strings[ir[callee + 2]] in BY_NAME
    if op not in (CHAIN, BOUND):
        return False
    text = source.strings[ir[callee + 1]]
    return text.rpartition(".")[2] in BY_NAME or (op == CHAIN and ir[callee + 2] >= 0 and "." not in text)


def _is_part_of_receiver(source: Body, expr: int, function: int) -> bool:
    """Whether a value is an attribute of a method's receiver: the same for whatever class it is called on."""
    ir = source.ir
    base = ir[expr + 2]
    if base < 0 or ir[base] != PARAM or ir[base + 1] != function or ir[base + 2] != 0:
        return False
    text = source.strings[ir[expr + 1]]
    return source.defs[function].kind == NodeKind.METHOD and "." in text and not text.endswith(".__class__")


METHOD, CLASS = NodeKind.METHOD, NodeKind.CLASS


ExprIndex = dict[tuple[int, str], list[int]]
"""Expressions of values, by scope and name."""


class Source:
    """One file, ready for questions about values."""

    def __init__(self, interface: Interface, strings: list[str] | None = None) -> None:
        # an array takes a tenth of the memory of a list, and a whole project is held
        ir = cast("list[int]", array("i", interface.ir))
        strings = interface.strings if strings is None else strings
        self.interface = interface = replace(interface, ir=ir, strings=strings)
        self.ir = ir
        self.strings = interface.strings
        self.defs = interface.defs

    @cached_property
    def returns(self) -> dict[int, list[tuple[int, int]]]:
        """What each function returns: expression and how."""
        found: dict[int, list[tuple[int, int]]] = {}
        for item in self.interface.returns:
            found.setdefault(item.scope, []).append((item.value, item.how))
        return found

    @cached_property
    def bindings(self) -> dict[tuple[int, str], list[Site]]:
        """The sites of each name, by scope and name."""
        strings = self.strings
        found: dict[tuple[int, str], list[Site]] = {}
        for binding in self.interface.bindings:
            sites = found.setdefault((binding.scope, strings[binding.name]), [])
            sites += binding.sites
        return found

    @cached_property
    def stores(self) -> dict[tuple[int, str], list[int]]:
        """Values that methods set on their receiver, by class and attribute."""
        return self._stores[0]

    @cached_property
    def grown(self) -> dict[tuple[int, str], list[int]]:
        """Elements that are added to the containers that attributes and module-level names hold."""
        return self._stores[1]

    def label(self, ordinal: int) -> str:
        """A definition within its file."""
        definition = self.defs[ordinal]
        return f"{self.strings[definition.qualified_name]}#{definition.occurrence}"

    def field_names(self, ordinal: int) -> list[str]:
        """The annotated fields in the body of a class, in order."""
        return [
            self.strings[definition.name]
            for definition in self.defs
            if definition.parent == ordinal and definition.type >= 0 and definition.kind == NodeKind.FIELD
        ]

    @cached_property
    def extended(self) -> ExprIndex:
        """Containers that are added to those of attributes and module-level names by `+=`."""
        return self._stores[2]

    @cached_property
    def by_name(self) -> dict[tuple[str, int], int]:
        """Definitions by qualified name and occurrence."""
        strings = self.strings
        return {
            (strings[definition.qualified_name], definition.occurrence): ordinal
            for ordinal, definition in enumerate(self.defs)
        }

    @cached_property
    def fields(self) -> dict[tuple[int, str], int]:
        """Fields and constants by scope and name, the first of each name: they have the annotations."""
        found: dict[tuple[int, str], int] = {}
        for ordinal, definition in enumerate(self.defs):
            if definition.type >= 0:
                found.setdefault((definition.parent, self.strings[definition.name]), ordinal)
        return found

    @cached_property
    def _stores(self) -> tuple[ExprIndex, ExprIndex, ExprIndex]:
        stores: dict[tuple[int, str], list[int]] = {}
        grown: dict[tuple[int, str], list[int]] = {}
        extended: dict[tuple[int, str], list[int]] = {}
        for assign in self.interface.assigns:
            key = self.owner(assign.target)
            if key is None and assign.how in (AUGMENTED, GROWN):
                key = self._of_class(assign.target)
            if key is None or assign.value < 0:
                continue
            if assign.how == AUGMENTED:
                extended.setdefault(key, []).append(assign.value)
                continue
            into = grown if assign.how == GROWN else stores
            if into is grown or key[0] != MODULE_DEF:
                into.setdefault(key, []).append(assign.value)
        return stores, grown, extended

    def owner(self, target: int) -> tuple[int, str] | None:
        """The class and attribute, or the module and name, that a target denotes."""
        if target < 0:
            return None
        ir = self.ir
        op = ir[target]
        if op not in (BOUND, CHAIN):
            return None
        first, _, rest = self.strings[ir[target + 1]].partition(".")
        if op == CHAIN:
            root = ir[target + 2]
            if root >= 0 and not rest and self.interface.bindings[root].scope == MODULE_DEF:
                return MODULE_DEF, first
            exprs = self.interface.cells[CELLS - root] if root <= CELLS else []
            base = exprs[0] if len(exprs) == 1 else -1
        else:
            base = ir[target + 2]
        if not rest or "." in rest or base < 0 or ir[base] != PARAM or ir[base + 2] != 0:
            return None
        method = self.defs[ir[base + 1]]
        if method.kind != METHOD or method.flags & STATIC or self.defs[method.parent].kind != CLASS:
            return None
        return method.parent, rest

    def _of_class(self, target: int) -> tuple[int, str] | None:
        """The class and attribute of a target that names both: `Codec.known`."""
        ir = self.ir
        if target < 0 or ir[target] not in (BOUND, CHAIN):
            return None
        _, _, name = self.strings[ir[target + 1]].partition(".")
        if not name or "." in name:
            return None
        ordinal = -1
        if ir[target] == BOUND:
            base = ir[target + 2]
            ordinal = ir[base + 1] if base >= 0 and ir[base] == DEFINED_OP else -1
        elif ir[target + 2] >= 0:
            sites = self.interface.bindings[ir[target + 2]].sites
            ordinal = sites[0].target if len(sites) == 1 and sites[0].what == DEFINED else -1
        return (ordinal, name) if ordinal >= 0 and self.defs[ordinal].kind == CLASS else None

    def needs(self, function: int) -> Needs:
        """The parameters that the result of a function depends on."""
        known = self._needs.get(function)
        if known is None:
            known = self._needs[function] = find_needs(self, function)
        return known

    @cached_property
    def _needs(self) -> dict[int, Needs]:
        return {}

    def takes(self, function: int) -> Taking:
        """What the parameter list of a function takes."""
        known = self._takes.get(function)
        if known is None:
            signature = self.defs[function].signature
            params = signature.params if signature else []
            names = [self.strings[param.name] for param in params]
            known = self._takes[function] = taking([param.kind for param in params], names)
        return known

    @cached_property
    def _takes(self) -> dict[int, Taking]:
        return {}
