"""The mutation oracle on a package so small that a person can say who is broken by what.

The same changes, reasoning and counting as `make bench-mutations`, without type checkers: keel must say what the person
says, and so must the reasoning.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from benchmarks.mutations.cases import Case
from benchmarks.mutations.checkers import Position
from benchmarks.mutations.choice import Sources, mutant_of
from benchmarks.mutations.mutants import HARMLESS, WRITTEN, Kind, Mutant
from benchmarks.mutations.reasoning import Reasoning, uses
from benchmarks.mutations.score import score
from benchmarks.mutations.sources import Scope
from benchmarks.mutations.verdicts import Keel

FILES = {
    "shop/__init__.py": "",
    "shop/money.py": '''
def charge(order, amount, note="none"):
    """Takes money."""
    return amount


class Till:
    """Where it lies."""

    def __init__(self, name):
        self.name = name

    def open(self):
        """Opens it."""
        return self.name

    def count(self, start: int) -> int:
        """Counts it."""
        return start

    @property
    def total(self):
        """All of it."""
        return 0

    @staticmethod
    def rate(amount):
        """What a piece is worth."""
        return amount
''',
    "shop/app.py": '''
from shop.money import Till, charge


def by_place(order):
    """Gives arguments by their place."""
    return charge(order, 1)


def by_name(order):
    """Gives one by its name."""
    return charge(order, amount=1)


def at_the_till():
    """Uses the till."""
    till = Till("one")
    return till.open().upper(), till.total + 1, till.count(1), till.rate(2)


def nothing():
    """Uses nothing of it."""
    return 1
''',
}
APP = "shop/app.py"
BOTH = {"by_place", "by_name"}
TRUTH: list[tuple[str, Kind, set[str]]] = [
    ("charge", Kind.RENAME_PARAMETER, {"by_name"}),
    ("charge", Kind.ADD_REQUIRED, BOTH),
    ("charge", Kind.REMOVE, {"<module>", *BOTH}),
    ("charge", Kind.RENAME, {"<module>", *BOTH}),
    ("charge", Kind.MOVE, {"<module>", *BOTH}),
    ("charge", Kind.ASYNC, BOTH),
    ("charge", Kind.REORDER, BOTH),
    ("Till.__init__", Kind.ADD_REQUIRED, {"at_the_till"}),
    ("Till.__init__", Kind.REMOVE_PARAMETER, {"at_the_till"}),
    ("Till.open", Kind.PROPERTY, {"at_the_till"}),
    ("Till.open", Kind.STATIC, {"at_the_till"}),
    ("Till.open", Kind.REMOVE, {"at_the_till"}),
    ("Till.total", Kind.NO_PROPERTY, {"at_the_till"}),
    ("Till.rate", Kind.NO_STATIC, {"at_the_till"}),
    *((name, kind, set()) for name in ("charge", "Till.open", "Till.count") for kind in HARMLESS),
]


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Sources, Keel]]:
    """The package, mapped."""
    room: Path = tmp_path_factory.mktemp("room")
    for path, text in FILES.items():
        (room / path).parent.mkdir(exist_ok=True)
        (room / path).write_text(text, encoding="utf-8")
    sources = Sources({path: text.encode() for path, text in FILES.items()})
    with Keel(room, sources) as keel:
        yield sources, keel


def _mutant(sources: Sources, name: str, kind: Kind) -> Mutant | None:
    function = next(each for each in sources.functions() if each.qualified == name)
    return mutant_of(sources, function, kind, Random(1))


def _places(sources: Sources, mutant: Mutant) -> list[Position]:
    """Every place that has the name: in so small a package it can mean nothing else."""
    return [
        Position(source.path, line, column)
        for source in sources.files.values()
        for (line, column) in uses(source)
        if any(source.data[source.offset(line, column) :].startswith(word.encode()) for word in mutant.words)
    ]


@pytest.mark.parametrize(("name", "kind", "truth"), TRUTH, ids=[f"{name}-{kind}" for name, kind, _ in TRUTH])
def test_keel_and_reasoning_say_what_a_person_says(
    shop: tuple[Sources, Keel], name: str, kind: Kind, truth: set[str]
) -> None:
    sources, keel = shop
    mutant = _mutant(sources, name, kind)
    if mutant is None:
        assert kind in HARMLESS, "every breaking change of the table can be made"
        return
    reasoned = Reasoning(sources).broken(mutant, _places(sources, mutant))
    if kind not in HARMLESS:
        assert {scope.name for scope in reasoned if scope.path == APP} == truth
    case = Case("shop", mutant, {Scope(APP, each): ("a person",) for each in truth}, keel.says(mutant))
    assert (case.missed, case.false_errors) == (set(), set())
    assert score([case]).broken == len(truth)


@pytest.mark.parametrize("kind", WRITTEN)
def test_what_is_not_written_is_an_error(shop: tuple[Sources, Keel], kind: Kind) -> None:
    sources, keel = shop
    mutant = _mutant(sources, "charge", kind)
    assert mutant is not None
    assert WRITTEN[kind] in keel.says(mutant).written
