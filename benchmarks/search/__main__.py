"""`python -m benchmarks.search`: how often search finds the symbol that answers a question, by words, meaning and both.

Prints recall at 1 and 10 and the mean reciprocal rank, for the half of the questions that weights were chosen by and
for the half that was held out, with a grep-like ranking as yardstick. `--misses` lists the questions that the fused
ranking does not answer within ten.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from benchmarks.corpora import PINS, CorpusMissing, corpus
from benchmarks.report import RESULTS
from benchmarks.search.questions import Asked, SymbolKey, read_questions
from benchmarks.search.rankings import Ranking, by_both, by_grep, by_meaning, by_words
from keel.bootstrap import open_workspace
from keel.embedders.static import StaticEmbedder, is_installed
from keel.indexing.pipeline import build
from keel.indexing.rows.vectors import has_all_vectors, make_vectors
from keel.querying.current_graph import index_context

TEN = 10
LIBRARIES = ("wordllama", "tokenizers", "numpy")


@dataclass(frozen=True)
class Outcome:
    """What one ranking made of one question."""

    way: str
    asked: Asked
    place: int
    """Where the first answer is, from 1 on; 0 when it is not there."""
    milliseconds: float


@dataclass(frozen=True)
class RankingResult:
    """What one ranking made of one half of the questions."""

    way: str
    half: str
    questions: int
    recall_at_1: float
    recall_at_10: float
    mean_reciprocal_rank: float
    median_ms: float


def main(words: Sequence[str]) -> None:
    """Asks everything, prints the table and keeps it."""
    outcomes: list[Outcome] = []
    questions = read_questions()
    for package in dict.fromkeys(asked.package for asked in questions):
        print(f"… {package} {PINS[package]}", file=sys.stderr, flush=True)
        try:
            outcomes += _asked_about(corpus(package), [asked for asked in questions if asked.package == package])
        except CorpusMissing as missing:
            print(missing, file=sys.stderr)
    lines = list(_lines(outcomes))
    text = as_markdown(lines, questions)
    print(text)
    if "--misses" in words:
        _print_misses(outcomes)
    if len({outcome.asked.package for outcome in outcomes}) == len({asked.package for asked in questions}):
        (RESULTS / "search.md").write_text(text, encoding="utf-8")
        as_json = json.dumps([asdict(line) for line in lines], indent=2)
        (RESULTS / "search.json").write_text(f"{as_json}\n", encoding="utf-8")


def _asked_about(folder: Path, questions: Sequence[Asked]) -> list[Outcome]:
    """A graph of the package, without help from outside, and all its questions asked in every way."""
    workspace = open_workspace(str(folder), str(folder))
    workspace.prepare()
    context = index_context(workspace)._replace(helpers={}, embedder=lambda: None)
    if not workspace.store.exists():
        build(context)
    embedder = StaticEmbedder() if is_installed() else None
    if embedder is not None:
        with workspace.store.writing() as writer:
            if not has_all_vectors(writer, embedder):
                make_vectors(writer, embedder, workspace.syntaxes, workspace.progress)
    with workspace.store.reading() as reader:
        ways: dict[str, Ranking] = {"grep-like": by_grep(reader, folder), "words (bm25)": by_words(reader)}
        if embedder is not None:
            near = embedder.gather(reader.vectors())
            ways["meaning (vectors)"] = by_meaning(reader, embedder, near)
            ways["fused"] = by_both(reader, embedder, near)
        return [_outcome(way, ranking, asked) for way, ranking in ways.items() for asked in questions]


def _outcome(way: str, ranking: Ranking, asked: Asked) -> Outcome:
    started = time.perf_counter()
    places = ranking(asked.question)
    seconds = time.perf_counter() - started
    return Outcome(way, asked, place_of(places, asked), seconds * 1000)


def place_of(places: Sequence[SymbolKey], asked: Asked) -> int:
    """Where the first answer is, from 1 on; 0 when it is not there."""
    return next((number for number, place in enumerate(places, 1) if place in asked.answers), 0)


def _lines(outcomes: Sequence[Outcome]) -> Iterator[RankingResult]:
    for way in dict.fromkeys(outcome.way for outcome in outcomes):
        for half, held_out in (("chosen by", False), ("held out", True)):
            some = [one for one in outcomes if one.way == way and one.asked.is_held_out == held_out]
            if some:
                yield _line(way, half, some)


def _line(way: str, half: str, some: Sequence[Outcome]) -> RankingResult:
    count = len(some)
    return RankingResult(
        way,
        half,
        count,
        round(sum(one.place == 1 for one in some) / count, 3),
        round(sum(0 < one.place <= TEN for one in some) / count, 3),
        round(sum(1 / one.place for one in some if one.place) / count, 3),
        round(sorted(one.milliseconds for one in some)[count // 2], 1),
    )


def as_markdown(lines: Sequence[RankingResult], questions: Sequence[Asked]) -> str:
    """The table, with what it was measured on."""
    packages = ", ".join(f"{package} {PINS[package]}" for package in dict.fromkeys(one.package for one in questions))
    rows = [
        f"| {one.way} | {one.half} | {one.questions} | {one.recall_at_1:.1%} | {one.recall_at_10:.1%} |"
        f" {one.mean_reciprocal_rank:.3f} | {one.median_ms:.1f} |"
        for one in lines
    ]
    return "\n".join(
        (
            "# Search\n",
            "Written by `make bench-search`; not edited by hand. A question counts as answered when one of its symbols",
            "is among the first ten. The weights of the ranking were chosen by one half of the questions alone.\n",
            "| ranking | half | questions | recall@1 | recall@10 | MRR | median ms |",
            "| --- | --- | --- | --- | --- | --- | --- |",
            *rows,
            "",
            f"- packages: {packages}",
            f"- versions: {', '.join(f'{name} {_version(name)}' for name in LIBRARIES)}",
            "- grep-like: definitions by how many of the words their text has, tests last, the shortest first",
            "",
        )
    )


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "not installed"


def _print_misses(outcomes: Sequence[Outcome]) -> None:
    last = list(dict.fromkeys(one.way for one in outcomes))[-1]
    places = {(one.way, one.asked.question): one.place for one in outcomes}
    for one in outcomes:
        if one.way == last and not 0 < one.place <= TEN:
            there = ", ".join(
                f"{way} {place}" for (way, question), place in places.items() if question == one.asked.question
            )
            print(
                f"{'held' if one.asked.is_held_out else 'dev '}  {one.asked.package}: {one.asked.question}  ({there})"
            )


if __name__ == "__main__":
    main(sys.argv[1:])
