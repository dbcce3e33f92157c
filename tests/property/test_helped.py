"""Incremental equals full with helpers too, as long as what they say follows from a file and what that imports.

What is made of single answers is tested in `tests/unit/test_confirm.py`.
"""

from __future__ import annotations

import random
from pathlib import Path
from zlib import crc32

import pytest

from keel.indexing.context import IndexContext
from keel.indexing.pipeline import build
from keel.languages.python import language
from keel.model.facts import Lines, decode_interface
from keel.model.kinds import EdgeKind, NodeKind, Tier
from keel.ports.definitions import Definition, Position
from keel.ports.store import GraphReader
from tests.edits import Author, Tree
from tests.helping import FakeHelper
from tests.memory_store import MemoryStore
from tests.twins import ROOTS, Twins, difference, inline

SEEDS = range(5)
EDITS = 15
WANTED = (NodeKind.FUNCTION, NodeKind.CLASS)


class Fickle:
    """Says of a name what the file defines or imports by it: that, something beside it, or nothing, as the line of the
    question has it."""

    def __init__(self, folder: Path, salt: int = 0) -> None:
        self._folder = folder
        self._salt = salt
        self._known: dict[str, dict[str, list[Definition]]] = {}
        self._tops: dict[str, list[Definition]] = {}

    def look(self) -> None:
        """Reads the project as it is now."""
        roots = {root: str(self._folder / root) for root in ROOTS}
        store = MemoryStore()
        build(IndexContext(roots, [language], store, _NoCache(), inline))
        self._known, self._tops = {}, {}
        with store.reading() as reader:
            for row in reader.files():
                path = f"{roots[row.root]}/{row.path}"
                self._known[path], self._tops[path] = self._names(reader, row.id, roots)

    def __call__(self, position: Position, second_opinion: bool) -> tuple[Definition, ...]:
        line = Path(position.path).read_bytes().split(b"\n")[position.line - 1]
        name = _identifier(line[position.column - 1 :])
        found = self._known[position.path].get(name, [])
        mood = crc32(line + bytes([position.column % 256]), self._salt) % 6
        if not found:
            return tuple(self._tops[position.path][-1:]) if mood == 0 else ()
        if mood == 0:
            return (Definition("/elsewhere.py", 1, 1, 1, 2),)
        if mood == 1:
            return ()
        return tuple(self._tops[found[0].path][-1:] or found) if mood < 4 else tuple(found)

    def _names(
        self, reader: GraphReader, file: int, roots: dict[str, str]
    ) -> tuple[dict[str, list[Definition]], list[Definition]]:
        """What names mean in a file, and what it defines at its top."""
        names: dict[str, list[Definition]] = {}
        tops = []
        for node in reader.nodes(file):
            if node.kind in WANTED and node.parent == 1:
                tops.append(_place(reader, node.number, roots))
                names[node.name] = [tops[-1]]
        for edge in reader.edges_of(file):
            if edge.kind == EdgeKind.IMPORTS:
                target = reader.nodes(edge.target_file)[edge.target]
                if target.kind in WANTED:
                    names.setdefault(target.name, [_place(reader, target.number, roots)])
        return names, tops


class _NoCache:
    """Facts are read from the files each time."""

    def holds_any(self) -> bool:
        return False

    def get(self, keys: object) -> dict[bytes, tuple[bytes, bytes]]:
        return {}

    def put(self, facts: object) -> None: ...


def _identifier(text: bytes) -> str:
    end = next((at for at, byte in enumerate(text) if not (chr(byte).isalnum() or byte == 95)), len(text))
    return text[:end].decode()


def _place(reader: GraphReader, number: int, roots: dict[str, str]) -> Definition:
    node = reader.node(number)
    assert node is not None
    row = reader.file(node.file)
    assert row is not None
    interface = decode_interface(reader.interface(row.id) or b"")
    line, column = Lines(interface.lines).place(interface.defs[node.ordinal].name_at)
    return Definition(f"{roots[row.root]}/{row.path}", line, column, line, column + len(node.name))


@pytest.mark.parametrize("seed", SEEDS)
def test_random_edits(seed: int, tmp_path: Path) -> None:
    oracles = [Fickle(tmp_path), Fickle(tmp_path, salt=seed + 1)]
    fake, third = FakeHelper(oracles[0]), FakeHelper(oracles[1], tier=Tier.TIER3_SCIP)
    twins = Twins(tmp_path, helpers=[fake.helper, third.helper])
    author = Author(random.Random(seed).randrange)
    tree, history = author.tree(), list[Tree]()
    asked = {"sync": 0, "map": 0}
    seen = ""
    for turn in range(EDITS):
        twins.become(tree)
        for oracle in oracles:
            oracle.look()
        if turn % 3 == 1:  # in a hurry: the next run makes up for it
            twins.sync(asks=False)
            assert not fake.asked
        else:
            kept = twins.sync()
            asked["sync"] += len(fake.asked)
            fake.asked.clear()
            fresh = twins.map()
            asked["map"] += len(fake.asked)
            fake.asked.clear()
            if kept != fresh:
                pytest.fail(difference(kept, fresh), pytrace=False)
            seen += fresh
        history.append(tree)
        tree = author.edit(tree, history)
    assert '"tier2_ty"' in seen
    assert '"tier3_scip"' in seen
    assert '\\"own\\":[\\"' in seen, "they never differed"
    assert asked["sync"] < asked["map"], "everything was asked again each time"
