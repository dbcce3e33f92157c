"""Verdicts: whether an ERROR names a defect that the release has, as a reader of the source wrote it down.

They are kept when keel no longer says what was false: should it come back, it is known at once.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from benchmarks.history.replay import ERROR, Statement, Step

WRITTEN = Path(__file__).resolve().parent / "verdicts.toml"


class Truth(Enum):
    """What an ERROR is."""

    TRUE = "true"
    FALSE = "false"
    NOT_JUDGED = "not judged"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What was found about one ERROR, or about one of its places."""

    package: str
    release: str
    """The later one of the two."""
    code: str
    symbol: str
    true: bool
    why: str
    place: str = ""
    """Only this one; without it, all that are affected."""

    def is_about(self, step: Step, said: Statement) -> bool:
        """Whether it was said about this."""
        if (self.package, self.release, self.code, self.symbol) != (step.package, step.after, said.code, said.symbol):
            return False
        return self.place in ("", said.place)


@dataclass(frozen=True, slots=True)
class Judged:
    """An ERROR at one place, with its verdict."""

    step: Step
    said: Statement
    truth: Truth
    why: str


def read_verdicts(path: Path = WRITTEN) -> list[Verdict]:
    """All of them; a key that is missing or not known is an error."""
    return [Verdict(**each) for each in tomllib.loads(path.read_text(encoding="utf-8")).get("verdict", [])]


def judged(steps: Iterable[Step], verdicts: Sequence[Verdict]) -> list[Judged]:
    """Every ERROR of some steps, place by place; the first verdict about it holds."""
    found = []
    for step in steps:
        for said in step.said:
            if said.severity == ERROR:
                verdict = next((each for each in verdicts if each.is_about(step, said)), None)
                truth = Truth.NOT_JUDGED if verdict is None else Truth.TRUE if verdict.true else Truth.FALSE
                found.append(Judged(step, said, truth, verdict.why if verdict is not None else ""))
    return found
