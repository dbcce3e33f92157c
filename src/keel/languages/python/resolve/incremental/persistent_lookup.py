"""Cached answers that outlive a run: the look-ups of a persistent linker.

An answer holds as long as every file that was read for it, or for the answers it depends on, is unchanged, and the
slots behind it hold what they held in the same iteration of the run before. That is checked when an answer is wanted
again, so that an edit costs nothing for answers that are not asked for. Reporting which files changed is left to
`link`, the content of slots to `persistent_fixpoint`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Container
from typing import Any, TypeVar

from keel.languages.python.facts import PythonTree
from keel.languages.python.resolve.flow.fixpoint import MAX_ITERATIONS
from keel.languages.python.resolve.lookup.answer_cache import Entry, Question
from keel.languages.python.resolve.lookup.lookup import Lookup
from keel.languages.python.resolve.lookup.tables import ClassTable, Table

T = TypeVar("T")
Limited = tuple[Question, int]
"""A question with a budget of calls."""
STALE = -1


class PersistentLookup(Lookup):
    """Look-ups whose answers are used again in later runs."""

    def __init__(self, tree: PythonTree, table: Callable[[int], Table]) -> None:
        super().__init__(tree, table)
        self._run = 1
        self._iteration = 0
        self._changed_in: dict[int, int] = {}
        """The run in which a file was last seen to differ."""
        self._moved_in: list[dict[int, int]] = [{} for _ in range(MAX_ITERATIONS + 1)]
        """By iteration: the run in which a slot was last seen to differ from the run before."""
        self._differing: list[Container[int]] = [()] * (MAX_ITERATIONS + 1)
        """By iteration of this run: the slots that differ from the iteration before."""
        self._free: dict[Question, Entry] = {}
        """Answers that depend on no slot: they hold in every iteration."""
        self._layers: list[tuple[dict[Question, Entry], dict[Limited, Entry]]] = [
            ({}, {}) for _ in range(MAX_ITERATIONS + 1)
        ]
        self._whole, self._limited = self._layers[0]

    @property
    def size(self) -> int:
        """How many answers are cached."""
        return sum(len(whole) + len(limited) for whole, limited in self._layers)

    def change(self, file: int) -> None:
        """A file differs from the next run on."""
        self._changed_in[file] = self._run + 1
        for held in (self._base_keys, self._of_classes):
            cache: dict[Any, Any] = held
            for key in [key for key in cache if key[0] == file]:
                del cache[key]

    def begin_run(self) -> None:
        """Another run begins, in which slots are empty at first."""
        self._run += 1
        self.start_over()
        self.files = set()
        self._whole, self._limited = self._layers[0]
        self._iteration = 0

    def begin_iteration(self, iteration: int, moved: Collection[int], differing: Container[int]) -> None:
        """Another iteration begins: `moved` differ from this iteration of the run before, `differing` from the
        iteration before."""
        self._iteration = iteration
        self._moved_in[iteration].update(dict.fromkeys(moved, self._run))
        self._differing[iteration] = differing
        self._whole, self._limited = self._layers[iteration]

    def let_go(self, file: int | None = None) -> None:
        """Nothing is forgotten to save room: see `size`."""

    def _class(self, file: int, ordinal: int, name: str) -> ClassTable:
        self.files.add(file)
        return super()._class(file, ordinal, name)

    def remember(self, question: Question, missing: T, ask: Callable[..., T], *arguments: Any) -> T:
        """An answer from the cache, of this run or one before, or asked now."""
        entry = self._whole.get(question)
        if entry is None or entry.slots_seen != self._run or entry.files_seen != self._run:
            self._renew(question, entry)
        if self._limited:
            limited = self._limited.get((question, self.budget))
            if limited is not None and not self._holds(limited, self._iteration):
                del self._limited[question, self.budget]
        return super().remember(question, missing, ask, *arguments)

    def _renew(self, question: Question, entry: Entry | None) -> None:
        """Puts an answer that holds into the current iteration, or removes one that does not."""
        if entry is not None:
            if self._holds(entry, self._iteration):
                return
            del self._whole[question]
        entry = self._free.get(question)
        if entry is not None:
            if self._holds(entry, self._iteration):
                self._whole[question] = entry
                return
            del self._free[question]
        for iteration in range(self._iteration - 1, -1, -1):
            entry = self._layers[iteration][0].get(question)
            if entry is not None and self._holds(entry, iteration):
                if not any(
                    slot in self._differing[later]
                    for later in range(iteration + 1, self._iteration + 1)
                    for slot in entry.slots
                ):
                    self._whole[question] = _copied(entry)
                return

    def _holds(self, entry: Entry, iteration: int) -> bool:
        """Whether an answer that was found in an iteration holds in this run."""
        if entry.slots_seen != self._run:
            moved, seen = self._moved_in[iteration], entry.slots_seen
            if seen == STALE or (moved and any(moved.get(slot, 0) > seen for slot in entry.slots)):
                entry.slots_seen = STALE
                return False
            entry.slots_seen = self._run
        return self._is_seen(entry)

    def _is_seen(self, entry: Entry) -> bool:
        """Whether the files behind an answer are unchanged."""
        seen, run = entry.files_seen, self._run
        if seen == run:
            return True
        if seen == STALE:
            return False
        changed = self._changed_in
        for file in entry.files:
            if changed.get(file, 0) > seen:
                entry.files_seen = STALE
                return False
        for one in entry.depends_on:
            if one.files_seen != run and not self._is_seen(one):
                entry.files_seen = STALE
                return False
        entry.files_seen = run
        return True

    def _asked_once(self, full: Limited, ask: Callable[..., Any], arguments: tuple[Any, ...]) -> Entry:
        outer, self.files = self.files, set()
        prior = self._whole.get(full[0]) or self._limited.get(full) if full in self._assumed else None
        try:
            entry = super()._asked_once(full, ask, arguments)
            if prior is not None:  # the provisional answer of a cycle was found by way of these
                self.files |= _all_files(prior)
            entry.files = tuple(self.files)
        finally:
            self.files = outer
        entry.files_seen = entry.slots_seen = self._run
        if not entry.slots and self._whole.get(full[0]) is entry:
            self._free[full[0]] = entry
        return entry


def _copied(entry: Entry) -> Entry:
    """An answer for another iteration: the content of its slots is watched there."""
    made = Entry(entry.answer, entry.keys, entry.depends_on, entry.slots, entry.need, entry.low, entry.files)
    made.cycle, made.files_seen, made.slots_seen = entry.cycle, entry.files_seen, entry.slots_seen
    return made


def _all_files(entry: Entry) -> set[int]:
    files: set[int] = set()
    seen, stack = {entry}, [entry]
    while stack:
        one = stack.pop()
        files.update(one.files)
        for inner in one.depends_on:
            if inner not in seen:
                seen.add(inner)
                stack.append(inner)
    return files
