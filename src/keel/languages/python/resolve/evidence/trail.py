"""Evidence: from the questions that were asked for an answer to steps that people can check in the source.

Of all questions only those count whose answer involves what is looked for: the definition itself, the class it was
found on, the function that returned it. Recording the questions is left to `recording`, finding the callers that passed
a value to `explain`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from keel.languages.python import forms
from keel.languages.python.resolve.evaluate import types
from keel.languages.python.resolve.evaluate.abstract_values import (
    CLASS,
    DISPLAY,
    FUNCTION,
    GENERATOR,
    INSTANCE,
    METHOD,
    MODULE,
    SPACE,
    SUPER,
    AbstractValues,
)
from keel.languages.python.resolve.evaluate.evaluator import Evaluator
from keel.languages.python.resolve.evaluate.members import way_to
from keel.languages.python.resolve.evidence.recording import IMPORT, STARS, VALUE, Asked
from keel.languages.python.resolve.inheritance import known
from keel.languages.python.resolve.lookup.lookup import Answer
from keel.languages.python.resolve.lookup.tables import Imported
from keel.model.evidence import Clue
from keel.model.facts import MODULE_DEF, STAR, TYPE_ONLY
from keel.model.kinds import StepKind
from keel.model.refs import DefKey

NAMESPACE: DefKey = (-1, -1)
"""Any namespace package: it has no definition, and contains what is looked for."""
NAMED = (FUNCTION, CLASS, INSTANCE, METHOD, GENERATOR)
DERIVED = frozenset(
    (forms.CALL, forms.SUBSCRIPT, forms.PART, forms.REST, forms.ITEM, forms.ENTERED, forms.CAUGHT, forms.SUPER)
)
"""Operations whose result is another value than that which they begin with."""
PARTS = (forms.PART, forms.REST, forms.ITEM, forms.ENTERED, forms.CAUGHT, forms.NARROWED, forms.GROWN)
PARAMETER = "P"
FlowSites = Callable[["Trail", int, tuple[str, ...], set[DefKey]], None]
"""Shows where the values of a slot come from."""


class Trail:
    """The steps found so far, in order."""

    def __init__(self, evaluator: Evaluator, flow_sites: FlowSites) -> None:
        self._e = evaluator
        self._flow_sites = flow_sites
        self._seen: set[object] = set()
        self._given: dict[int, dict[int, int]] = {}
        self.steps: list[Clue] = []

    def add(self, kind: StepKind, file: int, at: int) -> None:
        """One more step, unless its line is shown already."""
        self.steps.append(Clue(int(kind), file, at))

    def follow(self, asked: Iterable[Asked], wanted: set[DefKey]) -> None:
        """Shows what questions say about abstract values."""
        asked = list(asked)
        wanted = _with_owners(asked, wanted)
        for one in asked:
            if one.question in self._seen or wanted.isdisjoint(mentioned(one.answer)):
                continue
            self._seen.add(one.question)
            show = SHOW.get(one.question[0])
            if show is not None:
                show(self, one, wanted)
            self.follow(one.inside, wanted | self._also_wanted(one, wanted))

    def _also_wanted(self, one: Asked, wanted: set[DefKey]) -> set[DefKey]:
        """What else is looked for inside a question: the receivers of methods, what a call calls."""
        found: set[DefKey] = set()
        if isinstance(one.answer, tuple) and one.question[0] != "O":
            for value in one.answer:
                keys = set(_definitions(value))
                if not keys.isdisjoint(wanted):
                    found |= keys
        if one.question[0] == VALUE:
            ir = self._e.source(one.question[1]).ir
            expr = one.question[2]
            if ir[expr] in DERIVED:
                lead = forms.operands(ir, expr)[0]
                for inner in one.inside:
                    if inner.question[:3] == (VALUE, one.question[1], lead):
                        found |= mentioned(inner.answer)
        return found

    # questions

    def _value(self, one: Asked, wanted: set[DefKey]) -> None:
        _, file, expr, frame = one.question
        ir, strings = self._e.source(file).ir, self._e.source(file).strings
        self._assigned(file, expr, wanted)
        if ir[expr] == forms.CALL:
            self.add(StepKind.CALL, file, ir[expr + 2])
            self._returned(one, wanted)
        elif ir[expr] == forms.ATTR:
            self._super(one, self._e.evaluate(file, ir[expr + 1]), wanted)
        while ir[expr] == forms.BOUND and ir[expr + 2] >= 0:  # a name for a name for a value
            is_chain = "." in strings[ir[expr + 1]]
            expr = ir[expr + 2]
            self._assigned(file, expr, wanted)
            if is_chain:
                return
        if ir[expr] == forms.PARAM and (frame is None or frame[:2] != (file, ir[expr + 1])):
            self._parameter(file, ir[expr + 1], ir[expr + 2], wanted)

    def _super(self, one: Asked, owners: AbstractValues, wanted: set[DefKey]) -> None:
        """The classes between `super()` and the method that was found behind it."""
        for owner in owners:
            for value in one.answer if owner[0] == SUPER else ():
                if value[0] in (METHOD, FUNCTION) and (value[1], value[2]) in wanted:
                    parent = self._e.source(value[1]).defs[value[2]].parent
                    self._inherited((owner[3][1], owner[3][2]), (value[1], parent))

    def _returned(self, one: Asked, wanted: set[DefKey]) -> None:
        """The annotation of a call's callee, when that says what the call returns."""
        _, file, expr, _ = one.question
        for callee in self._e.evaluate(file, self._e.source(file).ir[expr + 1]):
            if callee[0] in (FUNCTION, METHOD):
                definition = self._e.source(callee[1]).defs[callee[2]]
                if definition.signature is not None and self._says(callee[1], definition.signature.type, wanted):
                    self.add(StepKind.ANNOTATION, callee[1], definition.name_at)

    def _parameter(self, file: int, function: int, index: int, wanted: set[DefKey]) -> None:
        e = self._e
        source = e.source(file)
        definition = source.defs[function]
        params = definition.signature.params if definition.signature else []
        if index >= len(params) or (PARAMETER, file, function, index) in self._seen:
            return
        self._seen.add((PARAMETER, file, function, index))
        if self._says(file, params[index].type, wanted):
            self.add(StepKind.ANNOTATION, file, definition.name_at)
            return
        receiver = e.receiver(file, function, index)
        if not receiver:
            self.add(StepKind.ASSIGNMENT, file, definition.name_at)
        if wanted.isdisjoint(mentioned(receiver)):
            names = (source.strings[definition.name], source.strings[source.defs[definition.parent].name])
            self._flow_sites(self, e.slots.key(file, function, index), names, wanted)

    def _name(self, one: Asked, wanted: set[DefKey]) -> None:
        _, file, scope, name = one.question
        source = self._e.source(file)
        field = source.fields.get((scope, name))
        if field is not None and self._says(file, source.defs[field].type, wanted):
            self.add(StepKind.ANNOTATION, file, source.defs[field].name_at)

    def _member(self, one: Asked, wanted: set[DefKey]) -> None:
        """An attribute of a class or instance: the classes on the way to it, and its assignments."""
        _, sort, file, ordinal, name = one.question
        owners = known(self._e.lookup.order(file, ordinal)[0])
        for owner in owners:
            source = self._e.source(owner[0])
            stored = source.stores.get((owner[1], name), []) if sort == INSTANCE else []
            given = self._e.slots.field(*owner, name)
            if (owner[1], name) not in source.bindings and not stored and not given:
                continue
            self._inherited((file, ordinal), owner)
            if not wanted.isdisjoint(mentioned(given)):
                slot = self._e.slots.field_key(*owner, name)
                self._flow_sites(self, slot, (name, source.strings[source.defs[owner[1]].name]), wanted)
            return

    def _attribute(self, one: Asked, wanted: set[DefKey]) -> None:
        _, file, ordinal, _ = one.question
        answer: Answer = one.answer
        if answer.file >= 0:
            owner = self._e.source(answer.file).defs[answer.ordinal].parent
            self._inherited((file, ordinal), (answer.file, owner))

    def _decorated(self, one: Asked, wanted: set[DefKey]) -> None:
        """A function whose decorators might have replaced it."""
        _, file, ordinal, _ = one.question
        self.add(StepKind.CALL, file, self._e.source(file).defs[ordinal].start)

    def _import(self, one: Asked, wanted: set[DefKey]) -> None:
        _, file, item = one.question
        interface = self._e.source(file).interface
        for found in interface.imports:
            what = Imported(
                interface.text(found.module),
                found.level,
                "" if found.flags & STAR else interface.text(found.name),
                found.alias >= 0,
                bool(found.flags & TYPE_ONLY),
            )
            if (what.module, what.level, what.name) == (item.module, item.level, item.name):
                self._imports(file, found.at)
                return

    def _stars(self, one: Asked, wanted: set[DefKey]) -> None:
        _, file, _ = one.question
        interface = self._e.source(file).interface
        for found in interface.imports:
            if found.flags & STAR and "." * found.level + interface.text(found.module) == one.answer.star:
                self._imports(file, found.at)
                return

    # steps

    def _imports(self, file: int, at: int) -> None:
        """An import; in a file that another one imports from, a re-export."""
        first = not self.steps or self.steps[-1].kind not in (StepKind.IMPORT, StepKind.RE_EXPORT)
        kind = StepKind.IMPORT if first or self.steps[-1].file == file else StepKind.RE_EXPORT
        self.add(kind, file, at)

    def _inherited(self, here: DefKey, owner: DefKey) -> None:
        for (file, ordinal), _ in way_to(self._e.lookup, here, owner):
            self.add(StepKind.INHERIT, file, self._e.source(file).defs[ordinal].name_at)

    def _assigned(self, file: int, expr: int, wanted: set[DefKey]) -> None:
        """Where a value was assigned or returned, if it involves what is looked for."""
        at = self._assigned_at(file, expr)
        if at is not None and not wanted.isdisjoint(mentioned(self._e.evaluate(file, expr))):
            self.add(StepKind.ASSIGNMENT, file, at)

    def _assigned_at(self, file: int, expr: int) -> int | None:
        source = self._e.source(file)
        given = self._given.get(file)
        if given is None:
            given = self._given[file] = {item.value: item.at for item in source.interface.returns}
            given.update((item.value, item.at) for item in source.interface.assigns)
        while expr >= 0 and expr not in given and source.ir[expr] in PARTS:
            expr = source.ir[expr + 1]
        return given.get(expr) if expr >= 0 else None

    def _says(self, file: int, type_expr: int, wanted: set[DefKey]) -> bool:
        """Whether an annotation says what is looked for."""
        declared = self._e.without_frame(types.instances, self._e, file, type_expr)
        return not wanted.isdisjoint(mentioned(declared))


SHOW: dict[str, Callable[[Trail, Asked, set[DefKey]], None]] = {
    VALUE: Trail._value,
    "N": Trail._name,
    "M": Trail._member,
    "A": Trail._attribute,
    "P": Trail._attribute,
    "D": Trail._decorated,
    IMPORT: Trail._import,
    STARS: Trail._stars,
}
"""What there is to show for a question, by the letter it begins with."""


def mentioned(answer: object) -> set[DefKey]:
    """The definitions that an answer involves."""
    if isinstance(answer, Answer):
        if answer.namespace is not None:
            return {NAMESPACE}
        return {*answer.candidates, *([(answer.file, answer.ordinal)] if answer.file >= 0 else [])}
    if isinstance(answer, tuple):
        return {key for value in answer for key in _definitions(value)}
    return set()


def _definitions(value: Any) -> Iterator[DefKey]:
    """The definitions in an abstract value; anything else in an answer has none."""
    if not isinstance(value, tuple) or not value or not isinstance(value[0], int):
        return
    sort = value[0]
    if sort in NAMED:
        yield value[1], value[2]
        if sort == METHOD:
            yield from _definitions(value[3])
    elif sort == MODULE:
        yield value[1], MODULE_DEF
    elif sort == SPACE:
        yield NAMESPACE
    elif sort == DISPLAY:
        yield value[1], -2 - value[2]
    elif sort > DISPLAY:
        for part in value[1:]:
            yield from _inner(part)


def _inner(part: Any) -> Iterator[DefKey]:
    """The definitions in a part of an abstract value: another value, or values, or keys with values."""
    if isinstance(part, tuple) and part:
        if isinstance(part[0], int):
            yield from _definitions(part)
        else:
            for inner in part:
                yield from _inner(inner)


def _with_owners(asked: list[Asked], wanted: set[DefKey]) -> set[DefKey]:
    """What is looked for, and the classes and modules that it was found on, one below the other."""
    found = set(wanted)
    for one in reversed(asked):  # a class is asked for before its attributes
        letter = one.question[0]
        if letter in ("M", "A", "P", "G") and not found.isdisjoint(mentioned(one.answer)):
            found.add((one.question[1], MODULE_DEF) if letter == "G" else (one.question[-3], one.question[-2]))
    return found
