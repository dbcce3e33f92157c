"""Changes of definitions, in the words that rules of all languages share.

How they are found is left to `comparison`.
"""

from __future__ import annotations

from collections.abc import Mapping

from keel.languages.python.binding.callees import Reached
from keel.languages.python.comparison.annotations import Relation
from keel.languages.python.comparison.changes import Change, ChangeKind, moves
from keel.languages.python.comparison.signatures import Version, compare
from keel.model.contracts import Alteration, Aspect, Shift, Successor
from keel.model.facts import Facts
from keel.model.kinds import NodeKind

CERTAIN = frozenset(("async", "a property", "a value that cannot be called"))
"""Natures whose change no use survives; a generator may be iterated over as the list before it was."""
BOUND_NATURES = frozenset(("a static method", "a class method", "a class"))
"""Natures that only matter where a call does not bind for them."""
HARMLESS = {
    ChangeKind.PARAMETER_TYPE: (Relation.WIDENED, Relation.REMOVED),
    ChangeKind.RETURN_TYPE: (Relation.NARROWED, Relation.REMOVED),
}
SHIFTS = {
    ChangeKind.RENAMED: Shift.RENAMED,
    ChangeKind.REMOVED: Shift.REMOVED,
    ChangeKind.REQUIRED_ADDED: Shift.REQUIRED,
    ChangeKind.DEFAULT_REMOVED: Shift.DEFAULT_GONE,
}
NOTHING = "None"


def alterations(before: Version, after: Version) -> list[Alteration]:
    """What has changed about a definition for those who rely on it."""
    is_method = after.definition.kind == NodeKind.METHOD
    found = compare(before, after, Reached.INSTANCE if is_method else Reached.NAME)
    return [made for change in found.changes if (made := _alteration(change)) is not None]


def _alteration(change: Change) -> Alteration | None:
    """A change in the words of all languages; None for one that nobody notices."""
    if change.kind is ChangeKind.NATURE:
        if change.name in BOUND_NATURES:
            return Alteration(Aspect.CALL, change.words, change.name)
        return Alteration(Aspect.NATURE, change.words, change.name, is_certain=change.name in CERTAIN)
    if change.kind in HARMLESS:
        is_return = change.kind is ChangeKind.RETURN_TYPE
        # what gave nothing before has no callers that use it
        if change.relation in HARMLESS[change.kind] or (is_return and change.before == NOTHING):
            return None
        aspect = Aspect.RETURN_TYPE if is_return else Aspect.PARAMETER_TYPE
        return Alteration(aspect, change.words, change.name, change.after)
    after = change.after if change.kind is ChangeKind.RENAMED else ""
    return Alteration(Aspect.CALL, change.words, change.name, after, shift=SHIFTS.get(change.kind, Shift.OTHER))


def successors(before: Mapping[str, Facts], after: Mapping[str, Facts]) -> dict[tuple[str, str], Successor]:
    """What has likely become of definitions that are gone, by path and qualified name."""
    return {
        (each.before.path, each.before.name): Successor(each.after.path, each.after.name, each.likeness)
        for each in moves(before, after)
    }
