"""Shapes: what a call gives and what a callable takes, without anything that does not decide whether they fit.

How they are read from facts is left to `calls` and `callees`; whether one fits the other, to `bind`.
"""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from keel.languages.python.binding.outcomes import Doubt, Why
from keel.model.kinds import ParamKind

POSITIONAL = (ParamKind.POSITIONAL_ONLY, ParamKind.POSITIONAL_OR_KEYWORD)
NAMEABLE = (ParamKind.POSITIONAL_OR_KEYWORD, ParamKind.KEYWORD_ONLY)


class CallShape(Struct, frozen=True):
    """What a call gives: so many positional arguments, keywords, and whether there may be more of either."""

    positional: int = 0
    keywords: tuple[str, ...] = ()
    """A name may stand here twice where `**{…}` repeats it."""
    more_positional: bool = False
    """`*args` of unknown length is among them."""
    more_keywords: bool = False
    """`**kwargs` of unknown content is among them."""


class Parameter(Struct, frozen=True):
    """A parameter, as far as binding is concerned."""

    name: str
    kind: ParamKind
    required: bool = True


class Shape(Struct, frozen=True):
    """A parameter list, and the arguments that are given before the call's own: a receiver, those of a `partial`."""

    params: tuple[Parameter, ...] = ()
    given: CallShape = CallShape()


class Callee(Struct, frozen=True):
    """What a call must fit: every one of the shapes, and one of the overloads where there are any."""

    shapes: tuple[Shape, ...] = ()
    overloads: tuple[Shape, ...] = ()
    doubt: Doubt | None = None
    """Why the shapes are not the whole truth."""
    otherwise: Doubt = Doubt(Why.OVERLOADS)
    """Why it is not known whether a call fits that the shapes take and no overload does."""


ANYTHING = Shape((Parameter("args", ParamKind.VAR_POSITIONAL), Parameter("kwargs", ParamKind.VAR_KEYWORD)))
"""Takes every call."""


def doubtful(callee: Callee, doubt: Doubt | None) -> Callee:
    """The same callee with one more doubt; the first one stays."""
    return callee if callee.doubt or doubt is None else replace(callee, doubt=doubt)


def preceded(callee: Callee, given: CallShape) -> Callee:
    """The callee as it is when these arguments come before the call's own."""
    return replace(
        callee,
        shapes=tuple(_preceded(shape, given) for shape in callee.shapes),
        overloads=tuple(_preceded(shape, given) for shape in callee.overloads),
    )


def _preceded(shape: Shape, given: CallShape) -> Shape:
    return Shape(shape.params, joined(shape.given, given))


def joined(first: CallShape, second: CallShape) -> CallShape:
    """Two lots of arguments as one call; a keyword of the second replaces that of the first."""
    new = tuple(name for name in second.keywords if name not in first.keywords)
    return CallShape(
        first.positional + second.positional,
        first.keywords + new,
        first.more_positional or second.more_positional,
        first.more_keywords or second.more_keywords,
    )
