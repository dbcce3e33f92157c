"""A generated graph of a million symbols in the real store, to ask questions of: made once, kept with the corpora.

20,000 modules of classes, methods and functions whose names repeat as names do, and whose words are as unevenly common
as words are: some are in a tenth of all names, most in a few. Each symbol calls two others, mostly near ones, and one
hub is called 70,000 times. What is asked of it is left to `queries`.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import NamedTuple

from benchmarks.corpora import cache_folder
from keel.bootstrap import NO_SEMANTIC, Workspace, open_workspace
from keel.indexing.rows.words import words_of
from keel.languages.python.syntax import SYNTAX
from keel.model.facts import References, decode_interface, encode
from keel.model.kinds import EdgeKind, NodeKind, Tier
from keel.model.rows import EdgeRow, FileLinks, FileUpdate, NodeRow
from tests.sources import SourceNode, a_client, a_route, a_source

VERSION = 2
"""Raised when the graph is made in another way, so that an older one is not taken for it."""
IN_FILE = 50
"""Symbols of a file, its module included."""
CALLERS = 70_000
FAR = 200
"""How many files away most calls lead at most."""
VERBS = ("get", "set", "load", "read", "write", "make", "find", "check", "send", "parse", "open", "close", "update")
NOUNS = ("user", "order", "item", "cart", "price", "file", "node", "edge", "page", "query", "token", "event", "state")
SYLLABLES = ("ba", "cor", "den", "fi", "gul", "hem", "jo", "kar", "li", "mon", "nu", "per", "ris", "so", "tal", "ver")
RARE = 20_000
"""How many other words there are."""
IN_DOC = 8
"""Words of a docstring."""
IN_BODY = 3
"""Names that a body uses."""
COMMON = ("__init__", "__init__", "__init__", "__init__", "run", "get", "__repr__", "close", "items", "name")
HUB = "Hub.everyone"
HUB_FILE = 1


class Million(NamedTuple):
    """The graph, and how many symbols and files it has."""

    workspace: Workspace
    symbols: int
    files: int


def million(symbols: int) -> Million:
    """A workspace with so many symbols; its files are nowhere, so they are not looked at."""
    folder = cache_folder() / f"symbols-{symbols}-{VERSION}"
    folder.mkdir(parents=True, exist_ok=True)
    os.environ[NO_SEMANTIC] = "1"  # the generated graph has no vectors, and making a million is no question
    workspace = open_workspace(str(folder), str(folder), persistent=True)
    files = symbols // IN_FILE
    if not workspace.store.exists():
        workspace.prepare()
        with workspace.store.writing() as writer:
            writer.put(a_module(number) for number in range(1, files + 1))
            writer.link(_links(number, files) for number in range(1, files + 1))
    workspace.is_watched = True
    return Million(workspace, symbols, files)


def path_of(number: int) -> str:
    """Folders of folders, as large code bases have them."""
    return f"pkg{number % 40}/part{number % 400}/mod{number}.py"


def a_module(number: int) -> FileUpdate:
    """Four classes of ten members each, and functions; every hundredth has a route and a client."""
    chance = Random(number)
    things = []
    for index in range(4):
        name = f"{chance.choice(NOUNS).title()}{chance.choice(NOUNS).title()}{chance.randrange(number // 20 + 1) or ''}"
        name = "Hub" if number == HUB_FILE and index == 0 else name
        things.append(SourceNode(NodeKind.CLASS, name, doc=f"Keeps {a_sentence(chance)}"))
        members = [_name(chance) for _ in range(10)]
        if name == "Hub":
            members[0] = "everyone"
        docs = [f"Does {a_sentence(chance)}" if chance.random() < 0.3 else "" for _ in members]
        things += [
            SourceNode(NodeKind.METHOD, f"{name}.{member}", doc=doc) for member, doc in zip(members, docs, strict=True)
        ]
    while len(things) < IN_FILE - 1:
        things.append(SourceNode(NodeKind.FUNCTION, _name(chance), doc=f"Does {a_sentence(chance)}"))
    if number % 100 == 0:
        things[-2:] = [a_route("GET", f"/things/{number}/{{id}}"), a_client(f"service{number}", "GET", "/things/{id}")]
    made = a_source(number, path_of(number), things, service=f"service{number % 40}")
    return made._replace(references=encode(References([])), nodes=_with_words(made, chance))


def a_sentence(chance: Random) -> str:
    """What a docstring may say: common and rare words."""
    return " ".join(_word(chance) if chance.random() < 0.6 else chance.choice(NOUNS) for _ in range(IN_DOC))


def _name(chance: Random) -> str:
    if chance.random() < 0.08:  # of httpx's names, 3 % are `__init__`
        return chance.choice(COMMON)
    name = f"{chance.choice(VERBS)}_{chance.choice(NOUNS)}_{chance.choice(NOUNS)}"
    return name if chance.random() < 0.5 else f"{name}_{_word(chance)}"


def _word(chance: Random) -> str:
    """One of the other words: the n-th is an n-th as common as the first, as in any language."""
    rank = int(RARE ** chance.random())
    word = ""
    while rank or not word:
        rank, syllable = divmod(rank, len(SYLLABLES))
        word += SYLLABLES[syllable]
    return word


def _with_words(made: FileUpdate, chance: Random) -> list[NodeRow]:
    """The nodes of a file, to be found by the words that a map would give them, those of their bodies included."""
    interface = decode_interface(made.interface)
    names = [definition.name for definition in interface.defs]
    return [
        node._replace(
            words=words_of(
                made.row, interface, definition, node.name, node.qualified_name, SYNTAX, chance.sample(names, IN_BODY)
            )
        )
        for node, definition in zip(made.nodes, interface.defs, strict=True)
    ]


def _links(number: int, files: int) -> FileLinks:
    """Two calls of every symbol but the module, and in the first files one of the hub as well."""
    chance = Random(-number)
    edges: list[EdgeRow] = []
    for source in range(2, IN_FILE + 1):
        for at in (3, 7):
            near = number + chance.randint(-FAR, FAR)
            file = near if 0 < near <= files and chance.random() < 0.95 else chance.randint(1, files)
            edges.append(_call(source, at, file, chance.randint(2, IN_FILE)))
        if (number - 2) * (IN_FILE - 1) + source - 2 < CALLERS and number > HUB_FILE:
            edges.append(_call(source, 11, HUB_FILE, 3))
    return FileLinks(number, edges, b"", {}, {number})


def _call(source: int, at: int, file: int, target: int) -> EdgeRow:
    return EdgeRow(source, at, int(EdgeKind.CALLS), file, target, int(Tier.TIER2_TREESITTER_HEURISTIC), 80)


def some_symbols(found: Million, count: int, seed: int) -> Iterator[tuple[int, int]]:
    """File and ordinal of random symbols, but for modules."""
    chance = Random(seed)
    for _ in range(count):
        yield chance.randint(1, found.files), chance.randint(2, IN_FILE)


def database(found: Million) -> Path:
    """The file that the graph is kept in."""
    return Path(found.workspace.footprint.graph[0])
