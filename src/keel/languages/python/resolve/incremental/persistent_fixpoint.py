"""The fixpoint of a persistent linker, as the daemon has it: the content of slots is known from the run before.

Only slots that a file at hand flows into, or did before, and those that hold a value of a changed file are computed
again; for all others their content in each iteration still holds. The cached answers behind them are left to
`persistent_lookup.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any

from keel.languages.python.resolve.evaluate.abstract_values import ENTRIES, METHOD, NONE, AbstractValues
from keel.languages.python.resolve.evaluate.evaluator import Evaluator
from keel.languages.python.resolve.flow.edges import Linked
from keel.languages.python.resolve.flow.fixpoint import MAX_ITERATIONS, NAMED, Fixpoint, History, PortableValues
from keel.languages.python.resolve.incremental.persistent_lookup import PersistentLookup
from keel.model.rows import FileLinks
from keel.ports.language import Flows


class Past:
    """The content of slots in each iteration of the run before, and what the store has of them."""

    def __init__(self) -> None:
        self.held: list[dict[int, AbstractValues]] = [{} for _ in range(MAX_ITERATIONS + 1)]
        self.data: dict[int, Mapping[int, bytes]] = {}
        self.histories: dict[int, dict[int, History]] = {}
        self._about: dict[int, set[int]] = {}
        """The slots that hold, or held, a value of a file."""
        self.doubtful: set[int] = set()
        """Slots that hold a value of a file that has changed since: values refer to its definitions by number."""

    def change(self, file: int) -> None:
        """A file differs: what refers to its definitions by number may be stale."""
        slots = self._about.pop(file, set())
        self.doubtful |= slots
        for slot in slots:
            self.histories.pop(slot, None)

    def note(self, slot: int, values: AbstractValues) -> None:
        """Records of which files a slot holds a value."""
        for file in _files_of(values):
            self._about.setdefault(file, set()).add(slot)

    def renew(self, held: Sequence[Mapping[int, AbstractValues]], given: Collection[int]) -> None:
        """A run is over: the content of slots in it, and those of which the store will have something else."""
        for mine, theirs in zip(self.held, held, strict=True):
            mine.update(theirs)
        for slot in given:
            self.data.pop(slot, None)
            self.histories.pop(slot, None)
        self.doubtful.clear()


def _files_of(values: Iterable[Any]) -> set[int]:
    """The files that abstract values, and the values they hold, refer to."""
    files: set[int] = set()
    for value in values:
        if value[0] in NAMED or value[0] == METHOD:
            files.add(value[1])
            if value[0] == METHOD:
                files |= _files_of([value[3]])
        elif value[0] == ENTRIES:
            files = files.union(*(_files_of(held) for _, held in value[1]))
        else:
            files = files.union(*(_files_of(part) for part in value[1:]))
    return files


class _Differing:
    """The slots whose content differs from the iteration before, computed on demand."""

    def __init__(self, differs: Callable[[int], bool]) -> None:
        self._differs = differs
        self._known: dict[int, bool] = {}

    def __contains__(self, slot: object) -> bool:
        assert isinstance(slot, int), "slots are numbers"
        known = self._known.get(slot)
        if known is None:
            known = self._known[slot] = self._differs(slot)
        return known


class PersistentFixpoint(Fixpoint):
    """One run among many."""

    def __init__(
        self,
        evaluator: Evaluator,
        lookup: PersistentLookup,
        link: Callable[[int], Linked],
        flows: Flows,
        portable: PortableValues,
        past: Past,
    ) -> None:
        super().__init__(evaluator, link, flows, portable)
        self._lookup, self._past = lookup, past
        self._stored, self._read = past.histories, past.data
        self._by_iteration: list[dict[int, AbstractValues]] = [{} for _ in range(MAX_ITERATIONS + 1)]
        self._near: set[int] = set()
        """Slots that files at hand flow into, or did in the run before."""

    def run(self, files: Sequence[int]) -> list[FileLinks]:  # type: ignore[override]  # all of it, or nothing is kept
        """The same recipe; the content of slots is kept for the next run."""
        self._lookup.begin_run()
        found = list(super().run(files))
        self._past.renew(self._by_iteration, self._near | self._contributors.keys())
        return found

    def _begin(self, iteration: int) -> None:
        self._iteration = iteration
        self._held = self._by_iteration[iteration]
        self._near |= self._contributors.keys() | self._flows.slots(self._linked)
        before = self._past.held[iteration]
        looked = [slot for slot in self._near | self._past.doubtful if slot in before]
        moved = {slot for slot in looked if self._in_slot(slot) != before[slot]}
        self._changed = _Differing(lambda slot: self._in_slot(slot) != self._was(slot))
        self._lookup.begin_iteration(iteration, moved, self._changed)

    def _was(self, slot: int) -> AbstractValues:
        return NONE if self._iteration == 1 else self._in_iteration(slot, self._iteration - 1)

    def _in_slot(self, slot: int) -> AbstractValues:
        return self._in_iteration(slot, self._iteration)

    def _in_iteration(self, slot: int, iteration: int) -> AbstractValues:
        held = self._by_iteration[iteration]
        known = held.get(slot)
        if known is None:
            is_as_it_was = slot not in self._near and slot not in self._past.doubtful
            known = self._past.held[iteration].get(slot) if is_as_it_was else None
            if known is None:
                known = self._joined(slot, iteration)
                self._past.note(slot, known)
            held[slot] = known
        return known
