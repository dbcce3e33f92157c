"""Changes: what may differ about a definition for its users, and where a removed one has moved to.

How changes are found is left to `signatures`. For renames and moves bodies are compared: their length, what they refer
to and in what order, what they define. The digest of facts covers the name too, so it cannot decide. A match is only
made where one candidate is far better than the others; what a finding makes of it is left to rules.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from difflib import SequenceMatcher
from enum import Enum
from typing import cast

from msgspec import Struct

from keel.languages.python.binding.bind import CallShape, Doubt, Fault, Reason
from keel.languages.python.comparison.annotations import Relation
from keel.languages.python.facts import Def, Interface
from keel.model.facts import ACCESSOR, INSTANCE, Facts, Reference
from keel.model.kinds import NodeKind


class ChangeKind(Enum):
    """What has changed."""

    REMOVED = "removed"
    """A parameter is gone."""
    RENAMED = "renamed"
    """A parameter has another name."""
    REQUIRED_ADDED = "required_added"
    """There is a new parameter without default."""
    INSERTED = "inserted"
    """There is a new positional parameter before others: their arguments shift."""
    DEFAULT_REMOVED = "default_removed"
    """A parameter has no default any more."""
    POSITIONAL_ONLY = "positional_only"
    """A parameter is no longer taken by name."""
    KEYWORD_ONLY = "keyword_only"
    """A parameter is no longer taken by position."""
    ORDER = "order"
    """Positional parameters have another order."""
    STAR_REMOVED = "star_removed"
    """`*args` is gone."""
    DOUBLE_STAR_REMOVED = "double_star_removed"
    """`**kwargs` is gone."""
    KEYWORD_TAKEN = "keyword_taken"
    """A keyword that went into `**kwargs` is now that of a positional parameter."""
    CALLS = "calls"
    """It takes other calls, in a way that no single parameter explains."""
    KIND_CHANGE = "kind_change"
    """It became or is no longer async, a generator, a property, a static or class method, …"""
    PARAMETER_TYPE = "parameter_type"
    """A parameter's annotation means another type."""
    RETURN_TYPE = "return_type"
    """The return annotation means another type."""


class Change(Struct, frozen=True):
    """One change. `name` is the parameter (or the kind of definition) it is about."""

    kind: ChangeKind
    name: str = ""
    before: str = ""
    after: str = ""
    relation: Relation | None = None
    """Of types: how the one after compares to the one before."""

    @property
    def words(self) -> str:
        """The change as a phrase: `parameter 'a' renamed to 'b'`."""
        if self.kind is ChangeKind.KIND_CHANGE:
            return f"became {self.name}" if self.after else f"is no longer {self.name}"
        unsure = "may have changed" if self.relation is Relation.NOT_KNOWN else "changed"
        return _WORDS[self.kind].format(
            name=f"'{self.name}'", before=f"'{self.before}'", after=f"'{self.after}'", changed=unsure
        )


_WORDS = {
    ChangeKind.REMOVED: "parameter {name} removed",
    ChangeKind.RENAMED: "parameter {before} renamed to {after}",
    ChangeKind.REQUIRED_ADDED: "required parameter {name} added",
    ChangeKind.INSERTED: "parameter {name} inserted before others",
    ChangeKind.DEFAULT_REMOVED: "parameter {name} has no default any more",
    ChangeKind.POSITIONAL_ONLY: "parameter {name} is positional-only now",
    ChangeKind.KEYWORD_ONLY: "parameter {name} is keyword-only now",
    ChangeKind.ORDER: "parameters in another order: {before}, now {after}",
    ChangeKind.STAR_REMOVED: "{name} takes no further positional arguments any more",
    ChangeKind.DOUBLE_STAR_REMOVED: "{name} takes no further keywords any more",
    ChangeKind.KEYWORD_TAKEN: "keyword {name} is that of a positional parameter now",
    ChangeKind.CALLS: "takes other calls than before",
    ChangeKind.PARAMETER_TYPE: "type of parameter {name} {changed} from {before} to {after}",
    ChangeKind.RETURN_TYPE: "return type {changed} from {before} to {after}",
}


class Comparison(Struct, frozen=True):
    """What has changed between two versions of a definition."""

    changes: tuple[Change, ...] = ()
    broken: CallShape | None = None
    """A call that fitted before and cannot fit after, when there is one."""
    doubt: Doubt | None = None
    """Why the parameters, before or after, are not known for certain."""


def cause_of(reason: Reason, changes: tuple[Change, ...]) -> Change | None:
    """The change that causes a fault of a call, as far as the names say."""
    kinds = _CAUSES[reason.fault]
    for kind in kinds:
        for change in changes:
            about = {change.name, change.before if kind is ChangeKind.RENAMED else change.name}
            about |= {change.after} if kind is ChangeKind.RENAMED and reason.fault is not _UNEXPECTED else set()
            if change.kind is kind and (not reason.names or about & {*reason.names}):
                return change
    wide = (ChangeKind.DOUBLE_STAR_REMOVED, ChangeKind.STAR_REMOVED, ChangeKind.INSERTED, ChangeKind.ORDER)
    return next((change for change in changes if change.kind in wide), None)


_UNEXPECTED = Fault.UNEXPECTED_KEYWORD
_CAUSES = {
    Fault.UNEXPECTED_KEYWORD: (ChangeKind.RENAMED, ChangeKind.REMOVED),
    Fault.POSITIONAL_ONLY: (ChangeKind.POSITIONAL_ONLY,),
    Fault.TOO_MANY: (ChangeKind.REMOVED, ChangeKind.KEYWORD_ONLY, ChangeKind.STAR_REMOVED),
    Fault.MISSING: (
        *(ChangeKind.REQUIRED_ADDED, ChangeKind.DEFAULT_REMOVED, ChangeKind.RENAMED),
        ChangeKind.POSITIONAL_ONLY,
    ),
    Fault.MISSING_KEYWORD: (
        *(ChangeKind.REQUIRED_ADDED, ChangeKind.DEFAULT_REMOVED, ChangeKind.RENAMED),
        ChangeKind.KEYWORD_ONLY,
    ),
    Fault.MULTIPLE_VALUES: (ChangeKind.KEYWORD_TAKEN, ChangeKind.INSERTED, ChangeKind.RENAMED),
}
"""The changes that a fault may come from, the likeliest first."""


KINDS = frozenset((NodeKind.FUNCTION, NodeKind.METHOD, NodeKind.CLASS, NodeKind.CONSTANT, NodeKind.FIELD))
HOLDERS = frozenset((NodeKind.MODULE, NodeKind.CLASS))
"""Definitions inside a function cannot be reached by name."""
LIKELY = 0.75
"""How alike two bodies must be that are not the same."""
CLEARLY = 0.1
"""How much more alike than the next candidate."""
WORTH = LIKELY - CLEARLY
"""Below this, similarity decides nothing."""
FEWEST = 4
"""Parts that a body must have for similarity to say anything."""
_without_spans = re.compile(r"start=\d+, end=\d+, ").sub
SELF = "\0"
"""Represents a definition's own name in what it refers to."""


class Body(Struct, frozen=True):
    """What a definition consists of, apart from its name."""

    kind: NodeKind
    params: tuple[tuple[str, int], ...]
    length: int
    parts: tuple[str, ...]
    """What it refers to, holds and defines, in order, its own name aside."""
    as_written: tuple[str, ...] = ()
    """The same with its own name: in a method, that name by itself means something else."""
    written: int = 0
    """Its length with its own name."""


class Candidate(Struct, frozen=True):
    """A definition in a file."""

    path: str
    ordinal: int
    name: str
    body: Body


class Rename(Struct, frozen=True):
    """A removed definition, and the one that is likely the same."""

    before: Candidate
    after: Candidate
    likeness: float
    """1 when the bodies are the same."""

    @property
    def is_move(self) -> bool:
        """Whether it is in another file now."""
        return self.before.path != self.after.path


def renames(before: Facts, after: Facts, path: str = "") -> list[Rename]:
    """Where definitions removed from one file have moved to, as far as the file itself says."""
    return moves({path: before}, {path: after})


def moves(before: Mapping[str, Facts], after: Mapping[str, Facts]) -> list[Rename]:
    """Where definitions removed from some files have moved to: the same file first, then the others."""
    old = {path: _candidates(path, facts) for path, facts in before.items()}
    new = {path: _candidates(path, facts) for path, facts in after.items()}
    gone = [each for path in old for each in _without(old[path], new.get(path, ()))]
    come = [each for path in new for each in _without(new[path], old.get(path, ()))]
    found: list[Rename] = []
    for is_same_file in (True, False):
        left = [each for each in gone if all(each != one.before for one in found)]
        free = [each for each in come if all(each != one.after for one in found)]
        found += _matched(left, free, is_same_file)
    return found


def _matched(gone: Sequence[Candidate], come: Sequence[Candidate], is_same_file: bool) -> list[Rename]:
    """Pairs of which each is the other's clear best."""
    best = {one: _best(one, [each for each in come if (each.path == one.path) == is_same_file]) for one in gone}
    back = {
        each: _best(each, [one for one in gone if (one.path == each.path) == is_same_file])
        for each in {found[0] for found in best.values() if found}
    }
    return [
        Rename(one, found[0], found[1])
        for one, found in best.items()
        if found and (returned := back[found[0]]) and returned[0] == one
    ]


def _best(one: Candidate, others: Iterable[Candidate]) -> tuple[Candidate, float] | None:
    scored = sorted(((_likeness(one, each), each) for each in others), key=lambda pair: -pair[0])
    if not scored or scored[0][0] < LIKELY:
        return None
    if len(scored) > 1 and scored[0][0] - scored[1][0] < CLEARLY:
        same = [each for score, each in scored if score > scored[0][0] - CLEARLY and _last(each) == _last(one)]
        return (same[0], _likeness(one, same[0])) if len(same) == 1 else None
    return scored[0][1], scored[0][0]


def _likeness(one: Candidate, other: Candidate) -> float:
    old, new = one.body, other.body
    if old.kind != new.kind and {old.kind, new.kind} != {NodeKind.FUNCTION, NodeKind.METHOD}:
        return 0.0
    if one.path != other.path and _last(one) != _last(other) and len(old.parts) < FEWEST:
        return 0.0  # too little to recognise it in another file and under another name
    if (old.parts, old.length) == (new.parts, new.length) or _is_as_written(old, new):
        return 1.0 if old.parts or old.params == new.params else 0.0
    if min(len(old.parts), len(new.parts)) < FEWEST:
        return 0.0
    matcher = SequenceMatcher(None, old.parts, new.parts, autojunk=False)
    if matcher.real_quick_ratio() < WORTH or matcher.quick_ratio() < WORTH:  # upper bounds, and far cheaper
        return 0.0
    return matcher.ratio() * 0.99


def _is_as_written(one: Body, other: Body) -> bool:
    return bool(one.as_written) and (one.as_written, one.written) == (other.as_written, other.written)


def _without(these: Iterable[Candidate], those: Iterable[Candidate]) -> list[Candidate]:
    """Those whose name the others do not have; definitions inside a removed one go with it."""
    names = {each.name for each in those}
    lost = [each for each in these if each.name not in names]
    heads = {each.name for each in lost}
    return [each for each in lost if not _owners(each.name) & heads]


def _owners(name: str) -> set[str]:
    parts = name.split(".")
    return {".".join(parts[:length]) for length in range(1, len(parts))}


def _last(candidate: Candidate) -> str:
    return candidate.name.rpartition(".")[2]


def _candidates(path: str, facts: Facts) -> list[Candidate]:
    interface = cast("Interface", facts.interface)
    inside = _by_owner(interface, facts.references.items)
    return [
        Candidate(path, ordinal, interface.text(each.qualified_name), _body(interface, each, inside.get(ordinal, ())))
        for ordinal, each in enumerate(interface.defs)
        if each.kind in KINDS
        and each.occurrence == 1
        and not each.flags & (INSTANCE | ACCESSOR)
        and interface.defs[each.parent].kind in HOLDERS
    ]


def _by_owner(interface: Interface, references: Sequence[Reference]) -> dict[int, list[tuple[int, str]]]:
    """The parts of each definition, by offset: references and inner definitions."""
    found: dict[int, list[tuple[int, str]]] = {}

    def put(owner: int, at: int, text: str) -> None:
        while owner > 1:
            found.setdefault(owner, []).append((at, text))
            owner = interface.defs[owner].parent

    for reference in references:
        definition = interface.defs[reference.source]
        if reference.at >= definition.body:
            put(reference.source, definition.start + reference.at, f"{reference.kind} {interface.text(reference.text)}")
    for definition in interface.defs:
        if definition.parent > 1 and not definition.flags & INSTANCE:
            put(definition.parent, definition.name_at, f"def {interface.text(definition.name)}")
    return found


def _body(interface: Interface, definition: Def, inside: Sequence[tuple[int, str]]) -> Body:
    own = interface.text(definition.name)
    as_written = tuple(text for _, text in sorted(inside))
    parts = tuple(SELF.join(text.split(own)) if text.endswith(f" {own}") else text for text in as_written)
    params = definition.signature.params if definition.signature else []
    named = tuple((interface.text(param.name), int(param.kind)) for param in params)
    if definition.kind in (NodeKind.CONSTANT, NodeKind.FIELD):
        value = (_without_spans("", str(interface.expression(definition.value))),) if definition.value >= 0 else ()
        return Body(definition.kind, named, 0, (*parts, *value))
    written = definition.end - definition.start - definition.body
    again = sum(SELF in part for part in parts)
    return Body(definition.kind, named, written - again * len(own.encode()), parts, as_written, written)
