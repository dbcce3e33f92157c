"""Four ways to rank the symbols of a package by a question: words, meaning, both fused, and what grep would give.

Which of them finds what was asked for is left to `__main__.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from benchmarks.search.questions import SymbolKey
from keel.graph.naming import FILE_KIND
from keel.graph.ranking import is_foreign
from keel.graph.search import WEIGHTS, Weights, question_of, search
from keel.indexing.rows.vectors import asked_text
from keel.languages.python import language
from keel.languages.python.syntax import SYNTAX
from keel.model.ids import unescape_path
from keel.model.rows import FileRow, StoredNode
from keel.model.syntax import syntaxes_of
from keel.ports.embedder import Embedder, Nearness
from keel.ports.store import GraphReader

SYNTAXES = syntaxes_of([language])
DEEP = 200
"""Places of a ranking that are looked at."""

Ranking = Callable[[str], list[SymbolKey]]


def is_wanted(node: StoredNode, file: FileRow) -> bool:
    """What `search` looks for when nothing is said."""
    return node.kind != FILE_KIND and not is_foreign(file.path, SYNTAX)


def by_words(reader: GraphReader, weights: Weights = WEIGHTS) -> Ranking:
    """bm25 and the ranking of names, as `search` does without the extra."""

    def ranking(question: str) -> list[SymbolKey]:
        found = search(reader, question_of(reader, question, SYNTAXES), is_wanted, SYNTAXES, weights=weights)
        return [(one.file.path, one.node.qualified_name) for one in found[:DEEP]]

    return ranking


def by_meaning(reader: GraphReader, embedder: Embedder, near: Nearness) -> Ranking:
    """Vectors alone, tests behind everything else."""

    def ranking(question: str) -> list[SymbolKey]:
        nodes = map(reader.node, _nearest(embedder, near, question))
        places = [(file.path, node.qualified_name) for node in nodes if node and (file := reader.file(node.file))]
        return sorted(places, key=lambda place: SYNTAX.is_test(place[0]))

    return ranking


def by_both(reader: GraphReader, embedder: Embedder, near: Nearness, weights: Weights = WEIGHTS) -> Ranking:
    """Words and meaning fused, as `search` does with the extra."""

    def ranking(question: str) -> list[SymbolKey]:
        meant = _nearest(embedder, near, question)
        asked = question_of(reader, question, SYNTAXES)
        found = search(reader, asked, is_wanted, SYNTAXES, meant=meant, weights=weights)
        return [(one.file.path, one.node.qualified_name) for one in found[:DEEP]]

    return ranking


def by_grep(reader: GraphReader, folder: Path) -> Ranking:
    """The definitions whose text has most of the words, tests last and the shortest first: a patient user of grep."""
    texts = list(_texts(reader, folder))

    def ranking(question: str) -> list[SymbolKey]:
        words = set(asked_text(question).split())
        scored = []
        for place, text, lines in texts:
            hits = sum(word in text for word in words)
            if hits:
                scored.append((SYNTAX.is_test(place[0]), -hits, lines, place))
        return [place for *_, place in sorted(scored)[:DEEP]]

    return ranking


def _nearest(embedder: Embedder, near: Nearness, question: str) -> list[int]:
    [vector] = embedder.embed([asked_text(question)])
    return near.nearest(vector, DEEP)


def _texts(reader: GraphReader, folder: Path) -> list[tuple[SymbolKey, str, int]]:
    """The text of every definition in lower case, with how many lines it has."""
    found = []
    for file in reader.files():
        lines = (folder / unescape_path(file.path)).read_text(encoding="utf-8", errors="replace").lower().split("\n")
        for node in reader.nodes(file.id):
            if node.ordinal > 1:
                own = lines[node.line - 1 : node.end_line]
                found.append(((file.path, node.qualified_name), "\n".join(own), len(own)))
    return found
