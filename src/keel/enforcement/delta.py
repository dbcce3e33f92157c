"""The delta: which definitions of the changed files are removed, new, or have another contract.

Definitions are paired by their qualified name. Which callers rely on them is left to the modules of
`enforcement/breaks`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from keel.enforcement.graphs import CurrentGraph, Facts
from keel.model.facts import (
    ABSTRACT,
    ACCESSOR,
    ASYNC,
    CLASSMETHOD,
    GENERATOR,
    INSTANCE,
    MODULE_DEF,
    OVERLOAD,
    PROPERTY,
    STATIC,
    Interface,
)
from keel.model.kinds import EdgeKind, NodeKind
from keel.model.refs import DefRef
from keel.model.signatures import chain_text, signature_key
from keel.model.syntax import Syntax

KIND_FLAGS = ASYNC | GENERATOR | STATIC | CLASSMETHOD | PROPERTY | ABSTRACT | OVERLOAD
FUNCTIONS = (NodeKind.FUNCTION, NodeKind.METHOD)
NAMED = (*FUNCTIONS, NodeKind.CLASS, NodeKind.CONSTANT, NodeKind.FIELD)


class Pair(NamedTuple):
    """A definition in base and its current counterpart; None where it does not exist."""

    before: DefRef | None
    after: DefRef | None


class Delta(NamedTuple):
    """The difference between the base graph and the current graph."""

    changed: frozenset[int]
    """Files whose text differs."""
    gone: list[DefRef]
    """Definitions of base that were removed, the outermost ones only; of a removed file, its module."""
    altered: list[Pair]
    """Definitions whose contract differs, and those that derive theirs from one of these."""
    is_new: dict[DefRef, bool]
    """For every definition of the changed files: whether it is new or its content differs from base."""
    moved: frozenset[DefRef] = frozenset()
    """Those of them that base has, word for word, in a removed file or class: renamed, or moved."""


def delta_of(base: Facts, now: CurrentGraph, changed: Iterable[int], syntax: Syntax) -> Delta:
    """Compares the changed files, definition by definition."""
    files = sorted(changed)
    gone: list[DefRef] = []
    altered: dict[DefRef, Pair] = {}
    is_new: dict[DefRef, bool] = {}
    for file in files:
        if not now.facts.has(file):
            gone.append(DefRef(file, MODULE_DEF))
            continue
        for pair in _pairs(base, now.facts, file):
            if pair.after is None and pair.before is not None:
                # a file with a syntax error may still have what was not found in it
                if not now.facts.interface(file).gaps and _is_reachable(base, now.facts, pair.before, syntax):
                    gone.append(pair.before)
            elif pair.after is not None:
                is_new[pair.after] = pair.before is None or _content(base, pair.before) != _content(
                    now.facts, pair.after
                )
                if pair.before is not None and _contract(base, pair.before, syntax) != _contract(
                    now.facts, pair.after, syntax
                ):
                    altered[pair.after] = pair
    for spot in _heirs(now, list(altered)):
        altered.setdefault(spot, Pair(base.named(spot.file, now.facts.name(spot)), spot))
    moved = _moved(base, now.facts, files) | _moved_along(base, now.facts, files, syntax)
    return Delta(frozenset(files), gone, list(altered.values()), is_new, moved)


def _moved(base: Facts, now: Facts, files: Iterable[int]) -> frozenset[DefRef]:
    """Definitions of new files that a removed file had, under the same name and with the same text."""
    lost = [file for file in files if not now.has(file)]
    held = {each for file in lost for each, _ in _contents(base, file)}
    new = [file for file in files if now.has(file) and not base.has(file)] if held else []
    return frozenset(spot for file in new for each, spot in _contents(now, file) if each in held)


def _moved_along(base: Facts, now: Facts, files: Sequence[int], syntax: Syntax) -> frozenset[DefRef]:
    """Members of new classes that a removed class had with the same text: of several, the class with the most in
    common.
    """
    gone = [_members(base, each, syntax).keys() for each in _classes_only_in(base, now, files)]
    found: set[DefRef] = set()
    for each in _classes_only_in(now, base, files) if gone else ():
        members = _members(now, each, syntax)
        same = max((members.keys() & was for was in gone), key=len)
        found.update(members[one] for one in same)
    return frozenset(found)


def _classes_only_in(facts: Facts, other: Facts, files: Iterable[int]) -> Iterator[DefRef]:
    """The classes of some files that the other graph does not have by that name."""
    for file in files:
        for ordinal, each in enumerate(facts.interface(file).defs) if facts.has(file) else ():
            spot = DefRef(file, ordinal)
            if each.kind == NodeKind.CLASS and other.named(file, facts.name(spot)) is None:
                yield spot


def _members(facts: Facts, ref: DefRef, syntax: Syntax) -> dict[tuple[object, ...], DefRef]:
    """The members of a class, by their name in it, their occurrence and their content."""
    interface = facts.interface(ref.file)
    inside = f"{interface.text(interface.defs[ref.ordinal].qualified_name)}{syntax.separator}"
    found: dict[tuple[object, ...], DefRef] = {}
    for ordinal in range(ref.ordinal + 1, len(interface.defs)):
        member = DefRef(ref.file, ordinal)
        name, number = facts.name(member)
        if name.startswith(inside):
            found[name.removeprefix(inside), number, *_content(facts, member)] = member
    return found


def _contents(facts: Facts, file: int) -> Iterator[tuple[tuple[object, ...], DefRef]]:
    for ordinal in range(MODULE_DEF + 1, len(facts.interface(file).defs)):
        spot = DefRef(file, ordinal)
        yield (*facts.name(spot), *_content(facts, spot)), spot


def _pairs(base: Facts, now: Facts, file: int) -> Iterator[Pair]:
    after = range(1, len(now.interface(file).defs))
    for ordinal in after:
        spot = DefRef(file, ordinal)
        yield Pair(base.named(file, now.name(spot)), spot)
    if base.has(file):
        for ordinal in range(1, len(base.interface(file).defs)):
            spot = DefRef(file, ordinal)
            if now.named(file, base.name(spot)) is None:
                yield Pair(spot, None)


def _is_reachable(base: Facts, now: Facts, ref: DefRef, syntax: Syntax) -> bool:
    """Whether other code can name a definition of base, its scope still exists, and nothing else binds its name."""
    interface = base.interface(ref.file)
    definition = interface.defs[ref.ordinal]
    around = interface.defs[definition.parent]
    if definition.kind not in NAMED or around.kind not in (NodeKind.MODULE, NodeKind.CLASS):
        return False
    scope = now.named(ref.file, base.name(DefRef(ref.file, definition.parent)))
    if scope is None:
        return False
    if definition.flags & ACCESSOR:
        return is_lost_setter(base, now, ref, syntax)
    return interface.text(definition.name) not in now.interface(ref.file).names_of(scope.ordinal)


def is_lost_setter(base: Facts, now: Facts, ref: DefRef, syntax: Syntax) -> bool:
    """Whether a definition of base is the setter of a property that no longer has one."""
    interface = base.interface(ref.file)
    if not _is_setter(interface, ref.ordinal, syntax) or not now.has(ref.file):
        return False
    there = now.interface(ref.file)
    name, _ = base.name(ref)
    alike = [number for number, each in enumerate(there.defs) if there.text(each.qualified_name) == name]
    is_property = any(there.defs[each].flags & PROPERTY for each in alike)
    return is_property and not any(_is_setter(there, each, syntax) for each in alike)


def _is_setter(interface: Interface, ordinal: int, syntax: Syntax) -> bool:
    definition = interface.defs[ordinal]
    said = [chain_text(interface, place) for place in definition.decorators if definition.flags & ACCESSOR]
    ending = syntax.setter_decorator
    return bool(ending) and any(each.endswith(ending) for each in said)


def _content(facts: Facts, ref: DefRef) -> tuple[int, str]:
    interface = facts.interface(ref.file)
    definition = interface.defs[ref.ordinal]
    return definition.body_hash, interface.text(definition.doc)


def _contract(facts: Facts, ref: DefRef, syntax: Syntax) -> tuple[object, ...]:
    """What the users of a definition rely on, as far as its own text shows it."""
    interface = facts.interface(ref.file)
    definition = interface.defs[ref.ordinal]
    if definition.kind not in (*FUNCTIONS, NodeKind.CLASS):
        return ()
    own = (
        definition.kind,
        signature_key(interface, definition),
        definition.flags & KIND_FLAGS,
        tuple(chain_text(interface, place) for place in definition.decorators),
    )
    return (*own, *_made_of(interface, ref.ordinal, syntax)) if definition.kind == NodeKind.CLASS else own


def _made_of(interface: Interface, ordinal: int, syntax: Syntax) -> Iterator[object]:
    """What determines the constructor of a class: its fields, and the methods that a construction runs."""
    for each in interface.defs:
        if each.parent != ordinal:
            continue
        name = interface.text(each.name)
        if each.kind == NodeKind.FIELD and not each.flags & INSTANCE:
            yield name, each.body_hash
        elif syntax.is_constructor(name, each.kind) or name in syntax.call_operators:
            yield signature_key(interface, each)


def _heirs(now: CurrentGraph, altered: list[DefRef]) -> list[DefRef]:
    """Subclasses of altered classes, and functions that altered ones decorate: their contract may differ too."""
    found: dict[DefRef, None] = {}
    waiting = list(altered)
    while waiting:
        spot = waiting.pop()
        kind = now.node(spot).kind
        wanted = EdgeKind.INHERITS if kind == NodeKind.CLASS else EdgeKind.DECORATES
        for edge in now.into(spot):
            heir = DefRef(edge.file, edge.source)
            if edge.kind == wanted and heir not in found:
                found[heir] = None
                if kind == NodeKind.CLASS:
                    waiting.append(heir)
    return list(found)
