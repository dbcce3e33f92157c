"""Full-text search for symbols: the words of a question, the candidates, and their ranking.

The store finds candidates by words; here they are ranked by how their names, owners and paths match the question: the
exact name first, definitions before tests. A ranking by meaning can be fused in. What is shown of a symbol is left to
the operation, making words of text to `model/text/words.py`.
"""

from __future__ import annotations

import re
from functools import lru_cache
from math import log
from typing import TYPE_CHECKING, NamedTuple

from keel.graph.lookup.spelling import nearest_word
from keel.graph.naming import FILE_KIND, MODULE_KIND
from keel.graph.ranking import is_example
from keel.model.facts import ACCESSOR, OVERLOAD
from keel.model.kinds import NodeKind, Visibility
from keel.model.rows import MAX_WEIGHED, VISIBILITY_MASK, VISIBILITY_SHIFT
from keel.model.text.qualified import neutral
from keel.model.text.words import SAY_NOTHING, joined, name_words, pieces_of, stem, words_in

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

    from keel.model.rows import FileRow, StoredNode
    from keel.model.syntax import Syntaxes
    from keel.ports.store import GraphReader

MAX_QUESTION_LENGTH = 1000
"""Letters of a question that are read."""
MAX_WORDS = 32
CANDIDATES = 200
NAMESAKES = 100
NARROWED_CANDIDATES = 5000
"""How many nodes the store is asked for; more when most of them will be filtered out."""
MAX_RANKED = 300
"""How many of them are ranked: those of the exact name, then those that match best by their words."""
LOOKED_AT = 20
"""Ranks among which members of a class are looked for, so that the class itself is shown."""
FEW = 1000
"""A word that at most so many nodes have may be the prefix of another."""
REMEMBERED = 4096
"""Names, owners and paths whose words are cached from one question to the next."""
MODULE_ORDINAL = 1
SHORT = 3
"""A question of at most so many words is a name that may be incomplete, not a sentence."""
ALMOST, ALMOST_SURELY = 0.8, 0.9
"""How similar a mistyped word must be to a known one, in a name and in a sentence, which has words that no code has."""
ASKED_FOR_TESTS = ("test", "tests", "testing")
"""Words by which people ask for tests, whatever the language."""

_identifier = re.compile(r"[^\W\d]\w*")


class Question(NamedTuple):
    """What is searched for, with the weight of each word."""

    text: str
    words: Mapping[str, float]
    """Stems and whole names, each with its weight: rare words weigh more. One that ends in `*` is a prefix."""
    counts: Mapping[str, int]
    """How many nodes have each of them."""
    typed: Mapping[str, str]
    """The words as they were typed."""
    names: Sequence[str]
    """The question read as a name, without what separates words: `get_user` and `get user` are `getuser`."""
    corrected: Mapping[str, str]
    """Words without a match, as they were typed, with their corrections; empty where there is none."""
    beginning: str = ""
    """The last word, when it may be incomplete."""
    test_words: frozenset[str] = frozenset()
    """Stems of the words that ask for tests."""

    @property
    def is_for_tests(self) -> bool:
        """Whether tests are searched for; a sentence that mentions them may be about what runs them."""
        first = next(iter(self.typed), "")
        return first in self.test_words

    @property
    def spelled(self) -> str:
        """The question with its corrections."""
        return " ".join(self.corrected.get(part.lower()) or part for part in self.text.split())

    @property
    def is_weighed(self) -> bool:
        """Whether every node with any of the words is ranked: of words that are too common, all must match."""
        return sum(self.counts.values()) <= MAX_WEIGHED

    @property
    def is_sentence(self) -> bool:
        """Whether it is more than a name: then documentation counts more."""
        return len(self.words) > SHORT


class Scored(NamedTuple):
    """A symbol with its score; more is better."""

    node: StoredNode
    file: FileRow
    score: float
    by_words: bool = True
    """Whether it has words of the question; otherwise it is only near in meaning."""


class Weights(NamedTuple):
    """The weights of the ranking; measured by `make bench-search`."""

    text: float = 1.0
    """The score of the full-text index."""
    name: float = 1.0
    """Words of the question that are in the name."""
    precise: float = 0.6
    """Words of the name that are in the question."""
    owner: float = 0.5
    path: float = 0.35
    sentence: float = 0.5
    """The factor on the weight of names when the question is a sentence."""
    exact: float = 6.0
    """For the name as it was typed; half of it for one that differs in capitals and underscores."""
    qualified: float = 8.0
    test: float = 0.4
    """Factors from here on."""
    inner: float = 0.9
    """Definitions that are not public."""
    top: float = 1.1
    """Definitions at the top level of their module."""
    field: float = 0.6
    companion: float = 0.5
    meaning: float = 2.0
    """The weight of a rank by meaning, against one by words, when the question is a sentence."""
    meaning_of_name: float = 0.5
    """The same for a name."""
    patience: float = 20.0
    """How slowly the value of a rank decreases."""


WEIGHTS = Weights()


def question_of(reader: GraphReader, text: str, syntaxes: Syntaxes) -> Question:
    """The words of a text, mistyped ones corrected by the words of the graph."""
    text = text[:MAX_QUESTION_LENGTH].encode("utf-8", "replace").decode()
    asked = _asked(text)
    typed = {stem(piece.lower()): piece.lower() for piece in pieces_of(text)}
    last = asked[-1] if asked and len(asked) <= SHORT else ""
    counts = reader.word_counts(asked[:MAX_WORDS])
    # A prefix costs as much as all words that begin so: where the word itself is common, it is not looked up.
    may_go_on = len(last) >= SHORT and counts.get(last, 0) <= FEW
    ending = reader.word_counts([f"{last}*"])[f"{last}*"] if may_go_on else 0
    corrected: dict[str, str] = {}
    for word in [word for word, count in counts.items() if not count]:
        del counts[word]
        if word == last and ending:
            counts[f"{word}*"] = ending
        elif "_" not in word:
            near = nearest_word(reader, word, ALMOST if len(asked) <= SHORT else ALMOST_SURELY)
            corrected[typed.get(word, word)] = _spelled(reader, near)
            if near:
                typed[near] = corrected[typed.get(word, word)]
                counts |= reader.word_counts([near])
    beginning = last if counts.get(last) and ending > counts[last] else ""
    if beginning:
        counts[f"{beginning}*"] = ending
    weights = {word: 1 / (1 + log(1 + count)) for word, count in counts.items() if word != f"{beginning}*"}
    parts = [corrected.get(part.lower()) or part for part in text.split() if part.lower() not in SAY_NOTHING]
    names = [joined(part) for part in (*parts, " ".join(parts)) if joined(part)]
    test_words = (*ASKED_FOR_TESTS, *(word for syntax in syntaxes.values() for word in syntax.test_words))
    return Question(text, weights, counts, typed, names, corrected, beginning, frozenset(map(stem, test_words)))


def search(
    reader: GraphReader,
    question: Question,
    wanted: Callable[[StoredNode, FileRow], bool],
    syntaxes: Syntaxes,
    is_narrowed: bool = False,
    meant: Sequence[int] | None = None,
    weights: Weights = WEIGHTS,
) -> list[Scored]:
    """The symbols that match, the best first; `meant` are nodes with a similar meaning, to be fused in."""
    found = reader.matching(question.counts, NARROWED_CANDIDATES if is_narrowed else CANDIDATES)
    best = max((one.score for one in found), default=0.0) or 1.0
    texts = {node.number: 0.0 for node in _named(reader, question)}
    texts |= {one.node.number: one.score / best for one in found}
    placed = {node.number: (node, file) for node, file in reader.placed({*texts, *(meant or ())}) if wanted(node, file)}
    likely = [number for number in texts if number in placed][:MAX_RANKED]
    fits = (fit(question, *placed[number], syntaxes, texts[number], weights) for number in likely)
    ranked = sorted((Scored(*placed[number], score) for number, score in zip(likely, fits, strict=True)), key=_order)
    if meant is not None:
        near = [placed[number] for number in meant if number in placed]
        weighed = ((node, file, _factor(question, node, file, syntaxes, weights)) for node, file in near)
        also = [Scored(node, file, min(1.0, factor), False) for node, file, factor in weighed]
        ranked = fused(question, ranked, also, weights)
    return _with_owners(reader, ranked, wanted) if question.is_sentence else ranked


def _with_owners(
    reader: GraphReader, ranked: list[Scored], wanted: Callable[[StoredNode, FileRow], bool]
) -> list[Scored]:
    """Where several members of a class are among the best, the class comes right after the first of them."""
    members: dict[tuple[int, int], list[int]] = {}
    for place, one in enumerate(ranked[:LOOKED_AT]):
        if one.node.kind == NodeKind.METHOD:
            members.setdefault((one.file.id, one.node.parent), []).append(place)
    several = {owner: places[0] for owner, places in members.items() if len(places) > 1}
    for (file, parent), place in sorted(several.items(), key=lambda entry: -entry[1]):
        first = ranked[place]
        owner = next((node for node in reader.nodes(file) if node.ordinal == parent), None)
        before = {one.node.number for one in ranked[:place]}
        if owner is not None and owner.number not in before and wanted(owner, first.file):
            rest = [one for one in ranked[place + 1 :] if one.node.number != owner.number]
            ranked = [*ranked[: place + 1], Scored(owner, first.file, first.score), *rest]
    return ranked


def fused(question: Question, ranked: Sequence[Scored], also: Sequence[Scored], weights: Weights) -> list[Scored]:
    """Two rankings as one: each counts by rank, since their scores cannot be compared.

    An exact name stays first: meaning has nothing to add to it.
    """
    scores: dict[int, float] = {}
    for place, one in enumerate(ranked):
        named = weights.exact if joined(one.node.name) in question.names[-1:] else 0.0
        scores[one.node.number] = named + 1 / (weights.patience + place)
    share = weights.meaning if question.is_sentence else weights.meaning_of_name
    for place, one in enumerate(also):
        gained = share * one.score / (weights.patience + place)
        scores[one.node.number] = scores.get(one.node.number, 0.0) + gained
    both = {one.node.number: one for one in (*also, *ranked)}
    return sorted((one._replace(score=scores[number]) for number, one in both.items()), key=_order)


def fit(
    question: Question, node: StoredNode, file: FileRow, syntaxes: Syntaxes, text: float, weights: Weights
) -> float:
    """How well a symbol answers a question; `text` is its score in the index, from 0 to 1."""
    whole = sum(question.words.values()) or 1.0
    names, pieces = _of_name(node.name if node.kind != FILE_KIND else node.name.partition(".")[0])
    own = _share(question, names) / whole
    precise = sum(piece in question.words for piece in pieces) / len(pieces) if pieces else 0.0
    owner = _of_owner(syntaxes[file.language].owner(node.qualified_name))
    path = _of_path(file.path)
    by_name = own * (weights.name + weights.precise * precise)
    by_name += weights.owner * _share(question, owner - names) / whole
    by_name += weights.path * _share(question, path - names - owner) / whole
    score = weights.text * text + by_name * (weights.sentence if question.is_sentence else 1.0)
    name, qualified = joined(node.name), joined(node.qualified_name)
    if qualified != name and qualified in question.names:
        score += weights.qualified
    elif name in question.names:
        is_as_typed = node.name in question.text
        score += weights.exact * own * own * (1.0 if is_as_typed else 0.5)
    return score * _factor(question, node, file, syntaxes, weights)


def _factor(question: Question, node: StoredNode, file: FileRow, syntaxes: Syntaxes, weights: Weights) -> float:
    """Less for what is seldom searched for."""
    factor = 1.0
    if is_example(file.path) or (syntaxes[file.language].is_test(file.path) and not question.is_for_tests):
        factor *= weights.test
    if node.flags & (ACCESSOR | OVERLOAD):
        factor *= weights.companion
    if node.kind in (NodeKind.FIELD, NodeKind.CONSTANT, NodeKind.MODULE):
        factor *= weights.field
    if node.flags >> VISIBILITY_SHIFT & VISIBILITY_MASK != Visibility.PUBLIC:
        factor *= weights.inner
    if node.parent == MODULE_ORDINAL:
        factor *= weights.top
    return factor


def nearest_words(question: Question) -> list[str]:
    """The corrections of mistyped words."""
    return [f"{near} for {word}" for word, near in question.corrected.items() if near]


def reasons(question: Question, node: StoredNode, file: FileRow, signature: str, doc: str, about: str) -> list[str]:
    """Why a symbol was found: where it has which words of the question; each word is named once.

    `about` are its indexed words besides its name: a word that is nowhere else is in its body.
    """
    open_words = [word for word in question.words if word.rstrip("*") in question.typed]
    places = (
        ("name", name_words(node.name)),
        ("in", [word for part in neutral(node.qualified_name).split(".")[:-1] for word in name_words(part)]),
        ("signature", words_in(signature)),
        ("doc", words_in(doc)),
        ("path", words_in(file.path)),
        ("body", about.split()),
    )
    said = []
    for place, has in places:
        there = [word for word in open_words if _has(has, word)]
        open_words = [word for word in open_words if word not in there]
        if there:
            said.append(f"{place}: {' '.join(question.typed[word.rstrip('*')] for word in there)}")
    return said


def _has(words: Collection[str], word: str) -> bool:
    return any(one.startswith(word[:-1]) for one in words) if word.endswith("*") else word in words


def _asked(text: str) -> list[str]:
    """The words of a question: stems, and names of several words as a whole too, in their order."""
    found: dict[str, None] = {}
    for name in _identifier.findall(text):
        if len(pieces_of(name)) > 1 and len(name) <= 2 * len("".join(pieces_of(name))):
            found[name.lower()] = None
    stems = words_in(text) or [stem(piece.lower()) for piece in pieces_of(text)]
    return [*found, *(word for word in stems if word not in found)]


def _spelled(reader: GraphReader, stemmed: str) -> str:
    """A word with this stem, as people write it."""
    return next((word for word in reader.known_words(stemmed, MAX_WORDS) if stem(word) == stemmed != word), stemmed)


def _named(reader: GraphReader, question: Question) -> Iterable[StoredNode]:
    """Nodes whose exact name is in the question, however common its words are; a plain word of a sentence is no
    name."""
    for part in dict.fromkeys(question.text.split()):
        name = neutral(part.strip("`'\"(),:;?!")).rpartition(".")[2]
        if name and (not question.is_sentence or len(pieces_of(name)) > 1):
            yield from reader.named(name, NAMESAKES)


@lru_cache(maxsize=REMEMBERED)
def _of_name(name: str) -> tuple[frozenset[str], tuple[str, ...]]:
    """The words of a name, and their stems one by one."""
    return frozenset(name_words(name)), tuple(stem(piece.lower()) for piece in pieces_of(name))


@lru_cache(maxsize=REMEMBERED)
def _of_owner(owner: str) -> frozenset[str]:
    return frozenset(word for part in neutral(owner).split(".") for word in name_words(part))


@lru_cache(maxsize=REMEMBERED)
def _of_path(path: str) -> frozenset[str]:
    return frozenset(words_in(path.rpartition(".")[0]))


def _share(question: Question, words: Collection[str]) -> float:
    weight = 0.0
    for word, tells in question.words.items():
        if word in words or (word[-1] == "*" and _has(words, word)):
            weight += tells
    if question.beginning and question.beginning not in words:
        weight += 0.5 * question.words[question.beginning] * any(one.startswith(question.beginning) for one in words)
    return weight


def _order(one: Scored) -> tuple[float, bool, str, str, int]:
    """By score; of equal ones, source before tests, then by path and position, which do not depend on history."""
    return -round(one.score, 6), one.node.kind == MODULE_KIND, one.file.root, one.file.path, one.node.ordinal
