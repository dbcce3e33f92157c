"""Recording: look-ups and evaluation that record what was asked for which answer, as a tree of questions.

Linking itself records only keys; this is for the one reference that is to be explained. What the tree means is left to
`trail`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from keel.languages.python.facts import PythonTree
from keel.languages.python.resolve.evaluate.abstract_values import NONE, AbstractValues
from keel.languages.python.resolve.evaluate.evaluation import ParameterSlots
from keel.languages.python.resolve.evaluate.evaluator import Evaluator
from keel.languages.python.resolve.lookup.answer_cache import Question
from keel.languages.python.resolve.lookup.lookup import Answer, Lookup
from keel.languages.python.resolve.lookup.sources import Source
from keel.languages.python.resolve.lookup.tables import Imported, Table

T = TypeVar("T")
VALUE, IMPORT, STARS = "V", "I", "*"
"""What a value may be; and two that are only asked here: what an import, what the star imports of a file bind."""


class Asked:
    """A question with its answer, and the questions that were asked for it, in order."""

    __slots__ = ("answer", "inside", "question")

    def __init__(self, question: Question) -> None:
        self.question = question
        self.answer: Any = None
        self.inside: list[Asked] = []


class Recording(Lookup):
    """Look-ups with a record."""

    def __init__(self, tree: PythonTree, table: Callable[[int], Table]) -> None:
        super().__init__(tree, table)
        self._at_hand: list[Asked] = []
        self._being_asked: Question = ()
        self._known: dict[Question, list[Asked]] = {}
        """What was asked for answers that now come from the cache."""

    def recorded(self, ask: Callable[[], object]) -> list[Asked]:
        """The questions asked while something is done."""
        outer, self._at_hand = self._at_hand, []
        try:
            ask()
            return self._at_hand
        finally:
            self._at_hand = outer

    def remember(self, question: Question, missing: T, ask: Callable[..., T], *arguments: Any) -> T:
        """An answer from the cache, or asked now; recorded."""
        if question == self._being_asked:
            return super().remember(question, missing, ask, *arguments)
        answer: T = self.noted(question, super().remember, question, missing, ask, *arguments)
        return answer

    def imported(self, file: int, item: Imported) -> Answer:
        """What an import in a file binds; recorded."""
        return self.noted((IMPORT, file, item), super().imported, file, item)

    def from_stars(self, file: int, name: str) -> Answer:
        """A name that one of a module's star imports binds; recorded."""
        return self.noted((STARS, file, name), super().from_stars, file, name)

    def noted(self, question: Question, ask: Callable[..., T], *arguments: Any) -> T:
        """An answer, with a record of the question and of all that is asked for it."""
        asked = Asked(question)
        outer, self._at_hand = self._at_hand, asked.inside
        before, self._being_asked = self._being_asked, question
        try:
            answer = asked.answer = ask(*arguments)
        finally:
            self._at_hand, self._being_asked = outer, before
        if asked.inside:
            self._known[question] = asked.inside
        else:
            asked.inside = self._known.get(question, asked.inside)
        outer.append(asked)
        return answer


class RecordingEvaluator(Evaluator):
    """Evaluation with a record, of simple values too, which are not cached."""

    def __init__(
        self, tree: PythonTree, lookup: Recording, source: Callable[[int], Source], slots: ParameterSlots
    ) -> None:
        super().__init__(tree, lookup, source, slots)
        self._record = lookup

    def evaluate(self, file: int, expr: int) -> AbstractValues:
        """The abstract values of an expression of a file; recorded."""
        if expr < 0:
            return NONE
        return self._record.noted((VALUE, file, expr, self.frame), super().evaluate, file, expr)
