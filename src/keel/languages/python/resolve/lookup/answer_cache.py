"""Memory: questions with their answers, and with everything that was looked up for them.

Answers do not depend on what was asked before. A question met again while it is open (a ring of imports, of classes,
of values) counts as missing; what was answered inside such a ring is forgotten when the ring is left, and the answer
of the question that closed it serves only those who ask from outside the ring. A question may hand on a smaller budget
of calls to follow; an answer that ran out of it holds for that budget alone.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from typing import Any, TypeVar

T = TypeVar("T")
Question = tuple[Any, ...]
VALUE = "V"
"""How questions about values begin."""
ITERATED = (VALUE, "M", "N")
"""How questions about values, members and names begin: those in a ring are asked again with what was found, until
nothing is added."""
TURNS = 4
SPENT = 1 << 20
"""The need of an answer that ran out of budget."""
CALLS = 4
"""How many calls are followed into each other."""
MAX_OPEN = 1_500
"""How many questions may hang on each other; source that was written by hand stays below a tenth of it."""


class Entry:
    """An answer: what was looked up for it itself, what it rests on, the slots behind it, and the budget it needs."""

    __slots__ = ("answer", "files", "files_seen", "keys", "low", "need", "rests_on", "ring", "slots", "slots_seen")

    def __init__(
        self,
        answer: Any,
        keys: tuple[int, ...],
        rests_on: tuple[Entry, ...],
        slots: tuple[int, ...],
        need: int,
        low: int,
        files: tuple[int, ...] = (),
    ) -> None:
        self.answer = answer
        self.keys = keys
        self.rests_on = rests_on
        self.slots = slots
        self.need = need
        self.low = low
        """The outermost open question that it met again, by its index; SPENT for none."""
        self.ring: frozenset[Question] | None = None
        """The questions of the ring that it closes."""
        self.files = files
        """The files that were looked into for it itself, where that is wanted
        (`languages/python/resolve/incremental/persistent_lookup.py`).
        """
        self.files_seen = self.slots_seen = 0
        """The last runs in which these files, and what is in the slots, were known to be as they had been."""


class Trace:
    """What is looked up on somebody's behalf."""

    __slots__ = ("keys", "rests_on")

    def __init__(self) -> None:
        self.keys: set[int] = set()
        self.rests_on: dict[Entry, None] = {}

    def all_keys(self) -> set[int]:
        """Everything that was looked up, behind the answers that others rest on too."""
        keys = set(self.keys)
        seen = set(self.rests_on)
        stack = list(seen)
        while stack:
            entry = stack.pop()
            keys.update(entry.keys)
            keys.update(entry.slots)
            for one in entry.rests_on:
                if one not in seen:
                    seen.add(one)
                    stack.append(one)
        return keys


class AnswerCache:
    """Remembers answers."""

    def __init__(self) -> None:
        self.keys: set[int] = set()
        """Where look-ups of the question at hand are recorded."""
        self.slots_read: set[int] = set()
        """Where its slots are."""
        self.files: set[int] = set()
        """Where the files are that are looked into for it; only written where answers last."""
        self.budget = CALLS
        self._rests_on: dict[Entry, None] = {}
        self._need = 0
        self._low = SPENT
        self._whole: dict[Question, Entry] = {}
        self._values: dict[int, list[Question]] = {}
        """Questions about values that were answered, by file."""
        self._limited: dict[tuple[Question, int], Entry] = {}
        self._open: dict[tuple[Question, int], int] = {}
        self._asking: dict[Question, int] = {}
        """How often each question is open, with whatever budget."""
        self._assumed: dict[tuple[Question, int], Any] = {}
        """What questions that are open and were met again are taken to be, until it is confirmed."""
        self._inside: dict[tuple[Question, int], Entry] = {}
        """Answers inside rings that are still open."""

    def remember(self, question: Question, missing: T, ask: Callable[..., T], *arguments: Any) -> T:
        """An answer from memory, or asked now."""
        budget = self.budget
        entry = self._whole.get(question)
        if entry is None or entry.need > budget or entry.ring is not None:
            full = (question, budget)
            entry = self._usable(entry, full)
            if entry is None:
                index = self._open.get(full)
                if index is not None:
                    self._low = min(self._low, index)
                    assumed: T = self._assumed.get(full, missing)
                    return assumed
                if len(self._open) >= MAX_OPEN:
                    self._need = SPENT
                    return missing
                entry = self._asked(full, ask, arguments)
        if entry.keys or entry.rests_on or entry.files:
            self._rests_on[entry] = None
        if entry.slots:
            self.slots_read.update(entry.slots)
        if entry.need > self._need:
            self._need = entry.need
        if entry.low < self._low:
            self._low = entry.low
        answer: T = entry.answer
        return answer

    def _usable(self, entry: Entry | None, full: tuple[Question, int]) -> Entry | None:
        """An answer that holds for a budget, from where it is asked."""
        if entry is None or entry.need > full[1]:
            entry = self._limited.get(full)
        if entry is None or (entry.ring is not None and not self._asking.keys().isdisjoint(entry.ring)):
            entry = self._inside.get(full)
        return entry

    def _asked(self, full: tuple[Question, int], ask: Callable[..., Any], arguments: tuple[Any, ...]) -> Entry:
        entry = self._asked_once(full, ask, arguments)
        for _ in range(TURNS):
            if entry.ring is None or full[0][0] not in ITERATED or entry.answer == self._assumed.get(full, ()):
                break
            self._assumed[full] = entry.answer
            entry = self._asked_once(full, ask, arguments)
        self._assumed.pop(full, None)
        return entry

    def _asked_once(self, full: tuple[Question, int], ask: Callable[..., Any], arguments: tuple[Any, ...]) -> Entry:
        outer = self.keys, self._rests_on, self.slots_read, self._need, self._low
        self.keys, self._rests_on, self.slots_read, self._need, self._low = set(), {}, set(), 0, SPENT
        index = self._open[full] = len(self._open)
        question = full[0]
        self._asking[question] = self._asking.get(question, 0) + 1
        inside = len(self._inside)
        try:
            answer = ask(*arguments)
            low = self._low if self._low < index else SPENT
            entry = Entry(
                answer,
                tuple(self.keys),
                tuple(self._rests_on),
                tuple(self.slots_read),
                self._need,
                low,
            )
        finally:
            del self._open[full]
            self._asking[question] -= 1
            if not self._asking[question]:
                del self._asking[question]
            self.keys, self._rests_on, self.slots_read, self._need, self._low = outer
        if low < index:
            # what was answered for this question hangs on the same open one as it does
            for one in islice(reversed(self._inside.values()), len(self._inside) - inside):
                one.low = min(one.low, low)
            self._inside[full] = entry
            return entry
        if len(self._inside) > inside:
            members = [self._inside.popitem()[0][0] for _ in range(len(self._inside) - inside)]
            entry.ring = frozenset((question, *members))
        if entry.need >= SPENT:
            self._limited[full] = entry
        else:
            self._whole[question] = entry
            if question[0] == VALUE:
                self._values.setdefault(question[1], []).append(question)
        return entry

    def deeper(self, missing: T, ask: Callable[..., T], *arguments: Any) -> T:
        """An answer for which one more call is followed; missing when there have been enough."""
        if self.budget == 0:
            self._need = SPENT
            return missing
        need, self._need = self._need, 0
        self.budget -= 1
        try:
            return ask(*arguments)
        finally:
            self.budget += 1
            self._need = max(need, self._need + 1)

    @property
    def has_run_out(self) -> bool:
        """Whether something was not looked at for the question at hand, since enough calls had been followed."""
        return self._need >= SPENT

    def traced(self, trace: Trace, ask: Callable[..., T], *arguments: Any) -> tuple[T, tuple[int, ...]]:
        """An answer, with the slots that it hangs on; what was looked up for it is added to a trace."""
        outer = self.keys, self._rests_on, self.slots_read, self._need
        self.keys, self._rests_on, self.slots_read, self._need = trace.keys, trace.rests_on, set(), 0
        try:
            answer = ask(*arguments)
            slots = tuple(sorted(self.slots_read))
            trace.keys.update(slots)
            return answer, slots
        finally:
            self.keys, self._rests_on, self.slots_read, self._need = outer

    def start_over(self) -> None:
        """Forgets what was open when something went wrong in the middle of it."""
        for open_ in (self._open, self._asking, self._assumed, self._inside):
            open_.clear()
        self.budget = CALLS

    def let_go(self, file: int | None = None) -> None:
        """Forgets what values are, of one file or of all, where few are likely to ask; they can be asked for again."""
        for one in [*self._values] if file is None else [file]:
            for question in self._values.pop(one, ()):
                self._whole.pop(question, None)

    def forget(self, slots: set[int]) -> None:
        """Answers that hang on slots that have changed are asked for again."""
        for known in (self._whole, self._limited):
            held: dict[Any, Entry] = known  # by question, or by question and budget
            for question in [one for one, entry in held.items() if entry.slots and not slots.isdisjoint(entry.slots)]:
                del held[question]
