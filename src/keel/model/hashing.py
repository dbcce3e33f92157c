"""Hashes: the short handles of nodes (base62 of xxHash64) and the digests of content.

A node's hash covers its id, signature, normalised body and doc; normalising the body is left to each language. Hashes
are stored as signed 64-bit numbers and shown as 11 characters.
"""

from __future__ import annotations

from xxhash import xxh3_128_digest, xxh64_intdigest

ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
LENGTH = 11
_VALUES = {letter: value for value, letter in enumerate(ALPHABET)}
_HALF = 1 << 63
_WHOLE = 1 << 64


def signed(value: int) -> int:
    """An unsigned 64-bit number as SQLite stores it."""
    return value - _WHOLE if value >= _HALF else value


def digest64(data: bytes) -> int:
    """xxHash64 with seed 0, signed."""
    value: int = xxh64_intdigest(data)
    return value - _WHOLE if value >= _HALF else value


def node_hash(node_id: str, body_hash: int, doc: str) -> int:
    """The hash of a node: it changes with the id, the doc, or the signature and body, whose digest is `body_hash`.

    A digest is used in place of signature and body, so that a nested definition is read once, not once per level.
    """
    text = f"{node_id}\0{body_hash}\0{doc}".encode("utf-8", "surrogatepass")
    value: int = xxh64_intdigest(text)
    return value - _WHOLE if value >= _HALF else value


def content_hash(data: bytes) -> bytes:
    """The digest of a file's bytes, by which facts are cached."""
    digest: bytes = xxh3_128_digest(data)
    return digest


def to_text(value: int) -> str:
    """A stored hash as it is shown: 11 base62 characters."""
    number = value % _WHOLE
    letters = []
    for _ in range(LENGTH):
        number, rest = divmod(number, 62)
        letters.append(ALPHABET[rest])
    return "".join(reversed(letters))


def from_text(text: str) -> int | None:
    """The stored form of a typed hash, or None when it cannot be one."""
    if len(text) != LENGTH:
        return None
    number = 0
    for letter in text:
        value = _VALUES.get(letter)
        if value is None:
            return None
        number = number * 62 + value
    return signed(number) if number < _WHOLE else None
