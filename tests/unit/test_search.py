"""Search beyond what its spec shows: hostile text, a SQLite without FTS5, vectors that come and go."""

from __future__ import annotations

import random
import sqlite3
from pathlib import Path

import pytest

from keel.bootstrap import Workspace, open_workspace
from keel.errors import SearchMissing, UsageError
from keel.indexing.pipeline import bring_up_to_date
from keel.indexing.rows.vectors import has_all_vectors
from keel.operations import describe, search, sync
from keel.operations import map as map_operation
from keel.querying import meaning
from keel.querying.current_graph import index_context
from keel.stores.sqlite import schema
from tests.meaning import FakeEmbedder
from tests.workspaces import MakeWorkspace, write_files

SHOP = {
    "shop/prices.py": 'def net_price(amount):\n    """What a thing costs."""\n\n\ndef gross(amount): ...\n',
    "shop/cart.py": "class Cart:\n    def remove_item(self, item): ...\n\n    def total(self): ...\n",
    "tests/test_cart.py": "def test_remove_item(): ...\n",
}
HOSTILE = [
    '"',
    "'",
    "a AND",
    "NOT x",
    "(",
    ")",
    "*",
    "***",
    'NEAR("a" b, 3)',
    "name : x",
    "{name about} : x",
    "-x",
    "^x",
    "a + b",
    "x*y*",
    "'; DROP TABLE nodes; --",
    "\0",
    "\udcff",
    "🎉 ünïcödé",
    "日本語",
    "_",
    "__",
    "a" * 100_000,
    "a b c d e f g h " * 5000,
    "%",
    "\n\t\r",
    "rank",
    "words",
]


def opened(folder: Path) -> Workspace:
    workspace = open_workspace(str(folder), str(folder))
    map_operation.run(workspace, map_operation.Params())
    return workspace


def names(workspace: Workspace, query: str, limit: int = 10, offset: int = 0) -> list[str]:
    answer = search.run(workspace, search.Params(query=query, limit=limit, offset=offset))
    return [hit.qualified_name for hit in answer.hits]


@pytest.fixture
def shop(workspace: MakeWorkspace) -> Workspace:
    return opened(workspace(SHOP))


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_any_text_is_answered(shop: Workspace, text: str) -> None:
    if text.strip():
        assert search.run(shop, search.Params(query=text)).query == text
    else:
        with pytest.raises(UsageError):
            search.run(shop, search.Params(query=text))


def test_random_text_is_answered(shop: Workspace) -> None:
    letters = random.Random(7)
    for _ in range(200):
        text = "".join(
            chr(letters.choice((letters.randrange(32, 127), letters.randrange(1, 0x3000)))) for _ in range(20)
        )
        search.run(shop, search.Params(query=f"x{text}"))


def test_pages_follow_each_other(shop: Workspace) -> None:
    whole = names(shop, "cart item total price", limit=100)
    paged = [
        name for offset in range(len(whole)) for name in names(shop, "cart item total price", limit=1, offset=offset)
    ]
    assert len(whole) > 3
    assert paged == whole


def test_a_change_is_found_at_once(shop: Workspace) -> None:
    assert names(shop, "discount") == []
    write_files(Path(shop.folder), {"shop/prices.py": "def discount(): ...\n"})
    assert names(shop, "discount") == ["discount"]
    assert names(shop, "gross") == []


def test_a_sqlite_without_fts5_maps_and_answers_but_does_not_search(
    workspace: MakeWorkspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    def without(migration: schema.Migration) -> schema.Migration:
        tables = tuple(one.replace("USING fts5", "USING no_such_fts5") for one in migration.tables)
        return schema.Migration(tables, migration.indexes)

    monkeypatch.setattr(schema, "MIGRATIONS", tuple(map(without, schema.MIGRATIONS)))
    monkeypatch.setattr(schema, "NO_FTS5", ("no such module: no_such_fts5", "no such table: words"))
    shop = opened(workspace(SHOP))
    write_files(Path(shop.folder), {"shop/prices.py": "def discount(): ...\n"})
    sync.run(shop, sync.Params())
    assert describe.run(shop, describe.Params(symbol="discount")).node.name == "discount"
    with pytest.raises(SearchMissing, match="without FTS5"):
        search.run(shop, search.Params(query="discount"))


def test_an_older_graph_gets_its_words(shop: Workspace) -> None:
    """As it was before there were words to search by: it is read again, once."""
    with sqlite3.connect(shop.own_path("graph.db")) as connection:
        for table in ("vocabulary", "words", "texts", "vectors", "profiles"):
            connection.execute(f"DROP TABLE {table}")
        connection.execute("CREATE VIRTUAL TABLE words USING fts5(text)")
        connection.execute("PRAGMA user_version = 4")
    connection.close()
    assert names(shop, "remove item")[0] == "Cart.remove_item"


def test_a_graph_without_a_vocabulary_gets_one_and_the_words_of_bodies(workspace: MakeWorkspace) -> None:
    """As it was before either: its words are counted anew, and nothing of the old count is left."""
    shop = opened(workspace({**SHOP, "shop/mail.py": "def notify(who):\n    who.send('parcel')\n"}))
    with shop.store.reading() as reader:
        counted = reader.known_words("", 999)
    with sqlite3.connect(shop.own_path("graph.db")) as connection:
        connection.execute("DROP TABLE vocabulary")
        connection.execute("CREATE VIRTUAL TABLE terms USING fts5vocab(words, row)")
        connection.execute("PRAGMA user_version = 6")
    connection.close()
    assert names(shop, "parcel") == ["notify"]
    with shop.store.reading() as reader:
        assert reader.known_words("", 999) == counted


def test_a_mistyped_word_is_put_right_by_what_the_graph_has_now(shop: Workspace) -> None:
    assert names(shop, "grosss") == ["gross"]
    assert names(shop, "carrt")[0] == "Cart"
    write_files(Path(shop.folder), {"shop/prices.py": "def discount(): ...\n"})
    sync.run(shop, sync.Params())
    answer = search.run(shop, search.Params(query="grosss"))
    assert (answer.hits, answer.note) == ((), "nothing has: grosss")


def test_how_many_were_found_is_said_as_far_as_it_is_known(workspace: MakeWorkspace) -> None:
    files = {"many.py": "".join(f"def load_{number}(): ...\n" for number in range(250)), "one.py": "def gross(): ..."}
    shop = opened(workspace(files))
    some = search.run(shop, search.Params(query="gross"))
    assert (some.headline, some.complete) == ("1 found by words", True)
    many = search.run(shop, search.Params(query="load"))
    assert not many.complete
    assert many.headline == f"at least {many.total} found by words"


# Meaning


@pytest.fixture
def meant(workspace: MakeWorkspace, monkeypatch: pytest.MonkeyPatch) -> tuple[Workspace, FakeEmbedder]:
    """A workspace whose symbols are told apart by meaning, and who tells them."""
    embedder = FakeEmbedder()
    monkeypatch.setattr(Workspace, "embedder", embedder)
    meaning._held.clear()
    return opened(workspace(SHOP)), embedder


def test_what_means_the_same_is_found(meant: tuple[Workspace, FakeEmbedder]) -> None:
    shop, _ = meant
    assert "Cart.remove_item" in names(shop, "delete item")[:2]
    assert names(shop, "drop")[0] == "Cart.remove_item"
    answer = search.run(shop, search.Params(query="drop"))
    assert (answer.ranking, answer.by_words) == ("words and meaning", 0)
    assert answer.headline == f"0 found by words, {answer.total} more that are near in meaning"


def test_the_exact_name_stays_first(meant: tuple[Workspace, FakeEmbedder]) -> None:
    shop, _ = meant
    assert names(shop, "gross")[0] == "gross"


def test_only_what_is_new_or_changed_is_embedded(meant: tuple[Workspace, FakeEmbedder]) -> None:
    shop, embedder = meant
    embedder.embedded.clear()
    write_files(Path(shop.folder), {"shop/prices.py": "\n\n" + SHOP["shop/prices.py"] + "def discount(): ...\n"})
    sync.run(shop, sync.Params())
    assert [text.split()[0] for text in embedder.embedded if "discount" in text] == ["discount"]
    assert not [text for text in embedder.embedded if "remove" in text]
    with shop.store.reading() as reader:
        assert has_all_vectors(reader, embedder)


def test_who_is_in_a_hurry_embeds_nothing_and_the_next_search_makes_up_for_it(
    meant: tuple[Workspace, FakeEmbedder],
) -> None:
    shop, embedder = meant
    write_files(Path(shop.folder), {"shop/prices.py": "def begin_sale(): ...\n"})
    embedder.embedded.clear()
    bring_up_to_date(index_context(shop), asks=False)
    assert embedder.embedded == []
    assert names(shop, "start")[0] == "begin_sale"
    assert len(embedder.embedded) > 1


def test_vectors_of_another_model_are_made_again(
    meant: tuple[Workspace, FakeEmbedder], monkeypatch: pytest.MonkeyPatch
) -> None:
    shop, _ = meant
    other = FakeEmbedder("fake 2")
    monkeypatch.setattr(Workspace, "embedder", other)
    assert names(shop, "drop")[0] == "Cart.remove_item"
    with shop.store.reading() as reader:
        assert has_all_vectors(reader, other)
        assert len(list(reader.vectors())) == len(other.embedded) - 1


def test_the_model_of_the_extra_finds_by_meaning(workspace: MakeWorkspace, with_semantic: None) -> None:
    shop = opened(workspace(SHOP))
    answer = search.run(shop, search.Params(query="throw things out of the basket"))
    assert answer.ranking == "words and meaning"
    assert "Cart.remove_item" in [hit.qualified_name for hit in answer.hits[:3]]
