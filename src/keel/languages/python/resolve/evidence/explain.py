"""Explaining an edge: its reference is linked once more, and the look-ups on the way become evidence.

Nothing is kept for this when files are linked. Argument flow is left to the last run: it is read from the store, so
that the answer is the one the graph holds.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property, partial
from itertools import islice

from keel.languages.python.facts import PythonTree, decode_references
from keel.languages.python.resolve.evaluate.abstract_values import AbstractValue, AbstractValues, join
from keel.languages.python.resolve.evaluate.evaluation import ParameterSlots
from keel.languages.python.resolve.evaluate.evaluator import Evaluator
from keel.languages.python.resolve.evaluate.members import way_to
from keel.languages.python.resolve.evidence.recording import Asked, Recording, RecordingEvaluator
from keel.languages.python.resolve.evidence.trail import NAMESPACE, Trail, mentioned
from keel.languages.python.resolve.flow.edges import Linked, Target
from keel.languages.python.resolve.flow.fixpoint import MAX_ITERATIONS, PortableValues, held_by
from keel.languages.python.resolve.link import MAX_FRAMES, PythonLinker
from keel.languages.python.resolve.lookup.lookup import LINKED
from keel.model.evidence import Clue
from keel.model.facts import PLAIN, Reference
from keel.model.kinds import EdgeKind, NodeKind, RefKind, StepKind
from keel.model.refs import DefKey
from keel.model.rows import EdgeRow
from keel.ports.tree import SlotContents

FIRST = {
    EdgeKind.IMPORTS: StepKind.IMPORT,
    EdgeKind.CALLS: StepKind.CALL,
    EdgeKind.INSTANTIATES: StepKind.CALL,
    EdgeKind.DECORATES: StepKind.CALL,
    EdgeKind.INHERITS: StepKind.INHERIT,
    EdgeKind.OVERRIDES: StepKind.INHERIT,
    EdgeKind.TYPE_OF: StepKind.TYPE_REF,
    EdgeKind.REFERENCES: StepKind.TYPE_REF,
}
"""What the reference itself shows, by the kind of its edge."""
VALUES = (NodeKind.CONSTANT, NodeKind.FIELD)
MAX_FLOW_SITES = 3
"""Call sites that are shown for a parameter; further back, one."""
MAX_TRIED = 400
"""References of one file that are tried before the file is left out."""


def explain(
    tree: PythonTree, file: int, edge: EdgeRow, references: Callable[[int], bytes], given: SlotContents
) -> list[Clue]:
    """The steps behind an edge of a file, from the reference to the definition."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, MAX_FRAMES))
    try:
        return _Explainer(tree, references, given).steps(file, edge)
    finally:
        sys.setrecursionlimit(limit)


class _Explainer(PythonLinker):
    """A linker that records its look-ups."""

    def __init__(self, tree: PythonTree, references: Callable[[int], bytes], given: SlotContents) -> None:
        super().__init__(tree)
        self._given = given
        self._portable = PortableValues(tree, self._source)
        self._read = references
        self._depth = 0
        self._evaluator.slots.held = self._in_slot

    @cached_property
    def _lookup(self) -> Recording:
        return Recording(self._tree, self._table)

    @cached_property
    def _evaluator(self) -> Evaluator:
        slots = ParameterSlots(self._tree.files, self._source, self._lookup)
        return RecordingEvaluator(self._tree, self._lookup, self._source, slots)

    def steps(self, file: int, edge: EdgeRow) -> list[Clue]:
        """The recipe: the reference's own line, then the steps from it to the target."""
        trail = Trail(self._evaluator, self._flow_sites)
        source = self._source(file)
        at = source.defs[edge.source].start + edge.at
        target = (edge.target_file, edge.target)
        first = FIRST[EdgeKind(edge.kind)]
        if edge.kind == EdgeKind.REFERENCES and self._source(target[0]).defs[target[1]].kind in VALUES:
            first = StepKind.CONSTANT
        elif edge.kind == EdgeKind.REFERENCES and self._is_call(file, at):
            first = StepKind.CALL
        trail.add(first, file, at)
        if edge.kind == EdgeKind.OVERRIDES:
            self._inherited(trail, (file, edge.source), target)
        else:
            trail.follow(self._lookup.recorded(lambda: self._again(file, at, target)), {target, NAMESPACE})
        return trail.steps

    def _is_call(self, file: int, at: int) -> bool:
        """Whether the name at an offset is called; such a name refers to the function that a decorator replaced."""
        defs = self._source(file).defs
        return any(
            reference.kind == RefKind.CALL and defs[reference.source].start + reference.at == at
            for reference in self._references(file)
        )

    def _again(self, file: int, at: int, target: DefKey) -> None:
        """Links the references, decorators or implicit calls at an offset once more."""
        source = self._source(file)
        for reference in self._references(file):
            if source.defs[reference.source].start + reference.at == at:
                alone = _Alone(self._evaluator, file, [reference], target)
                self._go_over(alone, [reference])
                alone.follow_value(0)
        for ordinal, definition in enumerate(source.defs):
            if definition.decorators and definition.start == at:
                _Alone(self._evaluator, file, [], target).decorate(ordinal)
        uses = decode_references(self._read(file)).uses
        for index in range(0, len(uses), 3):
            if source.defs[uses[index]].start + uses[index + 1] == at:
                _Alone(self._evaluator, file, [], target).use(uses[index : index + 3])

    def _inherited(self, trail: Trail, method: DefKey, target: DefKey) -> None:
        owner = (target[0], self._source(target[0]).defs[target[1]].parent)
        here = (method[0], self._source(method[0]).defs[method[1]].parent)
        for (file, ordinal), _ in way_to(self._lookup, here, owner):
            trail.add(StepKind.INHERIT, file, self._source(file).defs[ordinal].name_at)

    # argument flow

    def _in_slot(self, slot: int) -> AbstractValues:
        given = self._given(slot)
        return join(held_by(self._portable.read(given[file]), MAX_ITERATIONS) for file in sorted(given))

    def _flow_sites(self, trail: Trail, slot: int, names: tuple[str, ...], wanted: set[DefKey]) -> None:
        """Shows the sites from which the target flows into a slot."""
        if self._depth >= MAX_ITERATIONS:
            return
        self._depth += 1
        found = self._flow_sources(slot, names, wanted)
        for kind, file, at, asked in islice(found, MAX_FLOW_SITES if self._depth == 1 else 1):
            trail.add(kind, file, at)
            trail.follow(asked, wanted)
        self._depth -= 1

    def _flow_sources(self, slot: int, names: tuple[str, ...], wanted: set[DefKey]) -> Iterator[FlowSource]:
        """The calls and assignments from which the target flows into a slot; in each file those first that name it."""
        for file, data in sorted(self._given(slot).items()):
            if wanted.isdisjoint(mentioned(held_by(self._portable.read(data), MAX_ITERATIONS))):
                continue
            for kind, at, alone, ask in self._tries(file, names):
                asked = self._lookup.recorded(ask)
                if not wanted.isdisjoint(mentioned(alone.outflow.get(slot, ()))):
                    is_decorator = kind == StepKind.CALL and not alone.references
                    # the argument of a decorator is right below it; the rest is about what it makes of that
                    yield kind, file, at, [] if is_decorator else asked

    def _tries(self, file: int, names: tuple[str, ...]) -> Iterator[tuple[StepKind, int, _Alone, Callable[[], None]]]:
        """Everything in a file that passes values on: what it shows, its offset, and how to link it again."""
        source = self._source(file)
        calls = [one for one in self._references(file) if one.kind in (RefKind.CALL, RefKind.DECORATE)]
        calls.sort(key=lambda one: source.strings[one.text].rpartition(".")[2] not in names)
        for one in calls[:MAX_TRIED]:
            alone = _Alone(self._evaluator, file, [one])
            yield StepKind.CALL, source.defs[one.source].start + one.at, alone, partial(self._go_over, alone, [one])
        for assign in source.interface.assigns:
            alone = _Alone(self._evaluator, file, [])
            if assign.how == PLAIN and assign.value >= 0:
                yield StepKind.ASSIGNMENT, assign.at, alone, partial(alone.store, assign.target, assign.value)
        for ordinal, definition in enumerate(source.defs):
            alone = _Alone(self._evaluator, file, [])
            if definition.decorators:
                yield StepKind.CALL, definition.start, alone, partial(alone.decorate, ordinal)

    def _references(self, file: int) -> list[Reference]:
        return decode_references(self._read(file)).items


FlowSource = tuple[StepKind, int, int, list[Asked]]
"""A source of argument flow: what it shows, file and offset, and what was asked for it."""


class _Alone(Linked):
    """A reference, an assignment or a definition that is linked by itself."""

    def __init__(
        self, evaluator: Evaluator, file: int, references: Sequence[Reference], target: DefKey | None = None
    ) -> None:
        super().__init__(evaluator, file, references)
        self._target = target
        """The target to be explained; without it, argument flow counts."""
        self._is_settled = False

    def settle(self, index: int, kind: int, target: Target) -> None:
        """A reference whose target is known by look-ups alone: those are its evidence, if it is the one."""
        if target[:2] == self._target:
            self._is_settled = True
            self.reasons.append(LINKED)
        else:
            super().settle(index, kind, target)

    def follow_value(self, index: int) -> None:
        """Evaluates the value behind a reference, unless it has resolved to the target already."""
        if not self._is_settled and all((row.target_file, row.target) != self._target for row in self.rows):
            self._aside((Linked._followed, index, LINKED))

    def add(self, rows: Iterable[EdgeRow]) -> None:
        """Edges without a reference are not asked for."""

    def finish(self) -> None:
        """Neither is the rest of the file."""

    def store(self, target: int, value: int) -> None:
        """An attribute of another object that is set."""
        if self._is_foreign(target):
            self._aside((Linked._store, target, value))

    def use(self, use: Sequence[int]) -> None:
        """An expression that runs methods implicitly."""
        self._aside((Linked._use, *use))

    def decorate(self, ordinal: int) -> None:
        """The decorators of a definition."""
        self._aside((Linked._decorators, ordinal))

    def _hand(self, reference: Reference, targets: list[tuple[int, int, AbstractValue | None]]) -> None:
        if self._target is None:
            super()._hand(reference, targets)
