"""Edges: the links of one file's references, those included that depend on abstract values.

A call whose callee is a value is resolved by evaluation; one target is linked as known, several with less confidence.
References that look-ups alone resolve are left to `link`.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from keel.languages.python import forms
from keel.languages.python.resolve.evaluate import builtin_functions, calls, members
from keel.languages.python.resolve.evaluate.abstract_values import CLASS as CLASS_THING
from keel.languages.python.resolve.evaluate.abstract_values import (
    FUNCTION,
    INSTANCE,
    MODULE,
    OUTSIDE,
    WRAPPER,
    AbstractValue,
    AbstractValues,
    join,
)
from keel.languages.python.resolve.evaluate.arguments import Arguments, of_abstract_values, of_call
from keel.languages.python.resolve.evaluate.builtin_functions import through_star, why_none, why_not
from keel.languages.python.resolve.evaluate.evaluator import Evaluator
from keel.languages.python.resolve.flow import argument_flow
from keel.languages.python.resolve.flow.argument_flow import ArgumentFlow
from keel.languages.python.resolve.lookup.answer_cache import Trace
from keel.languages.python.resolve.lookup.lookup import AMBIGUOUS, CLASS, DYNAMIC, FUNCTIONS, LINKED, NOT_LOOKED, Answer
from keel.model.facts import ABSTRACT, CLASSMETHOD, DELETED, PLAIN, PROPERTY, STAR, STATIC, Reference
from keel.model.kinds import EdgeKind, NodeKind, RefKind, Tier
from keel.model.metadata import stored
from keel.model.rows import EdgeRow

CALLS, INSTANTIATES, REFERENCES = int(EdgeKind.CALLS), int(EdgeKind.INSTANTIATES), int(EdgeKind.REFERENCES)
DECORATES = int(EdgeKind.DECORATES)
METHOD = NodeKind.METHOD
IMPLICIT = '{"implicit":true}'
"""Metadata of a call that the source does not spell out."""
CALL, READ, DECORATE = int(RefKind.CALL), int(RefKind.READ), int(RefKind.DECORATE)
HEURISTIC = int(Tier.TIER2_TREESITTER_HEURISTIC)
RECEIVER, ONE, SEVERAL = 80, 75, 60
"""Confidence in hundredths: a member of a known receiver, one target through assignments, several of them."""

Target = tuple[int, int, int, int, int, str]
"""The last six fields of an edge: target file and definition, tier, confidence, type_only, metadata."""


Ask = tuple[Any, ...]
"""How to resolve a reference: a method of `Linked`, and its arguments; it returns a reason."""
NO_ROWS: list[EdgeRow] = []
NO_FLOW: ArgumentFlow = {}


class Live(NamedTuple):
    """The outcome for a reference that depends on slots, and on which."""

    slots: tuple[int, ...]
    rows: list[EdgeRow]
    outflow: ArgumentFlow
    ask: Ask


class Linked:
    """A file being linked: what is settled, and what may change with argument flow."""

    def __init__(
        self, evaluator: Evaluator, file: int, references: Sequence[Reference], uses: Sequence[int] = ()
    ) -> None:
        self._evaluator = evaluator
        self._interface = evaluator.source(file).interface
        self.file = file
        self._has_stars = any(item.flags & STAR for item in self._interface.imports)
        self.references: Sequence[Reference] | Mapping[int, Reference] = references
        self._uses = uses
        self._deleted = {item.target for item in self._interface.assigns if item.how == DELETED and item.target >= 0}
        self.trace = Trace()
        """What was looked up since the keys were written down."""
        self._keys = array("q")
        self.reasons = bytearray()
        self.candidates: dict[int, list[str]] = {}
        self.live: dict[int, Live] = {}
        """References, by index, that depend on slots; other expressions of the file below zero."""
        self._own: dict[int, list[int]] = {}
        """Calls on the receiver, by method: it may be an instance of a subclass."""
        self._abstract: dict[int, EdgeRow] = {}
        """Those that reach an abstract method, until an implementation of it is known."""
        self._settled: list[EdgeRow] = []
        self._given: list[ArgumentFlow] = []
        self._slots: dict[tuple[int, ...], tuple[int, ...]] = {}
        self._rows = self._settled
        self._outflow: ArgumentFlow = {}
        self._asides = 0

    @property
    def is_settled(self) -> bool:
        """Whether argument flow can no longer change the outcome."""
        return not self.live and not self._own

    @property
    def keys(self) -> set[int]:
        """Everything that was looked up."""
        receivers = {self._evaluator.slots.key(self.file, method, 0) for method in self._own}
        return receivers.union(self._keys, self.trace.all_keys())

    @property
    def rows(self) -> list[EdgeRow]:
        """All edges."""
        abstract = [row for index, row in self._abstract.items() if index not in self.live]
        return [*self._settled, *abstract, *(row for live in self.live.values() for row in live.rows)]

    @property
    def outflow(self) -> ArgumentFlow:
        """Everything that flows from the file to others."""
        outflow: dict[int, list[AbstractValues]] = {}
        for part in (*self._given, *(live.outflow for live in self.live.values())):
            for slot, values in part.items():
                outflow.setdefault(slot, []).append(values)
        return {slot: joined for slot, parts in outflow.items() if (joined := join(parts))}

    def settle(self, index: int, kind: int, target: Target) -> None:
        """A reference whose target is known by look-ups alone."""
        reference = self.references[index]
        self.reasons.append(LINKED)
        self._rows = self._settled
        self._add(reference, kind, target)
        if reference.kind == CALL and kind in (INSTANTIATES, CALLS):
            receiver = self._receiver(reference, target)
            if argument_flow.is_worth(self._evaluator, self.file, reference.value, target[:2], receiver):
                self._watch(index, (Linked._pass_arguments, index, [(target[0], target[1], receiver)]))

    def wait(self, index: int, reason: int, method: int) -> None:
        """A call on the receiver that does not resolve, unless it is called on a subclass."""
        self.reasons.append(reason)
        self._expect(index, method)

    def _expect(self, index: int, method: int) -> None:
        """Records a call on the receiver of a method that may be called on subclasses."""
        slots = self._evaluator.slots
        if slots.is_open(self.file, method):
            self._own.setdefault(method, []).append(index)
            slots.read.add(slots.key(self.file, method, 0))

    def settle_own(self, index: int, target: Target, method: int, owner: int) -> None:
        """A call on the receiver of the method around."""
        e = self._evaluator
        reference = self.references[index]
        self.reasons.append(LINKED)
        row = EdgeRow(reference.source, reference.at, CALLS, *target)
        definition = e.source(target[0]).defs[target[1]]
        if definition.flags & ABSTRACT:
            self._abstract[index] = row
        else:
            self._settled.append(row)
        self._expect(index, method)
        receiver: AbstractValue | None = None
        if (
            self._interface.text(reference.text).count(".") > 1
        ):  # a class inside of it has the method: `self.Inner.make`
            receiver = self._receiver(reference, target)
        elif definition.kind == METHOD and not definition.flags & STATIC:
            on_class = definition.flags & CLASSMETHOD or self._interface.defs[method].flags & CLASSMETHOD
            receiver = (CLASS_THING if on_class else INSTANCE, self.file, owner)
        if argument_flow.is_worth(e, self.file, reference.value, target[:2], receiver):
            self._aside((Linked._pass_arguments, index, [(target[0], target[1], receiver)]))

    def note(self, file: int, ordinal: int) -> None:
        """Records that the decorators and the parameters of a definition were looked up."""
        if file != self.file and self._evaluator.source(file).defs[ordinal].kind in FUNCTIONS:
            self._evaluator.note_function(file, ordinal)

    def follow(self, index: int, otherwise: int = DYNAMIC.reason, named: Target | None = None) -> None:
        """A reference that depends on a value; `named` is a definition that it names and that decorators replace."""
        self.reasons.append(otherwise)
        self.reasons[index] = self._watch(index, (Linked._followed, index, otherwise, named))

    def add(self, rows: Iterable[EdgeRow]) -> None:
        """Edges without a reference."""
        self._settled += rows

    def finish(self) -> None:
        """Argument flow without a reference: decorated definitions, and attributes of others that are set."""
        for ordinal, definition in enumerate(self._interface.defs):
            if definition.decorators:
                self._aside((Linked._decorators, ordinal))
            if definition.bases:
                self._aside((Linked._subclass, ordinal))
        for assign in self._interface.assigns:
            if assign.how == PLAIN and assign.value >= 0 and self._is_foreign(assign.target):
                self._aside((Linked._store, assign.target, assign.value))
        uses = self._uses
        for index in range(0, len(uses), 3):
            self._aside((Linked._use, *uses[index : index + 3]))

    def rest(self) -> None:
        """Keeps only what is needed to ask again: a whole project is in memory until the fixpoint is reached."""
        self._keys = array("q", self.keys)
        self.trace = Trace()
        kept = {index for calls_ in self._own.values() for index in calls_}
        kept.update(live.ask[1] for live in self.live.values() if live.ask[0] in BY_REFERENCE)
        self.references = {index: self.references[index] for index in sorted(kept)}
        self._slots.clear()
        if self._evaluator.is_test(self.file):  # no other file asks for the values of tests
            self._evaluator.lookup.let_go(self.file)

    def again(self, changed: Callable[[int], bool]) -> bool:
        """Asks again about references that depend on slots that changed; whether there was any."""
        known: dict[tuple[int, ...], bool] = {}  # many depend on the same slots
        stale: set[int] = set()
        for index, (slots, *_) in self.live.items():
            is_stale = known.get(slots)
            if is_stale is None:
                is_stale = known[slots] = any(map(changed, slots))
            if is_stale:
                stale.add(index)
        for method, calls_ in self._own.items():
            if changed(self._evaluator.slots.key(self.file, method, 0)):
                stale.update(calls_)
        for index in sorted(stale):
            live = self.live.pop(index, None)
            ask = (Linked._of_subclasses, index, self.reasons[index]) if live is None else live.ask
            reason = self._watch(index, ask)
            if index >= 0:
                self.reasons[index] = reason
        return bool(stale)

    def _of_subclasses(self, index: int, otherwise: int) -> int:
        reason = self._call(self.references[index])
        return reason if reason == LINKED else otherwise

    def _aside(self, ask: Ask) -> None:
        """Does something that decides about no reference."""
        self._asides -= 1
        self._watch(self._asides, ask)

    def _watch(self, index: int, ask: Ask) -> int:
        """Does something for a reference, and records the slots that it depended on."""
        self._rows, self._outflow = [], {}
        self._evaluator.at_hand = self.file
        find, *arguments = ask
        lookup = self._evaluator.lookup
        reason: int
        try:
            reason, slots = lookup.traced(self.trace, find, self, *arguments)
        except RecursionError:  # a value at the end of a very long chain of others
            lookup.start_over()
            return NOT_LOOKED.reason
        if slots:
            slots = self._slots.setdefault(slots, slots)
            self.live[index] = Live(slots, self._rows or NO_ROWS, self._outflow or NO_FLOW, ask)
        else:
            self._settled += self._rows
            if self._outflow:
                self._given.append(self._outflow)
        return reason

    # the outcome for a reference

    def _add(self, reference: Reference, kind: int, target: Target) -> None:
        """An edge; calling a class calls what makes its instances too, and decorating calls the decorator."""
        source, at = reference.source, reference.at
        if kind in (CALLS, INSTANTIATES) and at < self._interface.defs[source].body:
            source, at = self._around(source, at)
        self._rows.append(EdgeRow(source, at, kind, *target))
        if kind == INSTANTIATES:
            self._made(source, at, target)
        elif kind == DECORATES:
            self._decorator(reference, target)
        elif kind == REFERENCES and self._is_getter(target) and reference.value not in self._deleted:
            self._rows.append(EdgeRow(source, at, CALLS, *target[:5], IMPLICIT))

    def _is_getter(self, target: Target) -> bool:
        definition = self._evaluator.source(target[0]).defs[target[1]]
        if definition.kind != METHOD:
            return False
        self.note(target[0], target[1])
        return bool(definition.flags & PROPERTY)

    def _around(self, source: int, at: int) -> tuple[int, int]:
        """The head of a definition (defaults, decorators, bases) is evaluated outside the definition."""
        definition = self._interface.defs[source]
        return definition.parent, at + definition.start - self._interface.defs[definition.parent].start

    def _made(self, source: int, at: int, target: Target) -> None:
        """What making an instance runs: `__init__`, or `__new__` where only that exists; the other goes beside it."""
        metadata = target[5]
        for name in ("__init__", "__new__", "__post_init__"):
            if name == "__post_init__" and metadata == IMPLICIT:
                return  # only the constructor that a dataclass generates runs it
            answer = self._evaluator.lookup.special(target[0], target[1], name)
            if answer.reason != LINKED or answer.kind not in FUNCTIONS:
                continue
            metadata = IMPLICIT if name == "__post_init__" else metadata
            self._rows.append(EdgeRow(source, at, CALLS, answer.file, answer.ordinal, *target[2:5], metadata))
            metadata = IMPLICIT

    def _decorator(self, reference: Reference, target: Target) -> None:
        """Decorators are called outside the definition."""
        around, at = self._around(reference.source, reference.at)
        kind = self._evaluator.source(target[0]).defs[target[1]].kind
        if kind == CLASS:
            self._rows.append(EdgeRow(around, at, INSTANTIATES, *target))
            self._made(around, at, target)
        elif kind in FUNCTIONS:
            self._rows.append(EdgeRow(around, at, CALLS, *target))

    def _followed(self, index: int, otherwise: int, named: Target | None = None) -> int:
        """Evaluates the value that a reference depends on; a reason, `otherwise` where nothing more is known.

        A definition that it names is referred to, also where something else runs in its place.
        """
        reference = self.references[index]
        reason = self._valued(reference, otherwise)
        if named is None or any(row.kind != REFERENCES and row[3:5] == named[:2] for row in self._rows):
            return reason
        self._rows.append(EdgeRow(reference.source, reference.at, REFERENCES, *named))
        return LINKED

    def _valued(self, reference: Reference, otherwise: int) -> int:
        reason = DYNAMIC.reason
        if reference.value >= 0 and reference.kind in (CALL, DECORATE):
            reason = self._call(reference, SEVERAL if otherwise == AMBIGUOUS else RECEIVER)
        elif reference.value >= 0 and reference.kind == READ:
            reason = self._read(reference)
        if otherwise == AMBIGUOUS:
            return reason if reason == LINKED else otherwise
        if reason == DYNAMIC.reason and self._evaluator.lookup.has_run_out:
            return NOT_LOOKED.reason
        return otherwise if reason == DYNAMIC.reason else reason

    def _call(self, reference: Reference, most: int = RECEIVER) -> int:
        """Evaluates the callee of a call; no edge is more certain than `most`."""
        e = self._evaluator
        ir = self._interface.ir
        if ir[reference.value] != forms.CALL:
            return DYNAMIC.reason
        callee = ir[reference.value + 1]
        callees = e.evaluate(self.file, callee)
        targets = calls.targets(e, callees)
        self._called_back(reference, callees)
        if not targets:
            return why_not(e, self.file, callee)
        refs = self._concrete(targets)
        confidence = (RECEIVER if self._has_receiver(reference) else ONE) if len(refs) == 1 else SEVERAL
        confidence = min(confidence, most)
        star = through_star(e, self.file, callee) if self._has_stars else None
        metadata = ""
        if star is not None:
            confidence, metadata = min(confidence, star.confidence), stored(star.star, [])
        wrappers = [value for value in callees if value[0] == WRAPPER]
        for value in wrappers:
            self._add(reference, CALLS, (value[1], value[2], HEURISTIC, ONE if len(wrappers) == 1 else SEVERAL, 0, ""))
        for target_file, ordinal in refs:
            kind = e.source(target_file).defs[ordinal].kind
            target = (target_file, ordinal, HEURISTIC, confidence, 0, metadata)
            if reference.kind == DECORATE:
                self._add(reference, DECORATES, target)
            else:
                self._add(reference, INSTANTIATES if kind == CLASS else CALLS, target)
        self._hand(reference, targets)
        self._getters(reference, callee)
        return LINKED

    def _getters(self, reference: Reference, callee: int) -> None:
        """Properties that are read on the way to a callee: `self.session.get()`."""
        if self._interface.strings[reference.text].count(".") > 1:
            for file, ordinal in members.getters_before(self._evaluator, self.file, callee):
                row = EdgeRow(reference.source, reference.at, CALLS, file, ordinal, HEURISTIC, RECEIVER, 0, IMPLICIT)
                self._rows.append(row)

    def _pass_arguments(self, index: int, targets: list[tuple[int, int, AbstractValue | None]]) -> int:
        """Does nothing for a call but to record its argument flow."""
        self._hand(self.references[index], targets)
        return LINKED

    def _hand(self, reference: Reference, targets: list[tuple[int, int, AbstractValue | None]]) -> None:
        """Records the argument flow of a call to its callees."""
        self._take(argument_flow.of_call_to(self._evaluator, self.file, reference.value, targets))

    def _take(self, outflow: ArgumentFlow) -> None:
        for slot, values in outflow.items():
            self._outflow[slot] = join((self._outflow.get(slot, ()), values))

    def _called_back(self, reference: Reference, callees: AbstractValues) -> None:
        """Functions from outside call their arguments: `map(f, …)`, `sorted(…, key=f)`."""
        e = self._evaluator
        for callee in callees:
            if callee[0] == OUTSIDE and callee[1] in builtin_functions.PARTIALS:
                inner, rest = builtin_functions.partly(of_call(e, self.file, reference.value))
                for value in e.given(inner) if inner is not None else ():
                    self._take(argument_flow.to_function(e, value, rest))
            elif callee == builtin_functions.SETATTR:
                for owner, name, values in builtin_functions.attributes_set(e, of_call(e, self.file, reference.value)):
                    self._take(argument_flow.to_attribute(e, owner, name, values))
            elif callee[0] == OUTSIDE and builtin_functions.calls_back(callee[1]):
                arguments = of_call(e, self.file, reference.value)
                functions = builtin_functions.called_back(e, callee[1], arguments)
                self._implied(reference, functions)
                self._run_by(reference, callee[1], arguments)
                elements = builtin_functions.handed_to(e, callee[1], arguments)
                for function in functions:
                    self._take(argument_flow.to_function(e, function, of_abstract_values(*elements)))
            elif callee[0] == OUTSIDE:
                self._run_by(reference, callee[1], of_call(e, self.file, reference.value))

    def _run_by(self, reference: Reference, name: str, arguments: Arguments) -> None:
        """The methods of its arguments that a built-in function runs."""
        for method, given in calls.by_built_in(self._evaluator, name, arguments):
            self._run(reference.source, reference.at, method, given)

    def _implied(self, reference: Reference, functions: AbstractValues) -> None:
        """Calls at an expression that does not spell them out."""
        e = self._evaluator
        for target_file, ordinal, _ in calls.targets(e, functions):
            target = (target_file, ordinal, HEURISTIC, ONE, 0, IMPLICIT)
            is_class = e.source(target_file).defs[ordinal].kind == CLASS
            self._add(reference, INSTANTIATES if is_class else CALLS, target)

    def _use(self, source: int, at: int, expr: int) -> int:
        """The methods that an expression runs implicitly."""
        for method, given in calls.implicit_calls(self._evaluator, self.file, expr):
            self._run(source, at, method, given)
        return LINKED

    def _run(self, source: int, at: int, method: AbstractValue, given: Arguments) -> None:
        """A method that Python itself calls."""
        self._rows.append(EdgeRow(source, at, CALLS, method[1], method[2], HEURISTIC, RECEIVER, 0, IMPLICIT))
        self._take(argument_flow.to_function(self._evaluator, method, given))

    def _receiver(self, reference: Reference, target: Target) -> AbstractValue | None:
        """The receiver of a method that was found by look-up alone: a class, if it is known."""
        e = self._evaluator
        definition = e.source(target[0]).defs[target[1]]
        if definition.kind != METHOD or not definition.flags & CLASSMETHOD:
            return None
        owner = (CLASS_THING, target[0], definition.parent)
        if reference.value < 0 or self.file != target[0]:
            return owner
        owners, _ = members.owners_of(e, self.file, self._interface.ir[reference.value + 1])
        return owners[0] if len(owners) == 1 and owners[0][0] == CLASS_THING else owner

    def _decorators(self, ordinal: int) -> int:
        """The arguments of decorators, and the functions that decorators with arguments make: they are called too."""
        e = self._evaluator
        around, at = self._around(ordinal, 0)
        for expr, decorators, held in calls.stages(e, self.file, ordinal):
            for decorator in decorators:
                self._take(argument_flow.to_function(e, decorator, of_abstract_values(held)))
            if expr >= 0 and self._interface.ir[expr] == forms.CALL:
                made = calls.targets(e, decorators)
                confidence = ONE if len(made) == 1 else SEVERAL
                for target_file, target, _ in made:
                    self._rows.append(EdgeRow(around, at, CALLS, target_file, target, HEURISTIC, confidence, 0, ""))
        return LINKED

    def _subclass(self, ordinal: int) -> int:
        """Making a class runs `__init_subclass__` of its bases, with itself."""
        e = self._evaluator
        order, _ = e.lookup.order(self.file, ordinal)
        if len(order) > 1 and order[1][0] >= 0:
            found = e.lookup.special(*order[1], "__init_subclass__")
            if found.reason == LINKED and found.kind in FUNCTIONS:
                around, at = self._around(ordinal, 0)
                target = (found.file, found.ordinal, HEURISTIC, RECEIVER, 0, IMPLICIT)
                self._rows.append(EdgeRow(around, at, CALLS, *target))
                slot = e.slots.key(found.file, found.ordinal, 0)
                self._take({slot: ((CLASS_THING, self.file, ordinal),)})
        return LINKED

    def _is_foreign(self, target: int) -> bool:
        """Whether a target is an attribute of something else than the receiver of a method."""
        ir = self._interface.ir
        if target < 0 or ir[target] not in (forms.BOUND, forms.ATTR, forms.CHAIN):
            return False
        if ir[target] == forms.ATTR:
            return True
        text = self._interface.strings[ir[target + 1]]
        return "." in text and self._evaluator.source(self.file).owner(target) is None

    def _store(self, target: int, value: int) -> int:
        e = self._evaluator
        owners, name = members.owners_of(e, self.file, target)
        if name:
            values = e.evaluate(self.file, value) if owners else ()
            for owner in owners if values else ():
                if owner[0] in (INSTANCE, CLASS_THING, FUNCTION):
                    self._take(argument_flow.to_attribute(e, owner, name, values))
        return LINKED

    def _concrete(self, targets: list[tuple[int, int, AbstractValue | None]]) -> list[tuple[int, int]]:
        """The definitions among targets, each once; abstract ones only when there are no others."""
        refs = list(dict.fromkeys(target[:2] for target in targets))
        source = self._evaluator.source
        for ref in refs:
            self.note(*ref)
        concrete = [ref for ref in refs if not source(ref[0]).defs[ref[1]].flags & ABSTRACT]
        return concrete or refs

    def _has_receiver(self, reference: Reference) -> bool:
        return "." in self._interface.strings[reference.text]

    def _read(self, reference: Reference) -> int:
        e = self._evaluator
        owners, name = members.owners_of(e, self.file, reference.value)
        if not name:
            return DYNAMIC.reason
        found: dict[tuple[int, int], Answer] = {}
        reason = why_none(owners)
        for owner in owners:
            if owner[0] in (INSTANCE, CLASS_THING):
                answer = e.lookup.attribute(owner[1], owner[2], name)
            elif owner[0] == MODULE:
                answer = e.lookup.global_name(owner[1], name)
            else:
                continue
            if answer.reason == LINKED:
                found[answer.file, answer.ordinal] = answer
            else:
                reason = answer.reason
        confidence = RECEIVER if len(found) == 1 else SEVERAL
        for target_file, ordinal in found:
            self._add(reference, REFERENCES, (target_file, ordinal, HEURISTIC, confidence, 0, ""))
        return LINKED if found else reason


BY_REFERENCE = (Linked._followed, Linked._pass_arguments)
"""What is done for a reference, which it takes by its index."""
