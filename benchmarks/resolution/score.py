"""keel's answers against those of the type checkers, site by site, and the counts of it.

A site counts for a checker when that one lands on a function or class of the package's own source (an imported name
may be a module too). Sites where a checker lands elsewhere are told apart: outside of the package, on a variable.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import PurePosixPath

from benchmarks.resolution.answers import Graph, Said
from benchmarks.resolution.client import OUTSIDE
from benchmarks.resolution.definitions import Definitions, Thing
from benchmarks.resolution.heirs import CONSTRUCTORS
from benchmarks.resolution.sites import IMPORT, Place, Site
from benchmarks.resolution.truth import Answers

NODE_KINDS = ("function", "method", "class")


class Landing(StrEnum):
    """Where a checker's answer lies."""

    INSIDE = "inside"
    OUTSIDE = "outside"
    VARIABLE = "variable"
    SILENT = "silent"


class Outcome(StrEnum):
    """How keel's answer stands to a truth."""

    SAME = "same"
    WRONG = "wrong"
    SILENT = "silent"
    OUTSIDE = "outside"
    """keel names something of the package where the truth lies outside of it."""
    ALONE = "alone"
    """keel answers and nobody else does."""
    DIFFER = "checkers differ"
    """Both checkers answer, each something else."""
    UNASKED = ""
    """Nobody lands on a function or class of the package, keel included."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What one checker says about a site, in terms of the package's definitions."""

    landing: Landing
    things: frozenset[Thing] = frozenset()
    heirs: frozenset[Thing] = frozenset()
    """Where it lands on a constructor, the classes that inherit it: the one that is made may be any of them."""

    @property
    def accepted(self) -> frozenset[Thing]:
        """Every answer that counts as the same."""
        return self.things | self.heirs


@dataclass(frozen=True, slots=True)
class Case:
    """One site with everybody's answer."""

    site: Site
    said: Said
    ours: frozenset[Thing]
    """keel's targets as things; a target that is no function or class is none."""
    verdicts: Mapping[str, Verdict]
    """By checker."""

    def outcome(self, checker: str = "") -> Outcome:
        """How keel stands to one checker, or to all of them together."""
        truth = self.verdicts[checker] if checker else joined(list(self.verdicts.values()))
        if truth is None:
            return Outcome.DIFFER
        if truth.landing == Landing.INSIDE:
            if not self.ours:
                return Outcome.SILENT
            return Outcome.SAME if self.ours & truth.accepted else Outcome.WRONG
        if not self.ours:
            return Outcome.UNASKED
        return Outcome.OUTSIDE if truth.landing == Landing.OUTSIDE else Outcome.ALONE

    @property
    def cause(self) -> str:
        """Why keel has no answer, with the shape of the name; for the summary of misses."""
        why = self.said.reason if not self.said.targets else "lands on a variable"
        return f"{why}: {self.site.shape}" if not self.ours else f"answers: {self.site.shape}"


@dataclass(frozen=True, slots=True)
class Score:
    """Counts over the sites of one package and kind, against one truth."""

    sites: int
    same: int
    wrong: int
    silent: int
    outside: int
    alone: int
    differ: int
    several: int
    """Sites counted as the same where keel names other targets besides."""

    @property
    def same_share(self) -> float:
        """Of the sites that count, those with the same answer, in per cent."""
        return _share(self.same, self.sites)

    @property
    def right_share(self) -> float:
        """Of keel's answers where the truth is known, inside or outside, those that are right, in per cent."""
        return _share(self.same, self.same + self.wrong + self.outside)


def cases(sites: Iterable[Site], graph: Graph, answers: Mapping[str, Answers], definitions: Definitions) -> list[Case]:
    """Every site with keel's answer and the checkers'."""
    found = []
    for site in sites:
        said = graph.at(site.kind, site.place)
        verdicts = {
            checker: verdict(site, known.get(site.place, ()), definitions) for checker, known in answers.items()
        }
        found.append(Case(site, said, _things(said, definitions, modules=site.kind == IMPORT), verdicts))
    return found


def verdict(site: Site, landings: Sequence[Place], definitions: Definitions) -> Verdict:
    """Landings as things of the package; one of them is enough."""
    things = {thing for landing in landings if (thing := _thing(site, landing, definitions)) is not None}
    if things:
        return Verdict(Landing.INSIDE, frozenset(things), _heirs(site, landings, definitions))
    if not landings:
        return Verdict(Landing.SILENT)
    # `self.__class__()`: where the attribute itself is defined says nothing about what is made.
    return Verdict(Landing.OUTSIDE if OUTSIDE in landings and site.name != "__class__" else Landing.VARIABLE)


def joined(verdicts: Sequence[Verdict]) -> Verdict | None:
    """What the checkers say together; None where they contradict each other.

    One that is silent or stops at a variable contradicts nobody.
    """
    inside = [one for one in verdicts if one.landing == Landing.INSIDE]
    outside = [one for one in verdicts if one.landing == Landing.OUTSIDE]
    if not inside:
        return outside[0] if outside else verdicts[0]
    if outside or not frozenset.intersection(*(one.accepted for one in inside)):
        return None
    things = frozenset[Thing]().union(*(one.things for one in inside))
    return Verdict(Landing.INSIDE, things, frozenset[Thing]().union(*(one.heirs for one in inside)))


def score(found: Iterable[Case], checker: str = "") -> Score:
    """The counts for one checker, or for all of them together."""
    counts: Counter[Outcome] = Counter()
    several = 0
    for case in found:
        outcome = case.outcome(checker)
        counts[outcome] += 1
        several += outcome == Outcome.SAME and len(case.ours) > 1
    same, wrong, silent = (counts[one] for one in (Outcome.SAME, Outcome.WRONG, Outcome.SILENT))
    return Score(
        sites=same + wrong + silent,
        same=same,
        wrong=wrong,
        silent=silent,
        outside=counts[Outcome.OUTSIDE],
        alone=counts[Outcome.ALONE],
        differ=counts[Outcome.DIFFER],
        several=several,
    )


def causes(found: Iterable[Case], wanted: Callable[[Outcome], bool]) -> list[tuple[str, int]]:
    """How often each cause is behind the outcomes that are wanted, the commonest first."""
    counts = Counter(f"{outcome}: {case.cause}" for case in found if wanted(outcome := case.outcome()))
    return counts.most_common()


def _thing(site: Site, landing: Place, definitions: Definitions) -> Thing | None:
    thing = definitions.by_place.get(landing)
    if thing is None and site.kind == IMPORT and _is_module(site.name, landing):
        return definitions.module(landing.path)
    return thing


def _heirs(site: Site, landings: Sequence[Place], definitions: Definitions) -> frozenset[Thing]:
    """The classes that a construction may make; a constructor that is called by its name makes none of them."""
    if site.name in CONSTRUCTORS:
        return frozenset()
    return frozenset[Thing]().union(*(definitions.heirs.get(landing, frozenset()) for landing in landings))


def _is_module(name: str, landing: Place) -> bool:
    """Whether an imported name is the file it lands at the beginning of: a variable may stand there as well."""
    path = PurePosixPath(landing.path)
    return landing[1:] == (1, 1) and name == (path.parent.name if path.stem == "__init__" else path.stem)


def _things(said: Said, definitions: Definitions, modules: bool) -> frozenset[Thing]:
    things = set()
    for target in said.targets:
        if target.kind in NODE_KINDS:
            # A definition that Python's parser does not show (a file of another package) is a thing all the same.
            unknown = Thing(target.path, target.line, target.id.rpartition(":")[2])
            things.add(definitions.by_line.get((target.path, target.line, target.name), unknown))
        elif modules and target.kind in ("module", "file"):
            things.add(definitions.module(target.path))
    return frozenset(things)


def _share(part: int, whole: int) -> float:
    return 100 * part / whole if whole else 100.0
