"""Doubts: why a value leads to no definition, and which star import it hangs on.

Nothing that comes through a star import is more certain than it is. What a value may be is left to `evaluate`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from keel.languages.python import forms
from keel.languages.python.facts import UNBOUND
from keel.languages.python.resolve import outside
from keel.languages.python.resolve.lookup import DYNAMIC, EXTERNAL, LINKED, NO_CANDIDATE, NOT_LOOKED, Answer
from keel.languages.python.resolve.members import owners_of
from keel.languages.python.resolve.things import (
    BOUND_OUTSIDE,
    CLASS,
    INSTANCE,
    MADE_OUTSIDE,
    MANY,
    OUTSIDE,
    Thing,
    Things,
)

if TYPE_CHECKING:
    from keel.languages.python.resolve.evaluate import Evaluator

BASES = {
    forms.ATTR: 1,
    forms.CALL: 1,
    forms.SUBSCRIPT: 1,
    forms.PART: 1,
    forms.ITEM: 1,
    forms.ENTERED: 1,
    forms.BOUND: 2,
    forms.WRAP: 2,
}
"""Where values keep the one that they hang on."""


def why_not(e: Evaluator, file: int, place: int) -> int:
    """Why a value leads to no definition: a reason."""
    found = e.evaluate(file, place)
    if found:
        return why_none(found)
    owners, name = owners_of(e, file, place)
    for owner in owners:
        reason = _why_not_on(e, owner, name)
        if reason != DYNAMIC.reason:
            return reason
    return EXTERNAL.reason if not owners and _hangs_outside(e, file, place) else DYNAMIC.reason


def why_none(found: Things) -> int:
    """Why things lead to no definition."""
    if not found:
        return DYNAMIC.reason
    if any(thing[0] == MANY for thing in found):
        return NOT_LOOKED.reason
    is_outside = any(thing[0] in (OUTSIDE, MADE_OUTSIDE, BOUND_OUTSIDE) for thing in found)
    return EXTERNAL.reason if is_outside else NO_CANDIDATE.reason


def _why_not_on(e: Evaluator, owner: Thing, name: str) -> int:
    if owner[0] in (INSTANCE, CLASS):
        reason = e.lookup.attribute(owner[1], owner[2], name).reason
        return reason if reason in (NO_CANDIDATE.reason, EXTERNAL.reason) else DYNAMIC.reason
    return EXTERNAL.reason if owner[0] in (OUTSIDE, MADE_OUTSIDE) else DYNAMIC.reason


def _hangs_outside(e: Evaluator, file: int, place: int) -> bool:
    """Whether a value hangs on the result of something outside that does not hand on what it is given."""
    tape = e.source(file).tape
    while place >= 0 and tape[place] in BASES:
        inner = tape[place + BASES[tape[place]]]
        found = e.evaluate(file, inner)
        if found:
            is_call = tape[place] == forms.CALL
            return is_call and all(thing[0] == OUTSIDE and not outside.hands_on(thing[1]) for thing in found)
        place = inner
    return False


def through_star(e: Evaluator, file: int, place: int) -> Answer | None:
    """What the first name of a value is, if a star import brings it."""
    source = e.source(file)
    tape = source.tape
    while place >= 0 and tape[place] in BASES:
        place = tape[place + BASES[tape[place]]]
    if place < 0 or tape[place] != forms.CHAIN or tape[place + 2] != UNBOUND:
        return None
    answer = e.lookup.from_stars(file, source.strings[tape[place + 1]].partition(".")[0])
    return answer if answer.reason == LINKED and answer.star else None
