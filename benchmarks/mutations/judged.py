"""What was read by hand: where the checkers err, and why keel misses or errs.

`judged.tsv` has a line for each ruling: package, kind, function, scope, `fine`, `broken` or `-`, and the cause. A `*`
means every kind, function or scope, and kinds are separated by commas; the first line that fits counts. Where
something is said to be broken the kinds are named, and `ran` has Python say it too.
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

    @property
    def place(self) -> Scope | None:
        """The scope, where it is one."""
        return None if self.scope == ANY else Scope(*self.scope.split(" ", 1))


def rulings(page: Path = PAGE) -> list[Ruling]:
    """All of them."""
    lines = page.read_text(encoding="utf-8").splitlines()
    return [Ruling(*line.split("\t")) for line in lines if line and not line.startswith("#")]


def ruling(every: Sequence[Ruling], package: str, mutant: Mutant, scope: Scope) -> Ruling | None:
    """The line about a scope of a mutant."""
    told = " ".join(scope)
    return next((each for each in every if is_about(each, package, mutant) and each.scope in (ANY, told)), None)


def is_about(one: Ruling, package: str, mutant: Mutant) -> bool:
    """Whether a line is about some scope of a mutant."""
    told = (package, f"{mutant.function.path} {mutant.function.qualified}")
    is_kind = one.kind == ANY or mutant.kind.name in one.kind.split(",")
    return is_kind and all(
        wanted in (ANY, said) for wanted, said in zip((one.package, one.function), told, strict=True)
    )
