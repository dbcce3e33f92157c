"""Helpers that tests make up: the Helper socket over whatever a test wants to be said, with a record of what was asked.

What keel makes of the answers is for the tests to say.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterable, Mapping
from pathlib import Path

from keel.errors import HelperEnded, HelperError
from keel.model.kinds import Tier
from keel.ports.definitions import Answer, Definition, Helper, Position, Project

Oracle = Callable[[Position, bool], tuple[Definition, ...]]
"""What is said of a place, at first or as a second opinion."""


class FakeHelper:
    """Says what an oracle says; breaks for good after a number of answers, if one is given."""

    def __init__(
        self, oracle: Oracle, breaks_after: int | None = None, tier: Tier = Tier.TIER2_TY, is_expensive: bool = False
    ) -> None:
        self._oracle = oracle
        self.tier = tier
        self.name = "ty" if tier == Tier.TIER2_TY else "pyright"
        self.is_expensive = is_expensive
        self.breaks_after = breaks_after
        self.asked: list[tuple[Position, bool]] = []
        """Every question, and whether it was for a second opinion."""

    @property
    def helper(self) -> Helper:
        """It, as the write line takes it."""
        return Helper(self.name, int(self.tier), self._open, self.tier == Tier.TIER2_TY, self.is_expensive)

    def _open(self, project: Project, second_opinion: bool) -> _FakeDefinitions:
        return _FakeDefinitions(self, second_opinion)

    def answer(self, position: Position, second_opinion: bool) -> Answer:
        """One answer, or None when it is broken."""
        if self.is_broken:
            return None
        self.asked.append((position, second_opinion))
        return self._oracle(position, second_opinion)

    @property
    def is_broken(self) -> bool:
        """Whether it has given all its answers."""
        return self.breaks_after is not None and len(self.asked) >= self.breaks_after

    def files_asked(self) -> set[str]:
        """The names of the files that it was asked about, forgotten with the answer."""
        found = {Path(position.path).name for position, _ in self.asked}
        self.asked.clear()
        return found


class _FakeDefinitions:
    """The Definitions socket over a fake."""

    def __init__(self, fake: FakeHelper, second_opinion: bool) -> None:
        self._fake = fake
        self._second_opinion = second_opinion

    def __enter__(self) -> _FakeDefinitions:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def available(self) -> bool:
        """Whether it is not broken."""
        return not self._fake.is_broken

    @property
    def trouble(self) -> HelperError | None:
        """That it is broken."""
        return HelperEnded(self._fake.name, "broken by a test") if self._fake.is_broken else None

    def ask(self, questions: Iterable[Position]) -> Generator[tuple[Position, Answer], None, None]:
        """Each question with its answer."""
        for position in questions:
            yield position, self._fake.answer(position, self._second_opinion)

    def close(self) -> None:
        """There is nothing to end."""


def says(folder: Path, answers: Mapping[str, str]) -> Oracle:
    """An oracle from texts: of the name that `path:text` begins with, it says the names that `path:text …` begins with.

    A text that no file has is outside of the project; one that begins with `again ` is a second opinion.
    """
    table: dict[tuple[Position, bool], tuple[Definition, ...]] = {}
    for question, answer in answers.items():
        where = question.removeprefix("again ")
        table[_position(folder, where), where != question] = tuple(_definition(folder, one) for one in answer.split())
    return lambda position, second_opinion: table.get((position, second_opinion), ())


def _position(folder: Path, where: str) -> Position:
    path, _, text = where.partition(":")
    content = (folder / path).read_bytes()
    before = content[: content.index(text.encode())]
    return Position(str(folder / path), before.count(b"\n") + 1, len(before) - before.rfind(b"\n"))


def _definition(folder: Path, where: str) -> Definition:
    if not (folder / where.partition(":")[0]).exists():
        return Definition(str(folder.parent / "elsewhere.py"), 1, 1, 1, 2)
    path, line, column = _position(folder, where)
    width = len(re.match(r"\w*", where.partition(":")[2])[0])  # type: ignore[index]  # it always matches
    return Definition(path, line, column, line, column + width)
