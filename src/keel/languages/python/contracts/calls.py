"""Calls of either tree: how a callee is accessed, whether a call fits it, and which argument a parameter gets.

Edges say what is called, not how; whether a receiver comes before the arguments is only known from the callee's
abstract values, which are evaluated once more. Argument flow between files is left to the last run: it is read from the
store.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence

from keel.languages.python import forms
from keel.languages.python.binding.bind import (
    Callee,
    CallShape,
    Fault,
    Misfit,
    NotKnown,
    Outcome,
    Parameter,
    Reason,
    Why,
    bind,
    free,
    taken_by,
)
from keel.languages.python.binding.callees import Reached, callee_of
from keel.languages.python.binding.calls import arguments, read_call, text_of
from keel.languages.python.binding.names import Names
from keel.languages.python.comparison.annotations import meaning
from keel.languages.python.facts import Interface, PythonSide, PythonTree
from keel.languages.python.resolve.evaluate.abstract_values import (
    CLASS,
    FUNCTION,
    INSTANCE,
    MADE_OUTSIDE,
    MANY,
    METHOD,
    OUTSIDE,
    TEXT,
    AbstractValues,
    join,
)
from keel.languages.python.resolve.evaluate.builtin_functions import CALLED_KEY
from keel.languages.python.resolve.evaluate.members import owners_of
from keel.languages.python.resolve.flow.fixpoint import MAX_ITERATIONS, PortableValues, held_by
from keel.languages.python.resolve.link import MAX_FRAMES, PythonLinker
from keel.languages.python.resolve.lookup.answer_cache import Trace
from keel.languages.python.resolve.parameters import POSITIONAL, by_position
from keel.languages.python.standard_library import last_names
from keel.model.contracts import Alteration, Aspect, State, Verdict
from keel.model.facts import Reference
from keel.model.kinds import NodeKind, ParamKind, RefKind
from keel.model.refs import DefRef
from keel.ports.tree import SlotContents

HELD_AT = {forms.ATTR: 1, forms.BOUND: 2}
"""Operand of each form that holds the value a name is looked up on."""
STRANGE = (OUTSIDE, MADE_OUTSIDE, TEXT, MANY)
"""Abstract values that no class of the workspace describes."""
CONSTRUCTORS = ("__init__", "__new__")
"""The methods that calling a class calls; both get an argument before the call's own."""


class Reach(PythonLinker):
    """A linker that only evaluates callees."""

    def __init__(self, tree: PythonTree, given: SlotContents) -> None:
        super().__init__(tree)
        self._given = given
        self._portable = PortableValues(tree, self._source)
        self._evaluator.slots.held = self._in_slot

    def of(self, file: int, expr: int, callee: DefRef) -> Reached | None:
        """How a callee is accessed by the value of an expression; None when it is not, or in more than one way."""
        if expr < 0:
            return None
        limit = sys.getrecursionlimit()
        sys.setrecursionlimit(max(limit, MAX_FRAMES))
        try:
            self._evaluator.at_hand = file
            values, _ = self._lookup.traced(Trace(), self._evaluator.evaluate, file, expr)
        finally:
            sys.setrecursionlimit(limit)
        ways = {self._way(value, callee) for value in values} - {None}
        return ways.pop() if len(ways) == 1 else None

    def is_known(self, file: int, expr: int) -> bool:
        """Whether everything that a callee may be looked up on is known, and of the workspace."""
        self._evaluator.at_hand = file
        (owners, name), _ = self._lookup.traced(Trace(), owners_of, self._evaluator, file, expr)
        if any(owner[0] in STRANGE for owner in owners):
            return False
        return not name or all(self._evaluator.evaluate(file, each) for each in self._choices(file, expr))

    def has_owner(self, file: int, expr: int) -> bool:
        """Whether something is known of what the last name of a value is looked up on, if it is on anything."""
        self._evaluator.at_hand = file
        (owners, name), _ = self._lookup.traced(Trace(), owners_of, self._evaluator, file, expr)
        return bool(owners) or not name

    def is_member(self, file: int, expr: int, member: DefRef) -> bool:
        """Whether the last name of a value is a member of an instance that it is looked up on."""
        self._evaluator.at_hand = file
        (owners, name), _ = self._lookup.traced(Trace(), owners_of, self._evaluator, file, expr)
        found = [self._lookup.attribute(owner[1], owner[2], name) for owner in owners if owner[0] == INSTANCE]
        return any((each.file, each.ordinal) == tuple(member) for each in found)

    def _choices(self, file: int, expr: int) -> Iterator[int]:
        """The abstract values that the receiver of a callee may be, where the flow of control decides."""
        ir = self._source(file).ir
        if ir[expr] == forms.CHOICE:
            yield from forms.operands(ir, expr)
        elif ir[expr] in HELD_AT and ir[expr + HELD_AT[ir[expr]]] >= 0:
            yield from self._choices(file, ir[expr + HELD_AT[ir[expr]]])

    def _way(self, value: tuple[object, ...], callee: DefRef) -> Reached | None:
        if value[0] == INSTANCE:
            return Reached.INSTANCE if self._name(callee) == "__call__" else None
        if value[0] == CLASS and self._name(callee) in CONSTRUCTORS:
            return Reached.INSTANCE
        if value[1:3] != tuple(callee):
            return None
        is_method = self._source(callee.file).defs[callee.ordinal].kind == NodeKind.METHOD
        if value[0] == METHOD:
            receiver = value[3]
            if not is_method:  # a function that a class body names: its first parameter is bound, without being written
                return None
            return Reached.CLASS if isinstance(receiver, tuple) and receiver[0] == CLASS else Reached.INSTANCE
        if value[0] == CLASS:
            return Reached.NAME
        if value[0] != FUNCTION:
            return None
        return Reached.CLASS if is_method else Reached.NAME

    def _name(self, callee: DefRef) -> str:
        source = self._source(callee.file)
        return source.strings[source.defs[callee.ordinal].name]

    def _in_slot(self, slot: int) -> AbstractValues:
        given = self._given(slot)
        return join(held_by(self._portable.read(given[file]), MAX_ITERATIONS) for file in sorted(given))


FIRST = {"filter": 1, "reduce": 2}
"""Built-ins that call their first argument, with so many; `map` with one for each of the others."""
MAP = "map"
BY_KEY = last_names(CALLED_KEY)
"""Built-ins that call `key`, with one."""


def called_back(interface: Interface, reference: Reference) -> tuple[int, CallShape] | None:
    """The callback that a call passes, and how it is called; None where that is not known."""
    name = interface.text(reference.text).rpartition(".")[2]
    positional, named = arguments(interface, reference.value)
    if interface.ir[reference.value + 3]:  # a star
        return None
    if name in BY_KEY and "key" in named:
        return named["key"], CallShape(1)
    if name == MAP and len(positional) > 1:
        return positional[0], CallShape(len(positional) - 1)
    return (positional[0], CallShape(FIRST[name])) if name in FIRST and positional else None


DECORATING = CallShape(1)
"""The arguments that `@f` calls `f` with."""
NOT_KNOWN = Verdict(State.NOT_KNOWN)
BY_NAME = (Fault.UNEXPECTED_KEYWORD, Fault.POSITIONAL_ONLY, Fault.MULTIPLE_VALUES)
OWN_CLASS = "cls"
LITERALS = {forms.STRING: "builtins.str", forms.FORMAT: "builtins.str"}
ATOMS = {
    forms.NONE: "None",
    forms.TRUE: "builtins.bool",
    forms.FALSE: "builtins.bool",
    forms.BYTES: "builtins.bytes",
}


class Calls:
    """The calls of one tree."""

    def __init__(self, side: PythonSide, names: Names) -> None:
        self._names = names
        self._reach = Reach(side.tree, side.given)

    def fit(self, file: int, reference: Reference, callee: DefRef) -> Verdict:
        """Whether a call fits what it calls."""
        interface = self._names.interface(file)
        call = read_call(interface, reference.value) if is_call(interface, reference) else DECORATING
        reached = self._reach.of(file, _called(interface, reference), callee)
        if reached is None and (handed := _handed(interface, reference)) is not None:
            expr, call = handed
            reached = self._reach.of(file, expr, callee)
        if reached is None:
            return NOT_KNOWN
        taken = callee_of(self._names, DefRef(*callee), reached)
        return _verdict(bind(call, taken), call, taken)

    def is_named(self, file: int, reference: Reference, callee: DefRef) -> bool:
        """Whether a call names its callee: by a name with one meaning, or by its own name on what surely has it."""
        interface = self._names.interface(file)
        expr = _called(interface, reference)
        if expr < 0:
            return False
        if isinstance(self._names.meaning(file, expr), DefRef):
            return True
        there = self._names.interface(callee.file)
        definition = there.defs[callee.ordinal]
        last = text_of(interface, expr).rpartition(".")[2]
        is_named = last == there.text(definition.name) or (last == OWN_CLASS and definition.kind == NodeKind.CLASS)
        return is_named and self._reach.is_known(file, expr)

    def is_spelled(self, file: int, reference: Reference, name: str) -> bool:
        """Whether a reference ends in a name, on a receiver of which something is known if there is one."""
        interface = self._names.interface(file)
        if interface.text(reference.text).rpartition(".")[2] != name:
            return False
        expr = interface.ir[reference.value + 1] if is_call(interface, reference) else reference.value
        return expr < 0 or self._reach.has_owner(file, expr)

    def is_member(self, file: int, expr: int, member: DefRef) -> bool:
        """Whether the last name of a value is a member of what it is looked up on."""
        return self._reach.is_member(file, expr, member)

    def is_touched(self, file: int, reference: Reference, callee: DefRef, alteration: Alteration) -> bool:
        """Whether a call is affected by a change."""
        interface = self._names.interface(file)
        if not is_call(interface, reference):
            return False
        if alteration.aspect is Aspect.PARAMETER_TYPE:
            value = self._passed(file, reference.value, callee, alteration.name)
            return value is not None and not _is_proven(
                interface, value, self._names.interface(callee.file), alteration
            )
        return True

    def _passed(self, file: int, call: int, callee: DefRef, name: str) -> int | None:
        """The expression of the argument that a parameter gets; -1 where a star may hold it, None for none."""
        interface = self._names.interface(file)
        positional, named = arguments(interface, call)
        if name in named:
            return named[name]
        if interface.ir[call + 3]:  # a star
            return -1
        reached = self._reach.of(file, interface.ir[call + 1], callee) or Reached.NAME
        taken = callee_of(self._names, DefRef(*callee), reached)
        params = free(taken.shapes[-1]) if taken.shapes else ()
        for index, value in zip(by_position(taken_by(params), len(positional)), positional, strict=False):
            if params[index].name == name and params[index].kind in POSITIONAL:
                return value
        return None


def is_call(interface: Interface, reference: Reference) -> bool:
    """Whether the arguments of a reference are known."""
    return reference.value >= 0 and interface.ir[reference.value] == forms.CALL


def _called(interface: Interface, reference: Reference) -> int:
    """The callee's expression, of a call or of a decorator without arguments; -1 when it is not known."""
    if is_call(interface, reference):
        return interface.ir[reference.value + 1]
    if reference.kind != RefKind.DECORATE:
        return -1
    text = interface.text(reference.text)
    exprs = interface.defs[reference.source].decorators
    return next((expr for expr in exprs if text_of(interface, expr) == text), -1)


def _handed(interface: Interface, reference: Reference) -> tuple[int, CallShape] | None:
    """The callback that a call passes, and how it is called."""
    return called_back(interface, reference) if is_call(interface, reference) else None


def _verdict(outcome: Outcome, call: CallShape, taken: Callee) -> Verdict:
    if isinstance(outcome, Misfit):
        return Verdict(State.MISFIT, _words(outcome.reasons), _is_by_name(outcome.reasons))
    is_open = isinstance(outcome, NotKnown) and outcome.doubt.why is Why.STARS
    if isinstance(outcome, NotKnown) and not is_open:
        reasons = outcome.suspected
        words = f"{_words(reasons)} ({outcome.doubt.words})" if reasons else outcome.doubt.words
        return Verdict(State.NOT_KNOWN, words, _is_by_name(reasons), bool(reasons))
    params = free(taken.shapes[-1]) if taken.shapes and not taken.overloads and not call.more_positional else ()
    names = tuple(param.name for param in params)
    state = State.NOT_KNOWN if is_open else State.FITS
    return Verdict(state, is_open=is_open, given=_given(call, params), taken=names, named=call.keywords)


def _given(call: CallShape, params: Sequence[Parameter]) -> tuple[str, ...]:
    """The parameter that each positional argument reaches; the rest goes to the one with a star, `*rest`."""
    reached = [params[index] for index in by_position(taken_by(params), call.positional)]
    return tuple(f"*{param.name}" if param.kind == ParamKind.VAR_POSITIONAL else param.name for param in reached)


def _words(reasons: tuple[Reason, ...]) -> str:
    return ", ".join(reason.words for reason in reasons)


def _is_by_name(reasons: tuple[Reason, ...]) -> bool:
    return any(reason.fault in BY_NAME for reason in reasons)


def _is_proven(interface: Interface, value: int, callee: Interface, alteration: Alteration) -> bool:
    """Whether an argument is a literal of a type that the parameter takes now."""
    if value < 0:
        return False
    ir = interface.ir
    kind = ATOMS.get(ir[value + 1]) if ir[value] == forms.ATOM else LITERALS.get(ir[value])
    if ir[value] == forms.NUMBER:
        kind = "builtins.int" if interface.strings[ir[value + 1]].isdecimal() else None
    wanted = meaning(alteration.after, callee)
    return kind is not None and wanted is not None and kind in wanted.members
