"""Calls of either tree: whether they fit what they call, and what they pass to a parameter.

Who is called is known from the edges; through what, from `reach`.
"""

from __future__ import annotations

from collections.abc import Sequence

from keel.languages.python import forms
from keel.languages.python.binding.bind import bind
from keel.languages.python.binding.callees import Reached, callee_of
from keel.languages.python.binding.calls import arguments, read_call, text_of
from keel.languages.python.binding.names import Names, Place
from keel.languages.python.binding.outcomes import Fault, Misfit, NotKnown, Outcome, Reason, Why
from keel.languages.python.binding.shapes import POSITIONAL, Callee, CallShape, Parameter
from keel.languages.python.comparison.annotations import meaning
from keel.languages.python.comparison.parameters import free
from keel.languages.python.contracts.callbacks import called_back
from keel.languages.python.contracts.reach import Reach
from keel.languages.python.facts import Interface, PythonSide
from keel.model.contracts import Alteration, Aspect, Spot, State, Verdict
from keel.model.facts import Reference
from keel.model.kinds import NodeKind, ParamKind, RefKind

DECORATING = CallShape(1)
"""What `@f` calls `f` with."""
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

    def fit(self, file: int, reference: Reference, callee: Spot) -> Verdict:
        """Whether a call fits what it calls."""
        interface = self._names.interface(file)
        call = read_call(interface, reference.value) if is_call(interface, reference) else DECORATING
        reached = self._reach.of(file, _called(interface, reference), callee)
        if reached is None and (handed := _handed(interface, reference)) is not None:
            place, call = handed
            reached = self._reach.of(file, place, callee)
        if reached is None:
            return NOT_KNOWN
        taken = callee_of(self._names, Place(*callee), reached)
        return _verdict(bind(call, taken), call, taken)

    def is_named(self, file: int, reference: Reference, callee: Spot) -> bool:
        """Whether a call names what it calls: by a name with one meaning, or by its own name on what surely has it."""
        interface = self._names.interface(file)
        place = _called(interface, reference)
        if place < 0:
            return False
        if isinstance(self._names.meaning(file, place), Place):
            return True
        there = self._names.interface(callee.file)
        definition = there.defs[callee.ordinal]
        last = text_of(interface, place).rpartition(".")[2]
        is_named = last == there.text(definition.name) or (last == OWN_CLASS and definition.kind == NodeKind.CLASS)
        return is_named and self._reach.is_known(file, place)

    def is_spelled(self, file: int, reference: Reference, name: str) -> bool:
        """Whether a reference ends in a name, on a receiver of which something is known where it has one."""
        interface = self._names.interface(file)
        if interface.text(reference.text).rpartition(".")[2] != name:
            return False
        place = interface.tape[reference.value + 1] if is_call(interface, reference) else reference.value
        return place < 0 or self._reach.has_owner(file, place)

    def is_member(self, file: int, place: int, member: Spot) -> bool:
        """Whether the last name of a value is a member of what it is looked up on."""
        return self._reach.is_member(file, place, member)

    def is_touched(self, file: int, reference: Reference, callee: Spot, alteration: Alteration) -> bool:
        """Whether a call has to do with a change."""
        interface = self._names.interface(file)
        if not is_call(interface, reference):
            return False
        if alteration.aspect is Aspect.PARAMETER_TYPE:
            value = self._passed(file, reference.value, callee, alteration.name)
            return value is not None and not _is_proven(
                interface, value, self._names.interface(callee.file), alteration
            )
        return True

    def _passed(self, file: int, call: int, callee: Spot, name: str) -> int | None:
        """The place of the argument that a parameter is given; -1 where a star may hold it, None when it is not."""
        interface = self._names.interface(file)
        positional, named = arguments(interface, call)
        if name in named:
            return named[name]
        if interface.tape[call + 3]:  # a star
            return -1
        reached = self._reach.of(file, interface.tape[call + 1], callee) or Reached.NAME
        taken = callee_of(self._names, Place(*callee), reached)
        params = [param.name for shape in taken.shapes[-1:] for param in free(shape) if param.kind in POSITIONAL]
        at = params.index(name) if name in params else len(positional)
        return positional[at] if at < len(positional) else None


def is_call(interface: Interface, reference: Reference) -> bool:
    """Whether the arguments of a reference are known."""
    return reference.value >= 0 and interface.tape[reference.value] == forms.CALL


def _called(interface: Interface, reference: Reference) -> int:
    """The place of what is called, by a call or as a decorator without arguments; -1 when it is not known."""
    if is_call(interface, reference):
        return interface.tape[reference.value + 1]
    if reference.kind != RefKind.DECORATE:
        return -1
    text = interface.text(reference.text)
    places = interface.defs[reference.source].decorators
    return next((place for place in places if text_of(interface, place) == text), -1)


def _handed(interface: Interface, reference: Reference) -> tuple[int, CallShape] | None:
    """What a call hands over to be called, and how it is called."""
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
    """The parameter that each positional argument reaches; what is left goes to the one with a star, `*rest`."""
    places = [param.name for param in params if param.kind in POSITIONAL][: call.positional]
    star = [f"*{param.name}" for param in params if param.kind == ParamKind.VAR_POSITIONAL]
    return (*places, *star * (call.positional - len(places)))


def _words(reasons: tuple[Reason, ...]) -> str:
    return ", ".join(reason.words for reason in reasons)


def _is_by_name(reasons: tuple[Reason, ...]) -> bool:
    return any(reason.fault in BY_NAME for reason in reasons)


def _is_proven(interface: Interface, value: int, callee: Interface, alteration: Alteration) -> bool:
    """Whether an argument is a literal of a type that the parameter takes now."""
    if value < 0:
        return False
    tape = interface.tape
    kind = ATOMS.get(tape[value + 1]) if tape[value] == forms.ATOM else LITERALS.get(tape[value])
    if tape[value] == forms.NUMBER:
        kind = "builtins.int" if interface.strings[tape[value + 1]].isdecimal() else None
    wanted = meaning(alteration.after, callee)
    return kind is not None and wanted is not None and kind in wanted.members
