"""Binding a call to what it calls: the recipe of Python's own argument passing.

Checked against Python itself, call by call (`tests/property/test_binding.py`). Where the shapes come from is left to
`calls` and `callees`.
"""

from __future__ import annotations

from collections.abc import Sequence

from keel.languages.python.binding.outcomes import Doubt, Fault, Fits, Misfit, NotKnown, Outcome, Reason, Why
from keel.languages.python.binding.shapes import NAMEABLE, POSITIONAL, Callee, CallShape, Parameter, Shape, joined
from keel.model.kinds import ParamKind

FITS = Fits()


def bind(call: CallShape, callee: Callee) -> Outcome:
    """Whether a call fits everything that it must fit."""
    outcomes = [bind_shape(call, shape) for shape in callee.shapes]
    misfit = next((outcome for outcome in outcomes if isinstance(outcome, Misfit)), None)
    if callee.doubt is not None:
        return NotKnown(callee.doubt, misfit.reasons if misfit else ())
    if misfit is not None:
        return misfit
    open_ = next((outcome for outcome in outcomes if isinstance(outcome, NotKnown)), None)
    return open_ or _bind_overloads(call, callee)


def bind_either(call: CallShape, callees: Sequence[Callee], about: str) -> Outcome:
    """Whether a call fits when one of these is called, which one is not known."""
    outcomes = [bind(call, callee) for callee in callees]
    sorts = {type(outcome) for outcome in outcomes}
    if len(sorts) == 1:
        return outcomes[0]
    return next((each for each in outcomes if isinstance(each, NotKnown)), NotKnown(Doubt(Why.RECEIVER, about)))


def _bind_overloads(call: CallShape, callee: Callee) -> Outcome:
    outcomes = [bind_shape(call, shape) for shape in callee.overloads]
    if not outcomes or any(isinstance(outcome, Fits) for outcome in outcomes):
        return FITS
    open_ = next((outcome for outcome in outcomes if isinstance(outcome, NotKnown)), None)
    if open_ is not None:
        return open_
    nearest = min((each for each in outcomes if isinstance(each, Misfit)), key=_distance)
    return NotKnown(callee.otherwise, nearest.reasons) if callee.shapes else nearest


def _distance(misfit: Misfit) -> int:
    """How many arguments are wrong."""
    return sum(len(reason.names) or reason.given - reason.most for reason in misfit.reasons)


def bind_shape(call: CallShape, shape: Shape) -> Outcome:
    """Whether a call fits one parameter list.

    A `*` of unknown length may be of any, a `**` may hold any names: the call does not fit only if no length and no
    names would make it fit, and fits only if all would.
    """
    if len(set(call.keywords)) < len(call.keywords):
        repeated = [name for index, name in enumerate(call.keywords) if name in call.keywords[:index]]
        return Misfit((Reason(Fault.MULTIPLE_VALUES, tuple(dict.fromkeys(repeated))),))
    whole = joined(shape.given, call)
    room = sum(param.kind in POSITIONAL for param in shape.params)
    lengths = range(room + 2 if whole.more_positional else 1)
    tried = [_reasons(shape, whole, whole.positional + extra) for extra in lengths]
    if all(tried):
        return Misfit(min(tried, key=lambda reasons: _distance(Misfit(reasons))))
    if any(tried) or (whole.more_keywords and not _takes_any_keyword(shape, whole)):
        return NotKnown(Doubt(Why.STARS, "*" if any(tried) else "**"))
    return FITS


def _takes_any_keyword(shape: Shape, call: CallShape) -> bool:
    """Whether a `**` of unknown content fits whatever it holds: nothing given can be given again, nothing is needed."""
    positional = [param for param in shape.params if param.kind in POSITIONAL]
    filled = positional if call.more_positional else positional[: call.positional]
    again = call.keywords or any(param.kind in NAMEABLE for param in filled)
    rest = [param for param in shape.params if param not in filled and param.kind in NAMEABLE]
    takes_all = any(param.kind == ParamKind.VAR_KEYWORD for param in shape.params)
    return takes_all and not again and not any(param.required for param in rest)


def _reasons(shape: Shape, call: CallShape, count: int) -> tuple[Reason, ...]:
    """Why so many positional arguments and these keywords do not fit, in the order in which Python looks."""
    positional = [param for param in shape.params if param.kind in POSITIONAL]
    filled = positional[:count]
    reasons = _keyword_reasons(shape.params, filled, call.keywords)
    if count > len(positional) and not any(param.kind == ParamKind.VAR_POSITIONAL for param in shape.params):
        reasons.append(_too_many(shape, positional, count))
    named = {*call.keywords}
    missing = [param for param in positional[count:] if _is_missing(param, named, call)]
    if missing:
        reasons.append(Reason(Fault.MISSING, tuple(param.name for param in missing)))
    only = [param for param in shape.params if param.kind == ParamKind.KEYWORD_ONLY and _is_missing(param, named, call)]
    if only:
        reasons.append(Reason(Fault.MISSING_KEYWORD, tuple(param.name for param in only)))
    return tuple(reasons)


def _keyword_reasons(params: Sequence[Parameter], filled: list[Parameter], keywords: tuple[str, ...]) -> list[Reason]:
    taken = {param.name for param in filled if param.kind in NAMEABLE}
    nameable = {param.name for param in params if param.kind in NAMEABLE}
    by_place = {param.name for param in params if param.kind == ParamKind.POSITIONAL_ONLY}
    takes_all = any(param.kind == ParamKind.VAR_KEYWORD for param in params)
    twice = tuple(name for name in keywords if name in taken)
    strange = tuple(name for name in keywords if name not in nameable and not takes_all)
    places = tuple(param.name for param in params if param.name in strange and param.name in by_place)
    unknown = tuple(name for name in strange if name not in by_place)
    found = []
    if twice:
        found.append(Reason(Fault.MULTIPLE_VALUES, twice))
    if places:
        found.append(Reason(Fault.POSITIONAL_ONLY, places))
    if unknown:
        found.append(Reason(Fault.UNEXPECTED_KEYWORD, unknown))
    if twice and strange and keywords.index(strange[0]) < keywords.index(twice[0]):  # Python takes them as they come
        found = [*found[1:], found[0]]
    return found


def _too_many(shape: Shape, positional: list[Parameter], count: int) -> Reason:
    """Counted as the call writes them, without what is given before its own; no receiver fits where none is taken."""
    before = min(shape.given.positional, len(positional))
    most = len(positional) - before
    least = sum(param.required for param in positional[before:])
    return Reason(Fault.TOO_MANY, (), least, most, count - before)


def _is_missing(param: Parameter, named: set[str], call: CallShape) -> bool:
    if not param.required or (param.kind in NAMEABLE and param.name in named):
        return False
    return param.kind == ParamKind.POSITIONAL_ONLY or not call.more_keywords
