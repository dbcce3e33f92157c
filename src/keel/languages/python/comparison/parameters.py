"""Parameter lists before and after: which parameter has become which, and the changes that calls may notice.

The changes are named here; whether any call can notice them is found by trying calls (`witnesses`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from keel.languages.python.binding.shapes import NAMEABLE, POSITIONAL, Parameter, Shape
from keel.languages.python.comparison.changes import Change, ChangeKind
from keel.model.kinds import ParamKind

SILENT = frozenset((ChangeKind.ORDER, ChangeKind.INSERTED))
"""Changes after which a call may still fit and mean something else."""


def free(shape: Shape) -> tuple[Parameter, ...]:
    """The parameters that are left to a call: without receiver, and without need for what is given already."""
    before = shape.given.positional
    kept: list[Parameter] = []
    for param in shape.params:
        if before and param.kind in POSITIONAL:
            before -= 1
            continue
        required = param.required and param.name not in shape.given.keywords
        kept.append(Parameter(param.name, param.kind, required))
    return tuple(kept)


def parameter_changes(old: Sequence[Parameter], new: Sequence[Parameter]) -> list[Change]:
    """The changes between two parameter lists after which some call may not fit, or mean something else."""
    pairs = paired(old, new)
    changes = [change for before, after in pairs for change in _pair_changes(before, after)]
    changes += _order(pairs, old, new)
    room = _room(old)
    places = [param for param in new if param.kind in POSITIONAL]
    came_from = {after.name: before for before, after in pairs if after is not None}
    takes_all = any(param.kind == ParamKind.VAR_KEYWORD for param in old)
    for param in new:
        before = came_from.get(param.name)
        is_inside = param in places and places.index(param) < room
        if before is None and param.kind in (*POSITIONAL, ParamKind.KEYWORD_ONLY):
            if param.required:
                changes.append(Change(ChangeKind.REQUIRED_ADDED, param.name))
            elif is_inside:
                changes.append(Change(ChangeKind.INSERTED, param.name))
        elif before is not None and before.kind == ParamKind.KEYWORD_ONLY and is_inside:
            changes.append(Change(ChangeKind.INSERTED, param.name))
        elif before is not None and takes_all and is_inside and before.kind not in NAMEABLE and param.kind in NAMEABLE:
            changes.append(Change(ChangeKind.KEYWORD_TAKEN, param.name))
    return changes + list(_stars(old, new))


def paired(old: Sequence[Parameter], new: Sequence[Parameter]) -> list[tuple[Parameter, Parameter | None]]:
    """Each parameter with what has become of it: by name, else by place, else as the only one of its sort."""
    by_name = {param.name: param for param in new if param.kind in (*POSITIONAL, *NAMEABLE)}
    named = {param.name for param in old if param.kind in (*POSITIONAL, *NAMEABLE)}
    places = [param for param in new if param.kind in POSITIONAL]
    loose = [param for param in new if param.kind == ParamKind.KEYWORD_ONLY and param.name not in named]
    gone = [param for param in old if param.kind == ParamKind.KEYWORD_ONLY and param.name not in by_name]
    taken: set[str] = set()
    found: list[tuple[Parameter, Parameter | None]] = []
    index = 0
    for param in old:
        if param.kind not in (*POSITIONAL, *NAMEABLE):
            continue
        partner = by_name.get(param.name)
        if param.kind in POSITIONAL:
            if partner is None and index < len(places) and places[index].name not in named | taken:
                partner = places[index]
            index += 1
        elif partner is None and len(loose) == len(gone) == 1:
            partner = loose[0]
        if partner is not None:
            taken.add(partner.name)
        found.append((param, partner))
    return found


def _pair_changes(before: Parameter, after: Parameter | None) -> Iterator[Change]:
    if after is None:
        yield Change(ChangeKind.REMOVED, before.name)
        return
    if before.name != after.name and before.kind in NAMEABLE:
        yield Change(ChangeKind.RENAMED, before.name, before.name, after.name)
    if before.kind in NAMEABLE and after.kind not in NAMEABLE:
        yield Change(ChangeKind.POSITIONAL_ONLY, after.name)
    if before.kind in POSITIONAL and after.kind not in POSITIONAL:
        yield Change(ChangeKind.KEYWORD_ONLY, after.name)
    if after.required and not before.required:
        yield Change(ChangeKind.DEFAULT_REMOVED, after.name)


def _order(
    pairs: list[tuple[Parameter, Parameter | None]], old: Sequence[Parameter], new: Sequence[Parameter]
) -> list[Change]:
    """Whether parameters that are positional before and after have changed places among themselves."""
    kept = [after.name for before, after in pairs if after and before.kind in POSITIONAL and after.kind in POSITIONAL]
    now = [param.name for param in new if param.kind in POSITIONAL and param.name in kept]
    if kept == now:
        return []
    was = [param.name for param in old if param.kind in POSITIONAL]
    names = [param.name for param in new if param.kind in POSITIONAL]
    return [Change(ChangeKind.ORDER, "", ", ".join(was), ", ".join(names))]


def _room(params: Sequence[Parameter]) -> float:
    """How many positional arguments a list takes."""
    if any(param.kind == ParamKind.VAR_POSITIONAL for param in params):
        return float("inf")
    return sum(param.kind in POSITIONAL for param in params)


def _stars(old: Sequence[Parameter], new: Sequence[Parameter]) -> Iterator[Change]:
    for kind, gone in (
        (ParamKind.VAR_POSITIONAL, ChangeKind.STAR_REMOVED),
        (ParamKind.VAR_KEYWORD, ChangeKind.DOUBLE_STAR_REMOVED),
    ):
        before = next((param for param in old if param.kind == kind), None)
        if before is not None and not any(param.kind == kind for param in new):
            yield Change(gone, ("*" if kind == ParamKind.VAR_POSITIONAL else "**") + before.name)
