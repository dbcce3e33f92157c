"""Source with faults in it: bytes taken out, doubled, put elsewhere, cut off, or never meant to be there.

A mutant is a function of its chance, so that a seed brings it back. Good source is made by `tests.programs`.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

FRAGMENTS = [
    *(b"(", b")", b"[", b"]", b"{", b"}", b":", b",", b"=", b"*", b"**", b".", b"@", b";", b"\\", b"\n", b"    "),
    *(b'"', b"'", b'"""', b"'''", b"f'{", b"}", b"#", b"\0", b"\xff", b"\xc3", b"\r", b"\f", b"\t"),
    *(b"def ", b"class ", b"import ", b"from ", b"lambda ", b"async ", b"await ", b"yield ", b"return ", b"global "),
    *(
        b"if ",
        b"else:",
        b"try:",
        b"except ",
        b"with ",
        b"for ",
        b"in ",
        b"match x:\n",
        b"case ",
        b"type X",
        b":=",
        b"->",
    ),
    *(b"__all__", b"self.", b"...", b"*args", b"x", b"0", b"None", b"print x", b"exec 'a'", b"def f(", b"class A("),
]
UNUSUAL = ["\u00e9", "\u4e2d", "\U0001f600", "\u2028", "\u200b", "\ufeff", "\u0301", "\u00a0", "\x1f", "\ud800"]
DEEP = 400

Mutation = Callable[[Random, bytes, bytes], bytes]


def mutant(chance: Random, data: bytes, other: bytes, most: int = 0) -> bytes:
    """The data with one to four faults, parts of `other` among them; of long data only a stretch of `most` bytes."""
    if most and len(data) > most:
        start = chance.randrange(len(data) - most)
        data = data[start : start + most]
    for _ in range(chance.randint(1, 4)):
        data = chance.choice(MUTATIONS)(chance, data, other)
    return data


def _delete(chance: Random, data: bytes, other: bytes) -> bytes:
    at, end = _stretch(chance, data)
    return data[:at] + data[end:]


def _double(chance: Random, data: bytes, other: bytes) -> bytes:
    at, end = _stretch(chance, data)
    return data[:end] + data[at:]


def _swap_lines(chance: Random, data: bytes, other: bytes) -> bytes:
    lines = data.split(b"\n")
    one, two = chance.randrange(len(lines)), chance.randrange(len(lines))
    lines[one], lines[two] = lines[two], lines[one]
    return b"\n".join(lines)


def _splice(chance: Random, data: bytes, other: bytes) -> bytes:
    """The beginning of one file and the end of another."""
    return data[: chance.randint(0, len(data))] + other[chance.randint(0, len(other)) :]


def _graft(chance: Random, data: bytes, other: bytes) -> bytes:
    """A stretch of another file in the middle of this one."""
    at = chance.randint(0, len(data))
    start, end = _stretch(chance, other)
    return data[:at] + other[start:end] + data[at:]


def _truncate(chance: Random, data: bytes, other: bytes) -> bytes:
    return data[: chance.randint(0, len(data))]


def _behead(chance: Random, data: bytes, other: bytes) -> bytes:
    return data[chance.randint(0, len(data)) :]


def _fragment(chance: Random, data: bytes, other: bytes) -> bytes:
    return _insert(chance, data, chance.choice(FRAGMENTS))


def _noise(chance: Random, data: bytes, other: bytes) -> bytes:
    return _insert(chance, data, chance.randbytes(chance.randint(1, 8)))


def _flip(chance: Random, data: bytes, other: bytes) -> bytes:
    at = chance.randint(0, len(data))
    return data[:at] + bytes([chance.randrange(256)]) + data[at + 1 :]


def _unicode(chance: Random, data: bytes, other: bytes) -> bytes:
    return _insert(chance, data, chance.choice(UNUSUAL).encode("utf-8", "surrogatepass"))


def _tabs(chance: Random, data: bytes, other: bytes) -> bytes:
    """Indentation or line ends of another kind on some lines, or everywhere."""
    pairs = ((b"    ", b"\t"), (b"    ", b"  "), (b"\n    ", b"\n\t"), (b"\n", b"\r\n"), (b"\n", b"\r"))
    return data.replace(*chance.choice(pairs), chance.choice([-1, 1, 5]))


def _nest(chance: Random, data: bytes, other: bytes) -> bytes:
    """A stretch inside many brackets, closed or not."""
    at, end = _stretch(chance, data)
    opened, closed = chance.choice([(b"(", b")"), (b"[", b"]"), (b"{", b"}"), (b"f(", b")"), (b"lambda: ", b"")])
    depth = chance.randint(1, DEEP)
    return data[:at] + opened * depth + data[at:end] + closed * chance.choice([depth, depth - 1, 0]) + data[end:]


MUTATIONS: tuple[Mutation, ...] = (
    *(_delete, _double, _swap_lines, _splice, _graft, _truncate, _behead),
    *(_fragment, _fragment, _noise, _flip, _unicode, _tabs, _nest),
)


def _stretch(chance: Random, data: bytes) -> tuple[int, int]:
    at = chance.randint(0, len(data))
    return at, min(len(data), at + chance.choice([1, 3, 10, 40, 200]))


def _insert(chance: Random, data: bytes, piece: bytes) -> bytes:
    at = chance.randint(0, len(data))
    return data[:at] + piece + data[at:]
