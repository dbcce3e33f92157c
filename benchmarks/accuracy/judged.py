"""What a person said who read the source: `judged.tsv`, joined with what is answered now.

It holds a verdict for a sample of the sites at which pyright names nothing, and for each site at which keel, with ty's
help, answers otherwise than pyright or not at all: there also why. A verdict is about an answer: when keel's answer
changes, it is not judged any more, and counted as open.
"""

from __future__ import annotations

import csv
import hashlib
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, islice, zip_longest
from pathlib import Path
from typing import NamedTuple

from benchmarks.accuracy.score import Case, Outcome

FILE = Path(__file__).with_name("judged.tsv")
RIGHT, WRONG, SILENT, OPEN = "right", "wrong", "silent", "open"
SAMPLE_SIZE = 100
SEED = "keel"
NO_ANSWER = "-"


class Judgement(NamedTuple):
    """A line of the file."""

    package: str
    place: str
    name: str
    answer: str
    verdict: str
    cause: str
    """The class of difference; nothing for the sample."""
    why: str


class Judgements:
    """All that was judged, by package, place and answer."""

    def __init__(self, lines: Iterable[Judgement]) -> None:
        self._known = {(one.package, one.place, one.answer): one for one in lines}

    def of(self, package: str, case: Case) -> Judgement | None:
        """What was said of an answer, if it is still the same."""
        return self._known.get((package, str(case.site.place), case.answer or NO_ANSWER))

    def verdict(self, package: str, case: Case) -> str:
        """Whether an answer is right."""
        judged = self.of(package, case)
        return judged.verdict if judged else OPEN

    def is_right(self, package: str, case: Case) -> bool:
        """Whether an answer that pyright does not give is right all the same."""
        return case.is_seconded or self.verdict(package, case) == RIGHT

    def cause(self, package: str, case: Case) -> str:
        """The class of a difference, or nothing when it was not looked at."""
        judged = self.of(package, case)
        return judged.cause if judged else ""


def judgements(path: Path = FILE) -> Judgements:
    """What the file holds; a file that is not there holds nothing."""
    if not path.exists():
        return Judgements(())
    with path.open(encoding="utf-8", newline="") as lines:
        rows = csv.reader((line for line in lines if not line.startswith("#")), delimiter="\t", quoting=csv.QUOTE_NONE)
        return Judgements(Judgement(*row) for row in islice(rows, 1, None))


def sample(found: Mapping[str, Sequence[Case]]) -> list[tuple[str, Case]]:
    """The sites to be judged: of each package in turn, in an order that hangs on nothing but seed, package and place.

    Where a package has no more of them, the others fill up. A site that joins or leaves the list moves few others.
    """
    alone = {
        package: sorted((case for case in cases if case.outcome == Outcome.ALONE), key=lambda case: _lot(package, case))
        for package, cases in found.items()
    }
    rounds = zip_longest(*([(package, case) for case in cases] for package, cases in alone.items()))
    return list(islice((one for one in chain.from_iterable(rounds) if one is not None), SAMPLE_SIZE))


def _lot(package: str, case: Case) -> str:
    return hashlib.sha256(f"{SEED} {package} {case.site.place}".encode()).hexdigest()
