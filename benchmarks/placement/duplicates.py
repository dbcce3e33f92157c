"""Every function of a package judged as new for W002, and the verdicts of those who read a hundred of the flags.

`verdicts.tsv` has a line for each flag that was read: package, place, name, the place of the other one, how alike keel
finds them, `same` or `other`, and the reason.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from keel.graph.placement.duplicates import is_eligible, namesakes_of
from keel.languages.python import language
from keel.languages.python.syntax import SYNTAX
from keel.ports.store import GraphReader

PAGE = Path(__file__).resolve().parent / "verdicts.tsv"
SAME, OTHER = "same", "other"
MAX_READ = 100


@dataclass(frozen=True, slots=True)
class Flag:
    """A function that would be told to repeat another, were it new."""

    package: str
    place: str
    name: str
    other: str
    likeness: float


@dataclass(frozen=True, slots=True)
class Read:
    """A flag that was read by hand."""

    flag: Flag
    verdict: str
    reason: str


def flags(package: str, source: str, reader: GraphReader) -> tuple[int, list[Flag]]:
    """How many functions of a package were judged, and the flags."""
    judged = 0
    found = []
    for file in reader.files():
        if not file.path.startswith(source):
            continue
        for node in reader.nodes(file.id):
            if is_eligible(node, file.path, SYNTAX):
                judged += 1
                decode = lambda number: language.decode(reader.interface(number) or b"")  # noqa: E731  # of this reader
                for other in namesakes_of(reader, decode, node, file, SYNTAX)[:1]:
                    there = f"{other.file.path}:{other.node.line}"
                    found.append(Flag(package, f"{file.path}:{node.line}", node.name, there, other.likeness))
    return judged, found


def drawn(every: Sequence[Flag]) -> list[Flag]:
    """A hundred of the flags, drawn by lot; all where there are fewer."""
    return random.Random("duplicates").sample(list(every), min(MAX_READ, len(every)))


def verdicts(page: Path = PAGE) -> dict[tuple[str, str, str], Read]:
    """What was read, by package, place and name."""
    return {(each.flag.package, each.flag.place, each.flag.name): each for each in _lines(page)}


def _lines(page: Path) -> Iterator[Read]:
    for line in page.read_text(encoding="utf-8").splitlines() if page.exists() else ():
        if line and not line.startswith("#"):
            package, place, name, other, likeness, verdict, reason = line.split("\t")
            yield Read(Flag(package, place, name, other, float(likeness)), verdict, reason)
