"""The facts cache keeps what was used last, within its bounds, and never makes a run fail.

That facts are a function of content, which makes them fit for a cache, is tested with extraction.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from keel.stores.sqlite import facts_cache
from keel.stores.sqlite.facts_cache import TICK_SECONDS, SqliteFactsCache

ONE = (b"k1", b"interface", b"references")
TWO = (b"k2", b"", b"\0\xff")
MEGABYTE = 1024 * 1024


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "deep" / "facts.db"


@pytest.fixture
def cache(path: Path) -> SqliteFactsCache:
    return SqliteFactsCache(path)


@pytest.fixture
def held(path: Path, cache: SqliteFactsCache, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Another process is writing, and stays at it."""
    cache.put([ONE])
    monkeypatch.setattr(facts_cache, "WAIT_SECONDS", 0)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("BEGIN EXCLUSIVE")
        yield


def test_what_was_put_is_there(cache: SqliteFactsCache) -> None:
    cache.put([ONE, TWO])
    assert cache.get([b"k1", b"k2", b"k3"]) == {b"k1": ONE[1:], b"k2": TWO[1:]}
    assert cache.get([]) == {}


def test_looking_makes_no_file(cache: SqliteFactsCache, path: Path) -> None:
    assert cache.get([b"k1"]) == {}
    cache.put([])
    assert not path.parent.exists()


def test_the_last_entry_of_a_key_counts(cache: SqliteFactsCache) -> None:
    cache.put([ONE])
    cache.put([(b"k1", b"new", b"newer")])
    assert cache.get([b"k1"]) == {b"k1": (b"new", b"newer")}


def test_many_keys_at_once(cache: SqliteFactsCache) -> None:
    cache.put((n.to_bytes(4, "big"), b"i", b"r") for n in range(1700))
    assert len(cache.get([n.to_bytes(4, "big") for n in range(1, 3000, 2)])) == 850


def test_the_longest_unused_are_evicted(path: Path) -> None:
    now = 0.0
    cache = SqliteFactsCache(path, limit_bytes=8 * MEGABYTE, clock=lambda: now)
    for n in range(7):
        cache.put([(bytes([n]), bytes(MEGABYTE), b"")])
        now += TICK_SECONDS
    assert len(cache.get([b"\0", b"\1"])) == 2
    now += TICK_SECONDS
    for n in (7, 8):
        cache.put([(bytes([n]), bytes(MEGABYTE), b"")])
    left = set(cache.get([bytes([n]) for n in range(9)]))
    assert {b"\0", b"\1", b"\7", b"\x08"} <= left
    assert {b"\2", b"\3"}.isdisjoint(left)


def test_it_stays_within_its_bounds(path: Path) -> None:
    cache = SqliteFactsCache(path, limit_bytes=4 * MEGABYTE)
    for n in range(40):
        cache.put([(bytes([n]), bytes(MEGABYTE // 2), b"")])
    assert path.stat().st_size < 6 * MEGABYTE
    assert cache.get([bytes([39])])
    assert not cache.get([bytes([0])])


@pytest.mark.parametrize("garbage", [b"not a database " * 500, b"SQLite format 3\0" + b"\7" * 9000])
def test_a_damaged_cache_begins_anew(cache: SqliteFactsCache, path: Path, garbage: bytes) -> None:
    path.parent.mkdir()
    path.write_bytes(garbage)
    assert cache.get([b"k1"]) == {}
    cache.put([ONE])
    assert cache.get([b"k1"]) == {b"k1": ONE[1:]}


def test_an_entry_that_is_not_as_it_was_put_is_not_there(cache: SqliteFactsCache, path: Path) -> None:
    cache.put([(b"sound", b"interface", b"references"), (b"torn", b"interface", b"references")])
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE facts SET interface = x'00' WHERE key = ?", (b"torn",))
    assert cache.get([b"sound", b"torn"]) == {b"sound": (b"interface", b"references")}


def test_a_cache_of_another_format_begins_anew(cache: SqliteFactsCache, path: Path) -> None:
    path.parent.mkdir()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE facts (other)")
        connection.execute("PRAGMA user_version = 77")
    assert cache.get([b"k1"]) == {}
    cache.put([ONE])
    assert cache.get([b"k1"]) == {b"k1": ONE[1:]}


@pytest.mark.usefixtures("held")
def test_a_writer_beside_it_costs_entries_and_no_more(cache: SqliteFactsCache) -> None:
    cache.put([TWO])
    assert cache.get([b"k1", b"k2"]) == {b"k1": ONE[1:]}


def test_what_is_found_is_given_even_if_its_use_cannot_be_noted(
    cache: SqliteFactsCache, path: Path, held: None
) -> None:
    later = SqliteFactsCache(path, clock=lambda: 9e9)
    assert later.get([b"k1"]) == {b"k1": ONE[1:]}


def test_a_place_that_cannot_be_used_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("a file")
    for cache in (SqliteFactsCache(tmp_path / "taken" / "facts.db"), SqliteFactsCache(tmp_path)):
        cache.put([ONE])
        assert cache.get([b"k1"]) == {}
