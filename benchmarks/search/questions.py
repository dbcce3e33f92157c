"""The questions, read from `questions.tsv`: about which package, in what words, and what answers them.

How they are answered is left to `rankings.py`.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

FILE = Path(__file__).with_name("questions.tsv")

SymbolKey = tuple[str, str]
"""A symbol by path and qualified name."""


@dataclass(frozen=True)
class Asked:
    """A question, and the symbols any of which answers it."""

    package: str
    question: str
    answers: frozenset[SymbolKey]
    is_held_out: bool
    """Whether it was not looked at when weights were chosen: every second one."""


def read_questions() -> list[Asked]:
    """All questions, in the order of the file."""
    asked = []
    for number, line in enumerate(FILE.read_text(encoding="utf-8").splitlines()[1:]):
        package, question, symbols = line.split("\t")
        places = (symbol.partition(":") for symbol in symbols.split("|"))
        answers = frozenset((path, name) for path, _, name in places)
        asked.append(Asked(package, question, answers, is_held_out=number % 2 == 1))
    return asked
