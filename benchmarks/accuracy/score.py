"""A tool's answers against pyright's, site by site, and the counts of it.

A site counts when pyright lands on a function or class of the package's own source (an imported name may be a module
too). Sites where it lands elsewhere are told apart: outside of the package, on a variable. ty is the second opinion on
answers that pyright does not give.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields, replace
from enum import StrEnum
from pathlib import PurePosixPath

from benchmarks.accuracy.answers import Graph, SiteAnswer
from benchmarks.accuracy.client import OUTSIDE
from benchmarks.accuracy.definitions import DefinitionGroup, Definitions
from benchmarks.accuracy.heirs import CONSTRUCTORS
from benchmarks.accuracy.sites import IMPORT, Site, SourceSpan
from benchmarks.accuracy.truth import Answers

NODE_KINDS = ("function", "method", "class")


class Landing(StrEnum):
    """Where a checker's answer lies."""

    INSIDE = "inside"
    OUTSIDE = "outside"
    VARIABLE = "variable"
    SILENT = "silent"


class Outcome(StrEnum):
    """How an answer compares with the truth."""

    SAME = "same"
    WRONG = "wrong"
    SILENT = "silent"
    OUTSIDE = "outside"
    """Something of the package is named where the truth lies outside of it."""
    ALONE = "alone"
    """A function or class is named where pyright names none."""
    UNASKED = ""
    """No answer names a function or class of the package."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What one checker says about a site, in terms of the package's definitions."""

    landing: Landing
    things: frozenset[DefinitionGroup] = frozenset()
    heirs: frozenset[DefinitionGroup] = frozenset()
    """Where it lands on a constructor, the classes that inherit it: the one that is made may be any of them."""

    @property
    def accepted(self) -> frozenset[DefinitionGroup]:
        """Every answer that counts as the same."""
        return self.things | self.heirs


@dataclass(frozen=True, slots=True)
class Case:
    """One site with everybody's answer."""

    site: Site
    said: SiteAnswer
    ours: frozenset[DefinitionGroup]
    """The answer that is scored, as things; a target that is no function or class is none."""
    truth: Verdict
    """pyright's."""
    second: Verdict
    """ty's."""

    @property
    def outcome(self) -> Outcome:
        """How the answer compares with the truth."""
        if self.truth.landing == Landing.INSIDE:
            if not self.ours:
                return Outcome.SILENT
            return Outcome.SAME if self.ours & self.truth.accepted else Outcome.WRONG
        if not self.ours:
            return Outcome.UNASKED
        return Outcome.OUTSIDE if self.truth.landing == Landing.OUTSIDE else Outcome.ALONE

    @property
    def is_seconded(self) -> bool:
        """Whether ty names what is answered."""
        return bool(self.ours & self.second.accepted)

    @property
    def answer(self) -> str:
        """What is answered, as text that two runs can be compared by."""
        return ", ".join(sorted(map(str, self.ours)))

    @property
    def cause(self) -> str:
        """Why there is no such answer, with the shape of the name; for the summary of misses."""
        why = self.said.reason if not self.said.targets else "lands on a variable"
        return f"{why}: {self.site.shape}" if not self.ours else f"answers: {self.site.shape}"


@dataclass(frozen=True, slots=True)
class Score:
    """Counts over sites."""

    sites: int
    same: int
    wrong: int
    silent: int
    outside: int
    alone: int
    several: int
    """Sites counted as the same where other targets are named besides."""
    excused: int = 0
    """Of wrong and outside, those that are right all the same: ty says so too, or a person did who read the source."""

    @property
    def same_share(self) -> float:
        """Of the sites that count, those with the same answer, in per cent."""
        return _share(self.same, self.sites)

    @property
    def right_share(self) -> float:
        """Of the answers where pyright answers too, inside or outside, those that are right, in per cent."""
        return _share(self.same + self.excused, self.same + self.wrong + self.outside)

    def __add__(self, other: Score) -> Score:
        return Score(*(getattr(self, one.name) + getattr(other, one.name) for one in fields(self)))


NOTHING = Score(0, 0, 0, 0, 0, 0, 0)


def cases(sites: Iterable[Site], graph: Graph, truth: Answers, second: Answers, definitions: Definitions) -> list[Case]:
    """Every site with keel's answer and the checkers'."""
    return [
        Case(
            site,
            said := graph.at(site.kind, site.place),
            _things(said, definitions, modules=site.kind == IMPORT),
            verdict(site, truth.get(site.place, ()), definitions),
            verdict(site, second.get(site.place, ()), definitions),
        )
        for site in sites
    ]


def answered_by(peer: Answers, found: Iterable[Case], definitions: Definitions) -> list[Case]:
    """The sites that count, with the answers of a peer in the place of keel's."""
    return [
        replace(case, said=SiteAnswer(), ours=verdict(case.site, peer.get(case.site.place, ()), definitions).accepted)
        for case in found
        if case.truth.landing == Landing.INSIDE
    ]


def verdict(site: Site, landings: Sequence[SourceSpan], definitions: Definitions) -> Verdict:
    """Landings as things of the package; one of them is enough."""
    things = {thing for landing in landings if (thing := _thing(site, landing, definitions)) is not None}
    if things:
        return Verdict(Landing.INSIDE, frozenset(things), _heirs(site, landings, definitions))
    if not landings:
        return Verdict(Landing.SILENT)
    # `self.__class__()`: where the attribute itself is defined says nothing about what is made.
    return Verdict(Landing.OUTSIDE if OUTSIDE in landings and site.name != "__class__" else Landing.VARIABLE)


def score(found: Iterable[Case], is_right: Callable[[Case], bool]) -> Score:
    """The counts; `is_right` is asked about answers that pyright does not give."""
    counts: Counter[Outcome] = Counter()
    several = excused = 0
    for case in found:
        outcome = case.outcome
        counts[outcome] += 1
        several += outcome == Outcome.SAME and len(case.ours) > 1
        excused += outcome in (Outcome.WRONG, Outcome.OUTSIDE) and is_right(case)
    same, wrong, silent = (counts[one] for one in (Outcome.SAME, Outcome.WRONG, Outcome.SILENT))
    return Score(
        sites=same + wrong + silent,
        same=same,
        wrong=wrong,
        silent=silent,
        outside=counts[Outcome.OUTSIDE],
        alone=counts[Outcome.ALONE],
        several=several,
        excused=excused,
    )


def missed(found: Iterable[Case]) -> list[Case]:
    """The sites at which pyright answers, and the answer is another one or none."""
    return [case for case in found if case.outcome in (Outcome.WRONG, Outcome.OUTSIDE, Outcome.SILENT)]


def _thing(site: Site, landing: SourceSpan, definitions: Definitions) -> DefinitionGroup | None:
    thing = definitions.by_place.get(landing)
    if thing is None and site.kind == IMPORT and _is_module(site.name, landing):
        return definitions.module(landing.path)
    return thing


def _heirs(site: Site, landings: Sequence[SourceSpan], definitions: Definitions) -> frozenset[DefinitionGroup]:
    """The classes that a construction may make; a constructor that is called by its name makes none of them."""
    if site.name in CONSTRUCTORS:
        return frozenset()
    return frozenset[DefinitionGroup]().union(*(definitions.heirs.get(landing, frozenset()) for landing in landings))


def _is_module(name: str, landing: SourceSpan) -> bool:
    """Whether an imported name is the file it lands at the beginning of: a variable may be there as well."""
    path = PurePosixPath(landing.path)
    return landing[1:] == (1, 1) and name == (path.parent.name if path.stem == "__init__" else path.stem)


def _things(said: SiteAnswer, definitions: Definitions, modules: bool) -> frozenset[DefinitionGroup]:
    things = set()
    for target in said.targets:
        if target.kind in NODE_KINDS:
            # A definition that Python's parser does not show (a file of another package) is a thing all the same.
            unknown = DefinitionGroup(target.path, target.line, target.id.rpartition(":")[2])
            things.add(definitions.by_line.get((target.path, target.line, target.name), unknown))
        elif modules and target.kind in ("module", "file"):
            things.add(definitions.module(target.path))
    return frozenset(things)


def _share(part: int, whole: int) -> float:
    return 100 * part / whole if whole else 100.0
