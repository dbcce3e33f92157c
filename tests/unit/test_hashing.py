"""Hashes: 11 characters that people pass around, and the numbers they mean.

What counts for the body of a definition is in `tests/spec/python/facts/hashes.md`.
"""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from keel.model.hashing import content_hash, digest64, from_text, node_hash, signed, to_text

SMALLEST, LARGEST = -(1 << 63), (1 << 63) - 1


def test_a_digest_is_what_every_version_of_keel_says() -> None:
    """xxHash64 with seed 0, by its published test vectors."""
    assert digest64(b"") == signed(0xEF46DB3751D8E999)
    assert digest64(b"a") == signed(0xD24EC4F1A98C6E5B)
    assert content_hash(b"") == bytes.fromhex("99aa06d3014798d86001c324468d497f")


@pytest.mark.parametrize(
    ("value", "text"), [(0, "00000000000"), (61, "0000000000z"), (62, "00000000010"), (-1, "LygHa16AHYF")]
)
def test_a_hash_as_text(value: int, text: str) -> None:
    assert to_text(value) == text
    assert from_text(text) == value


@settings(derandomize=True, database=None)
@given(st.integers(SMALLEST, LARGEST))
def test_every_hash_comes_back(value: int) -> None:
    text = to_text(value)
    assert len(text) == 11
    assert text.isalnum()
    assert from_text(text) == value


@pytest.mark.parametrize("text", ["", "short", "0000000000_", "000000000000", "zzzzzzzzzzz", "é0000000000"])
def test_what_is_no_hash(text: str) -> None:
    assert from_text(text) is None


def test_a_nodes_hash_is_about_id_body_and_doc() -> None:
    one = node_hash("sym:r:a.py:f", 1, "Doc.")
    assert one == node_hash("sym:r:a.py:f", 1, "Doc.")
    others = {
        node_hash("sym:r:b.py:f", 1, "Doc."),
        node_hash("sym:r:a.py:f", 2, "Doc."),
        node_hash("sym:r:a.py:f", 1, "Doc!"),
        node_hash("sym:r:a.py:f", 1, ""),
    }
    assert len(others | {one}) == 5


def test_text_that_is_no_unicode_has_a_hash() -> None:
    assert node_hash("sym:r:a.py:f", 1, "\ud800") != node_hash("sym:r:a.py:f", 1, "")
