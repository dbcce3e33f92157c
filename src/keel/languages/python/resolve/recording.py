"""Recording: look-ups that note what was asked for which answer, as a tree of questions.

Linking itself records only keys; this is for the one reference that somebody wants explained. What the tree says is
left to `evidence`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from keel.languages.python.resolve.lookup import Answer, Lookup
from keel.languages.python.resolve.memory import Question
from keel.languages.python.resolve.tables import Imported, Table
from keel.ports.language import Tree

T = TypeVar("T")
IMPORT, STARS = "I", "*"
"""Questions that are only asked here: what an import brings, what the star imports of a file bring."""


class Asked:
    """A question with its answer, and the questions that were asked for it, in order."""

    __slots__ = ("answer", "inside", "question")

    def __init__(self, question: Question) -> None:
        self.question = question
        self.answer: Any = None
        self.inside: list[Asked] = []


class Recording(Lookup):
    """Look-ups with a record."""

    def __init__(self, tree: Tree, table: Callable[[int], Table]) -> None:
        super().__init__(tree, table)
        self._at_hand: list[Asked] = []
        self._known: dict[Question, list[Asked]] = {}
        """What was asked for answers that memory gives now."""

    def recorded(self, ask: Callable[[], object]) -> list[Asked]:
        """The questions asked while something is done."""
        outer, self._at_hand = self._at_hand, []
        try:
            ask()
            return self._at_hand
        finally:
            self._at_hand = outer

    def remember(self, question: Question, missing: T, ask: Callable[..., T], *arguments: Any) -> T:
        """An answer from memory, or asked now; noted."""
        answer: T = self._noted(question, super().remember, question, missing, ask, *arguments)
        return answer

    def imported(self, file: int, item: Imported) -> Answer:
        """What an import in a file brings; noted."""
        return self._noted((IMPORT, file, item), super().imported, file, item)

    def from_stars(self, file: int, name: str) -> Answer:
        """A name that one of a module's star imports brings; noted."""
        return self._noted((STARS, file, name), super().from_stars, file, name)

    def _noted(self, question: Question, ask: Callable[..., T], *arguments: Any) -> T:
        asked = Asked(question)
        outer, self._at_hand = self._at_hand, asked.inside
        try:
            answer = asked.answer = ask(*arguments)
        finally:
            self._at_hand = outer
        if asked.inside:
            self._known[question] = asked.inside
        else:
            asked.inside = self._known.get(question, asked.inside)
        outer.append(asked)
        return answer
