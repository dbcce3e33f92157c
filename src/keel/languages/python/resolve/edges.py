"""Edges: what the references of one file become, those included that only hang on values.

A call whose callee is a value is followed by evaluation; one target is linked as known, several with less confidence.
"""

from __future__ import annotations

from keel.languages.python.resolve import calls
from keel.languages.python.resolve.evaluate import Evaluator
from keel.languages.python.resolve.lookup import (
    CLASS,
    DYNAMIC,
    EXTERNAL,
    FUNCTIONS,
    LINKED,
    NO_CANDIDATE,
    Answer,
)
from keel.languages.python.resolve.things import CLASS as CLASS_THING
from keel.languages.python.resolve.things import INSTANCE, MADE_OUTSIDE, MODULE, OUTSIDE, Things
from keel.model import values
from keel.model.facts import Interface, Reference
from keel.model.kinds import EdgeKind, RefKind, Tier
from keel.model.rows import EdgeRow

CALLS, INSTANTIATES, REFERENCES = int(EdgeKind.CALLS), int(EdgeKind.INSTANTIATES), int(EdgeKind.REFERENCES)
DECORATES = int(EdgeKind.DECORATES)
CALL, READ, DECORATE = int(RefKind.CALL), int(RefKind.READ), int(RefKind.DECORATE)
HEURISTIC = int(Tier.TIER2_TREESITTER_HEURISTIC)
RECEIVER, ONE, SEVERAL = 80, 75, 60
"""Confidence in hundredths: a member of a known receiver, one target through assignments, several of them."""

Target = tuple[int, int, int, int, int, str]
"""The last six fields of an edge: target file and definition, tier, confidence, type_only, metadata."""


class Edges:
    """The edges of the file being linked."""

    def __init__(self, evaluator: Evaluator, interface: Interface) -> None:
        self._evaluator = evaluator
        self._interface = interface
        self.rows: list[EdgeRow] = []

    def add(self, reference: Reference, kind: int, target: Target) -> None:
        """An edge; calling a class calls what makes its instances too, and decorating calls the decorator."""
        self.rows.append(EdgeRow(reference.source, reference.at, kind, *target))
        if kind == INSTANTIATES:
            self._made(reference.source, reference.at, target)
        elif kind == DECORATES:
            self._decorator(reference, target)

    def _made(self, source: int, at: int, target: Target) -> None:
        for name in ("__init__", "__new__"):
            answer = self._evaluator.lookup.attribute(target[0], target[1], name)
            if answer.reason == LINKED and answer.kind in FUNCTIONS:
                row = EdgeRow(source, at, CALLS, answer.file, answer.ordinal, *target[2:])
                self.rows.append(row)
                return

    def _decorator(self, reference: Reference, target: Target) -> None:
        """Decorators are called where the definition stands."""
        definition = self._interface.defs[reference.source]
        around = definition.parent
        at = reference.at + definition.start - self._interface.defs[around].start
        kind = self._evaluator.source(target[0]).defs[target[1]].kind
        if kind == CLASS:
            self.rows.append(EdgeRow(around, at, INSTANTIATES, *target))
            self._made(around, at, target)
        elif kind in FUNCTIONS:
            self.rows.append(EdgeRow(around, at, CALLS, *target))

    def followed(self, file: int, reference: Reference) -> int:
        """Follows the value that a reference hangs on; a reason."""
        if reference.value < 0:
            return DYNAMIC.reason
        if reference.kind == CALL or reference.kind == DECORATE:
            return self._call(file, reference)
        if reference.kind == READ:
            return self._read(file, reference)
        return DYNAMIC.reason

    def _call(self, file: int, reference: Reference) -> int:
        e = self._evaluator
        tape = self._interface.tape
        if tape[reference.value] != values.CALL:
            return DYNAMIC.reason
        callees = e.evaluate(file, tape[reference.value + 1])
        targets = calls.targets(e, callees)
        if not targets:
            return _why(callees)
        confidence = (RECEIVER if self._has_receiver(reference) else ONE) if len(targets) == 1 else SEVERAL
        for target_file, ordinal, _ in targets:
            kind = e.source(target_file).defs[ordinal].kind
            target = (target_file, ordinal, HEURISTIC, confidence, 0, "")
            if reference.kind == DECORATE:
                self.add(reference, DECORATES, target)
            else:
                self.add(reference, INSTANTIATES if kind == CLASS else CALLS, target)
        return LINKED

    def _has_receiver(self, reference: Reference) -> bool:
        return "." in self._interface.strings[reference.text]

    def _read(self, file: int, reference: Reference) -> int:
        e = self._evaluator
        owners, name = self._owners(file, reference.value)
        if not name:
            return DYNAMIC.reason
        found: dict[tuple[int, int], Answer] = {}
        reason = _why(owners)
        for owner in owners:
            if owner[0] in (INSTANCE, CLASS_THING):
                answer = e.lookup.attribute(owner[1], owner[2], name)
            elif owner[0] == MODULE:
                answer = e.lookup.global_name(owner[1], name)
            else:
                continue
            if answer.reason == LINKED:
                found[answer.file, answer.ordinal] = answer
            else:
                reason = answer.reason
        confidence = RECEIVER if len(found) == 1 else SEVERAL
        for target_file, ordinal in found:
            self.add(reference, REFERENCES, (target_file, ordinal, HEURISTIC, confidence, 0, ""))
        return LINKED if found else reason

    def _owners(self, file: int, place: int) -> tuple[Things, str]:
        """What the last name of a chain is looked up on, and that name."""
        e = self._evaluator
        tape, strings = self._interface.tape, self._interface.strings
        op = tape[place]
        if op == values.ATTR:
            return e.evaluate(file, tape[place + 1]), strings[tape[place + 2]]
        if op != values.BOUND:
            return (), ""
        names = strings[tape[place + 1]].split(".")
        if tape[place + 3] >= len(names):
            return (), ""
        owners = e.evaluate(file, tape[place + 2])
        for name in names[tape[place + 3] : -1]:
            owners = e.attributes(owners, name)
        return owners, names[-1]


def _why(found: Things) -> int:
    """Why things lead to no definition."""
    if not found:
        return DYNAMIC.reason
    outside = any(thing[0] in (OUTSIDE, MADE_OUTSIDE) for thing in found)
    return EXTERNAL.reason if outside else NO_CANDIDATE.reason
