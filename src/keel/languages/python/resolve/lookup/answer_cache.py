"""The answer cache: questions with their answers, and with everything that was looked up for them.

Answers do not depend on what was asked before. A question met again while it is open (a cycle of imports, of classes,
of values) counts as missing; answers inside such a cycle are forgotten when it is left, and the answer of the question
that closed it serves only questions from outside the cycle. A question may pass on a smaller budget of calls to follow;
an answer that ran out of it holds for that budget alone. Answering is left to `lookup` and `evaluator`.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from typing import Any, TypeVar

T = TypeVar("T")
Question = tuple[Any, ...]
VALUE = "V"
"""Prefixes of questions about values."""
ITERATED = (VALUE, "M", "N")
"""Prefixes of questions about values, members and names: those in a cycle are asked again with the last answer,
until nothing is added."""
MAX_CYCLE_ITERATIONS = 4
SPENT = 1 << 20
"""The need of an answer that ran out of budget."""
CALLS = 4
"""How many calls are followed into each other."""
MAX_OPEN = 1_500
"""How many questions may depend on each other; source that was written by hand stays below a tenth of it."""


class Entry:
    """An answer: its own look-ups, the answers it depends on, the slots behind it, and the budget it needs."""

    __slots__ = ("answer", "cycle", "depends_on", "files", "files_seen", "keys", "low", "need", "slots", "slots_seen")

    def __init__(
        self,
        answer: Any,
        keys: tuple[int, ...],
        depends_on: tuple[Entry, ...],
        slots: tuple[int, ...],
        need: int,
        low: int,
        files: tuple[int, ...] = (),
    ) -> None:
        self.answer = answer
        self.keys = keys
        self.depends_on = depends_on
        self.slots = slots
        self.need = need
        self.low = low
        """The outermost open question that it met again, by its index; SPENT for none."""
        self.cycle: frozenset[Question] | None = None
        """The questions of the cycle that it closes."""
        self.files = files
        """The files that were read for the answer itself, where that is wanted
        (`languages/python/resolve/incremental/persistent_lookup.py`).
        """
        self.files_seen = self.slots_seen = 0
        """The last runs in which these files, and the content of the slots, were known to be unchanged."""


class Trace:
    """The look-ups made for one question."""

    __slots__ = ("depends_on", "keys")

    def __init__(self) -> None:
        self.keys: set[int] = set()
        self.depends_on: dict[Entry, None] = {}

    def all_keys(self) -> set[int]:
        """Everything that was looked up, including for the answers it depends on."""
        keys = set(self.keys)
        seen = set(self.depends_on)
        stack = list(seen)
        while stack:
            entry = stack.pop()
            keys.update(entry.keys)
            keys.update(entry.slots)
            for one in entry.depends_on:
                if one not in seen:
                    seen.add(one)
                    stack.append(one)
        return keys


class AnswerCache:
    """Caches answers."""

    def __init__(self) -> None:
        self.keys: set[int] = set()
        """Where look-ups of the question at hand are recorded."""
        self.slots_read: set[int] = set()
        """Where its slots are."""
        self.files: set[int] = set()
        """Where the files that are read for it are recorded; only written where the cache is persistent."""
        self.budget = CALLS
        self._depends_on: dict[Entry, None] = {}
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
        """The provisional answers of open questions that were met again, until they are confirmed."""
        self._inside: dict[tuple[Question, int], Entry] = {}
        """Answers inside cycles that are still open."""

    def remember(self, question: Question, missing: T, ask: Callable[..., T], *arguments: Any) -> T:
        """An answer from the cache, or asked now."""
        budget = self.budget
        entry = self._whole.get(question)
        if entry is None or entry.need > budget or entry.cycle is not None:
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
        if entry.keys or entry.depends_on or entry.files:
            self._depends_on[entry] = None
        if entry.slots:
            self.slots_read.update(entry.slots)
        if entry.need > self._need:
            self._need = entry.need
        if entry.low < self._low:
            self._low = entry.low
        answer: T = entry.answer
        return answer

    def _usable(self, entry: Entry | None, full: tuple[Question, int]) -> Entry | None:
        """An answer that holds for a budget, in the current context."""
        if entry is None or entry.need > full[1]:
            entry = self._limited.get(full)
        if entry is None or (entry.cycle is not None and not self._asking.keys().isdisjoint(entry.cycle)):
            entry = self._inside.get(full)
        return entry

    def _asked(self, full: tuple[Question, int], ask: Callable[..., Any], arguments: tuple[Any, ...]) -> Entry:
        entry = self._asked_once(full, ask, arguments)
        for _ in range(MAX_CYCLE_ITERATIONS):
            if entry.cycle is None or full[0][0] not in ITERATED or entry.answer == self._assumed.get(full, ()):
                break
            self._assumed[full] = entry.answer
            entry = self._asked_once(full, ask, arguments)
        self._assumed.pop(full, None)
        return entry

    def _asked_once(self, full: tuple[Question, int], ask: Callable[..., Any], arguments: tuple[Any, ...]) -> Entry:
        outer = self.keys, self._depends_on, self.slots_read, self._need, self._low
        self.keys, self._depends_on, self.slots_read, self._need, self._low = set(), {}, set(), 0, SPENT
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
                tuple(self._depends_on),
                tuple(self.slots_read),
                self._need,
                low,
            )
        finally:
            del self._open[full]
            self._asking[question] -= 1
            if not self._asking[question]:
                del self._asking[question]
            self.keys, self._depends_on, self.slots_read, self._need, self._low = outer
        if low < index:
            # what was answered for this question depends on the same open one as it does
            for one in islice(reversed(self._inside.values()), len(self._inside) - inside):
                one.low = min(one.low, low)
            self._inside[full] = entry
            return entry
        if len(self._inside) > inside:
            members = [self._inside.popitem()[0][0] for _ in range(len(self._inside) - inside)]
            entry.cycle = frozenset((question, *members))
        if entry.need >= SPENT:
            self._limited[full] = entry
        else:
            self._whole[question] = entry
            if question[0] == VALUE:
                self._values.setdefault(question[1], []).append(question)
        return entry

    def deeper(self, missing: T, ask: Callable[..., T], *arguments: Any) -> T:
        """An answer for which one more call is followed; missing when the budget is spent."""
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
        """Whether something was not looked up for the question at hand, since the budget was spent."""
        return self._need >= SPENT

    def traced(self, trace: Trace, ask: Callable[..., T], *arguments: Any) -> tuple[T, tuple[int, ...]]:
        """An answer, with the slots that it depends on; its look-ups are added to a trace."""
        outer = self.keys, self._depends_on, self.slots_read, self._need
        self.keys, self._depends_on, self.slots_read, self._need = trace.keys, trace.depends_on, set(), 0
        try:
            answer = ask(*arguments)
            slots = tuple(sorted(self.slots_read))
            trace.keys.update(slots)
            return answer, slots
        finally:
            self.keys, self._depends_on, self.slots_read, self._need = outer

    def start_over(self) -> None:
        """Forgets open questions after an exception."""
        for open_ in (self._open, self._asking, self._assumed, self._inside):
            open_.clear()
        self.budget = CALLS

    def let_go(self, file: int | None = None) -> None:
        """Forgets values, of one file or of all, where few are likely to ask; they can be asked for again."""
        for one in [*self._values] if file is None else [file]:
            for question in self._values.pop(one, ()):
                self._whole.pop(question, None)

    def forget(self, slots: set[int]) -> None:
        """Answers that depend on slots that have changed are asked for again."""
        for known in (self._whole, self._limited):
            held: dict[Any, Entry] = known  # by question, or by question and budget
            for question in [one for one, entry in held.items() if entry.slots and not slots.isdisjoint(entry.slots)]:
                del held[question]
