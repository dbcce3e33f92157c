"""Calls: who is called, and what a call gives.

Also what decorators leave of a function and what `with` gives. Functions from outside that hand on what they are given
are known in `outside`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from keel.languages.python.resolve import containers, members, outside, types
from keel.languages.python.resolve.arguments import Arguments, Given, of_call, of_things
from keel.languages.python.resolve.returns import handed_back
from keel.languages.python.resolve.things import (
    BOUND_OUTSIDE,
    CLASS,
    FUNCTION,
    INSTANCE,
    MANY,
    METHOD,
    NONE,
    OUTSIDE,
    PARTIAL,
    SUPER,
    SUPER_OF,
    TOO_MANY,
    WRAPPER,
    WRAPS,
    Thing,
    Things,
    join,
)
from keel.model.kinds import NodeKind

if TYPE_CHECKING:
    from keel.languages.python.resolve.evaluation import Evaluation

__all__ = ["Given", "decorated", "invoke", "result", "stages", "targets"]


def result(e: Evaluation, file: int, place: int) -> Things:
    """What a call on the tape gives."""
    callees = e.evaluate(file, e.source(file).tape[place + 1])
    if not callees:
        return NONE
    arguments = of_call(e, file, place)
    if len(callees) == 1:
        return invoke(e, callees[0], arguments)
    return join(invoke(e, callee, arguments) for callee in callees)


def invoke(e: Evaluation, callee: Thing, arguments: Arguments) -> Things:
    """What calling a thing gives."""
    sort = callee[0]
    if sort == FUNCTION:
        return handed_back(e, callee[1], callee[2], None, arguments)
    if sort == METHOD:
        return handed_back(e, callee[1], callee[2], callee[3], arguments)
    if sort == CLASS:
        return outside.made_dict(e, arguments) if types.is_typed_dict(e, callee) else ((INSTANCE, *callee[1:]),)
    if sort == INSTANCE:
        return join(invoke(e, method, arguments) for method in _called(e, callee))
    if sort == SUPER_OF:
        if arguments.positional:
            return outside.result(e, "builtins.super", arguments, invoke)
        return ((SUPER, *callee[1:]),)
    if sort == PARTIAL:
        return join(invoke(e, inner, Arguments(is_open=True)) for inner in callee[1])
    if sort == WRAPS:
        wrappers = e.given(arguments.positional[0]) if arguments.positional else NONE
        outer = tuple((WRAPPER, *thing[1:]) for thing in wrappers if thing[0] == FUNCTION)
        return join([callee[1], outer]) if callee[1] else wrappers
    if sort == BOUND_OUTSIDE:
        return containers.method(e, callee[1], callee[2], arguments.positional)
    if sort == MANY:
        return TOO_MANY
    return outside.result(e, callee[1], arguments, invoke) if sort == OUTSIDE else NONE


def _called(e: Evaluation, instance: Thing) -> Things:
    """What calling an instance calls. One that is called by way of another is not followed: there may be no end."""
    return tuple(thing for thing in members.special(e, instance, "__call__") if thing[0] != INSTANCE)


def decorated(e: Evaluation, file: int, ordinal: int) -> Things:
    """What decorators leave of a function: what the outermost hands back, or the function where that is not known."""
    held: Things = ((FUNCTION, file, ordinal),)
    for place in reversed(e.source(file).defs[ordinal].decorators):
        held = _applied(e, e.evaluate(file, place), held)
    return held


def stages(e: Evaluation, file: int, ordinal: int) -> list[tuple[int, Things, Things]]:
    """The decorators of a definition from the innermost out: place, what it is, and what it is given."""
    definition = e.source(file).defs[ordinal]
    is_class = definition.kind == NodeKind.CLASS
    held: Things = ((CLASS if is_class else FUNCTION, file, ordinal),)
    found: list[tuple[int, Things, Things]] = []
    for place in reversed(definition.decorators):
        if found and not is_class:
            held = _applied(e, found[-1][1], held)
        found.append((place, e.evaluate(file, place), held))
    return found


def _applied(e: Evaluation, decorators: Things, held: Things) -> Things:
    made: list[Things] = []
    for decorator in decorators:
        if decorator[0] == OUTSIDE:  # as far as anybody can tell, it leaves the function
            made.append(held)
        elif decorator[0] == CLASS:
            instance = _made(decorator)
            made.append((instance,) if _called(e, instance) else held)
        else:
            made.append(invoke(e, decorator, of_things(held)) or held)
    return join(made) or held


def _made(decorator: Thing) -> Thing:
    return (INSTANCE, *decorator[1:])


def targets(e: Evaluation, callees: Things) -> list[tuple[int, int, Thing | None]]:
    """The functions and classes that calling these things calls: file, definition, receiver."""
    found: dict[tuple[int, int, Thing | None], None] = {}
    for callee in callees:
        sort = callee[0]
        if sort in (FUNCTION, CLASS):
            found[callee[1], callee[2], None] = None
        elif sort == METHOD:
            found[callee[1], callee[2], callee[3]] = None
        elif sort == INSTANCE:
            for method in targets(e, _called(e, callee)):
                found[method] = None
        elif sort == PARTIAL:
            for inner in targets(e, callee[1]):
                found[inner] = None
    return list(found)
