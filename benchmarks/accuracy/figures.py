"""The figures of one run, by package: what is scored of a package, and how the figures of packages add up.

How they look on a page is left to `page`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from benchmarks.accuracy.judged import Judgements, sample
from benchmarks.accuracy.reach import Reach
from benchmarks.accuracy.score import NOTHING, Case, Outcome, Score, missed, score
from benchmarks.accuracy.sites import CALL, IMPORT

ALONE, WITH_TY, WITH_TIER3 = "keel alone", "keel with ty", "keel with tier 3"
NOT_LOOKED_AT = "not looked at"
EXTRA = "django"
"""Scored besides the six packages that the bars are for, and not in their sum: it is larger than all of them."""


@dataclass(frozen=True, slots=True)
class Answerer:
    """What a tool answered: the counts over all sites and by kind, and what it cost."""

    all: Score
    by_kind: Mapping[str, Score]
    cpu_seconds: float | None


@dataclass(frozen=True, slots=True)
class Result:
    """One package."""

    package: str
    version: str
    answerers: Mapping[str, Answerer]
    """keel by whom it asks, then the peers."""
    causes: Mapping[str, Mapping[str, int]]
    """By way that keel is run: how many sites are behind each class of difference."""
    alone: Mapping[str, int] = field(default_factory=dict)
    """Of the answers that pyright does not give: how many there are, and how many of them ty gives too."""
    reach: Reach | None = None


@dataclass(frozen=True, slots=True)
class Judged:
    """What a person said of the sample, by tier of the answer."""

    verdicts: Mapping[str, Mapping[str, int]]

    @property
    def total(self) -> Counter[str]:
        """The verdicts over all tiers."""
        counts: Counter[str] = Counter()
        for by_tier in self.verdicts.values():
            counts.update(by_tier)
        return counts


def answerer(package: str, found: Sequence[Case], judged: Judgements, cpu_seconds: float | None) -> Answerer:
    """The counts of one package and answerer."""

    def is_right(case: Case) -> bool:
        return judged.is_right(package, case)

    by_kind = {kind: score((case for case in found if case.site.kind == kind), is_right) for kind in (CALL, IMPORT)}
    return Answerer(by_kind[CALL] + by_kind[IMPORT], by_kind, cpu_seconds)


def shapes_of_misses(found: Iterable[Case]) -> dict[str, int]:
    """How often each reason and shape is behind a miss, the commonest first."""
    return dict(Counter(f"{case.outcome}: {case.cause}" for case in missed(found)).most_common())


def causes_of_misses(package: str, found: Iterable[Case], judged: Judgements) -> dict[str, int]:
    """How often each class of difference is behind a miss, as a person has sorted them; the commonest first."""
    counts = Counter(f"{case.outcome}: {judged.cause(package, case) or NOT_LOOKED_AT}" for case in missed(found))
    return dict(counts.most_common())


def alone_counts(found: Iterable[Case]) -> dict[str, int]:
    """How many answers are keel's where pyright names no function or class, and how many of them ty gives too."""
    alone = [case for case in found if case.outcome == Outcome.ALONE]
    return {"answers": len(alone), "ty agrees": sum(case.is_seconded for case in alone)}


def judged_sample(found: Mapping[str, Sequence[Case]], judged: Judgements) -> Judged:
    """The verdicts on the sample."""
    verdicts: dict[str, Counter[str]] = {}
    for package, case in sample(found):
        verdicts.setdefault(case.said.tier, Counter())[judged.verdict(package, case)] += 1
    return Judged(dict(sorted(verdicts.items())))


def summed(results: Iterable[Result], who: str) -> Score:
    """The counts of the six packages together."""
    counted = NOTHING
    for result in results:
        if result.package != EXTRA and who in result.answerers:
            counted += result.answerers[who].all
    return counted
