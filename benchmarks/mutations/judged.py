"""What was read by hand: where the checkers err, and why keel misses or errs.

`judged.tsv` has a line for each ruling: package, kind, function, scope, `fine`, `broken` or `-`, and the cause. A `*`
stands for every function or scope; the first line that fits counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks.mutations.mutants import Mutant
from benchmarks.mutations.sources import Scope

PAGE = Path(__file__).resolve().parent / "judged.tsv"
ANY = "*"
NOT_READ = "not read yet"


class Ruling(NamedTuple):
    """One line: the truth where the checkers are wrong, and the cause of what is listed."""

    package: str
    kind: str
    function: str
    scope: str
    truth: str
    cause: str


def rulings(page: Path = PAGE) -> list[Ruling]:
    """All of them."""
    lines = page.read_text(encoding="utf-8").splitlines()
    return [Ruling(*line.split("\t")) for line in lines if line and not line.startswith("#")]


def ruling(every: Sequence[Ruling], package: str, mutant: Mutant, scope: Scope) -> Ruling | None:
    """The line about a scope of a mutant."""
    told = (package, mutant.kind.name, f"{mutant.function.path} {mutant.function.qualified}", " ".join(scope))
    return next(
        (each for each in every if all(wanted in (ANY, told[at]) for at, wanted in enumerate(each[:4]))),
        None,
    )
