"""Witnesses: calls that fit one version of a callable and not another.

Few calls have to be tried: for every number of positional arguments the one that gives no more than it must, and that
one with each single further keyword. A call that breaks breaks for the number of its arguments, for one keyword, or for
one parameter it leaves out, and each of these stands alone in one of them.
"""

from __future__ import annotations

from collections.abc import Iterator

from keel.languages.python.binding.bind import bind
from keel.languages.python.binding.outcomes import Fits, Misfit
from keel.languages.python.binding.shapes import NAMEABLE, POSITIONAL, Callee, CallShape, Shape
from keel.languages.python.comparison.parameters import free

OTHER = "another_keyword"


def broken_call(before: Callee, after: Callee) -> CallShape | None:
    """A call that fits before and cannot fit after, or None when there is none."""
    for call in _tried(before, after):
        if isinstance(bind(call, before), Fits) and isinstance(bind(call, after), Misfit):
            return call
    return None


def _tried(before: Callee, after: Callee) -> Iterator[CallShape]:
    shapes = (*before.shapes, *before.overloads)
    params = [param for shape in (*shapes, *after.shapes, *after.overloads) for param in free(shape)]
    names = sorted({param.name for param in params if param.kind in (*POSITIONAL, *NAMEABLE)})
    most = max((_places(shape) for shape in (*shapes, *after.shapes, *after.overloads)), default=0) + 2
    for shape in shapes:
        for count in range(most):
            needed = _needed(shape, count)
            yield CallShape(count, needed)
            for name in (*names, OTHER):
                if name not in needed:
                    yield CallShape(count, (*needed, name))


def _places(shape: Shape) -> int:
    return sum(param.kind in POSITIONAL for param in free(shape))


def _needed(shape: Shape, count: int) -> tuple[str, ...]:
    """The keywords that a call with so many positional arguments cannot do without."""
    positional = [param for param in free(shape) if param.kind in POSITIONAL]
    rest = positional[count:] + [param for param in free(shape) if param.kind not in POSITIONAL]
    return tuple(param.name for param in rest if param.required and param.kind in NAMEABLE)
