"""The folders as last seen: kept whole through bytes, and only a hint when damaged."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from keel.indexing.scan.folders import Folders, decode, encode
from keel.indexing.scan.mtimes import SECOND, TICK, is_racy
from tests.scanning import Memory, settled, write

VALUE = Folders(
    key="r=/x\x1f.py",
    looked_ns=1_700_000_000_000_000_000,
    files=2,
    paths=["/x", "/x/caf\udce9", "/x/new\nline"],
    mtimes=[1, 2, 3],
    digests=[-(1 << 63), 0, (1 << 63) - 1],
    watched={"/x/.gitignore": (5, 6), "/x/.git/index": (-1, -1)},
    manifest_files={"r/pyproject.toml": (7, 8)},
    barred=["/x/secret"],
    skipped={"suffix": {".md": 3, "": 1}, "notebook": {".ipynb": 2}},
)
NOTHING = Folders("", 0, 0, [], [], [], {}, {}, [], {})


@pytest.mark.parametrize("value", [VALUE, NOTHING])
def test_a_value_survives_as_bytes(value: Folders) -> None:
    assert decode(encode(value), value.key) == value


def test_a_value_for_another_key_says_nothing() -> None:
    assert decode(encode(VALUE), "r=/y\x1f.py") is None
    assert decode(None, VALUE.key) is None


@given(st.binary(max_size=200))
def test_bytes_that_are_no_value_say_nothing(data: bytes) -> None:
    assert decode(data, VALUE.key) is None


@given(st.integers(0, len(encode(VALUE)) - 1))
def test_a_value_cut_short_says_nothing(length: int) -> None:
    assert decode(encode(VALUE)[:length], VALUE.key) is None


@given(st.integers(0, len(encode(VALUE)) - 1), st.integers(0, 255))
def test_a_damaged_value_is_never_an_error(at: int, byte: int) -> None:
    data = bytearray(encode(VALUE))
    data[at] = byte
    decode(bytes(data), VALUE.key)


@pytest.mark.parametrize("damage", [b"", b"garbage", b"\xff" * 64])
def test_damage_costs_a_listing_and_nothing_else(tmp_path: Path, damage: bytes) -> None:
    write(tmp_path, "a.py", "b/c.py")
    memory: Memory = settled(tmp_path)
    memory.folders = damage
    again = memory.scan()
    assert (again.listed, again.added, again.suspects, again.missing) == (True, [], [], [])


@pytest.mark.parametrize(
    ("mtime", "looked", "expected"),
    [
        (100 * SECOND + 1, 101 * SECOND, False),
        (101 * SECOND + 1 - TICK, 101 * SECOND, True),
        (100 * SECOND, 101 * SECOND, True),
        (98 * SECOND, 101 * SECOND, False),
        (105 * SECOND + 1, 101 * SECOND, True),
        (-1, 101 * SECOND, False),
    ],
)
def test_what_is_as_young_as_the_look_is_in_doubt(mtime: int, looked: int, expected: bool) -> None:
    assert is_racy(mtime, looked) is expected
