"""Writes indexes in the SCIP format, as small as tests need them; what keel reads of them is for the tests to say."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

ENCODINGS = {"utf-8": 1, "utf-16": 2, "utf-32": 3}
DEFINITION = 1


class Mark(NamedTuple):
    """An occurrence: where it is (from 0; three or four numbers), what it is of, and whether it is defined there."""

    place: Sequence[int]
    symbol: str
    is_definition: bool = False


def index(
    documents: Mapping[str, Iterable[Mark]], encoding: str = "utf-8", project_root: str = "file:///elsewhere"
) -> bytes:
    """An index with these occurrences, by path."""
    metadata = _field(2, _field(1, b"writer")) + _field(3, project_root.encode())
    return _field(1, metadata) + b"".join(
        _field(2, _document(path, marks, encoding)) for path, marks in documents.items()
    )


def symbol(path: str, name: str) -> str:
    """What a definition of a file is called in an index."""
    module = path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    end = "#" if name[:1].isupper() else "()."
    return f"test python shop 1 `{module}`/{name}{end}" if name else f"test python shop 1 `{module}`/__init__:"


def indexed(folder: Path, encoding: str = "utf-8") -> bytes:
    """An index of a folder: each `def NAME` and `class NAME`, and each word that is one of these names."""
    texts = {path.relative_to(folder).as_posix(): path.read_text("utf-8") for path in sorted(folder.rglob("*.py"))}
    defined = {
        name: symbol(path, name) for path, text in texts.items() for name in re.findall(r"(?:def|class)[ ]+(\w+)", text)
    }
    return index({path: list(_marks(text, defined, encoding)) for path, text in texts.items()}, encoding)


def _marks(text: str, defined: Mapping[str, str], encoding: str) -> Iterable[Mark]:
    for number, line in enumerate(text.splitlines()):
        for match in re.finditer(r"\w+", line):
            if match[0] in defined:
                begin, end = (units(line[:at], encoding) for at in match.span())
                is_definition = re.search(r"(?:def|class)[ ]+\Z", line[: match.start()]) is not None
                yield Mark((number, begin, end), defined[match[0]], is_definition)


def units(text: str, encoding: str) -> int:
    """How long a text is in the units of an encoding."""
    size = int(encoding[4:]) // 8
    return len(text.encode(encoding if size == 1 else f"{encoding}-le")) // size


def _document(path: str, marks: Iterable[Mark], encoding: str) -> bytes:
    occurrences = b"".join(_field(2, _occurrence(mark)) for mark in marks)
    return (
        _field(1, path.encode()) + occurrences + _field(4, b"python") + _varint(6 << 3) + _varint(ENCODINGS[encoding])
    )


def _occurrence(mark: Mark) -> bytes:
    roles = _varint(3 << 3) + _varint(DEFINITION if mark.is_definition else 8)
    return _field(1, b"".join(map(_varint, mark.place))) + _field(2, mark.symbol.encode()) + roles


def _field(number: int, data: bytes) -> bytes:
    return _varint(number << 3 | 2) + _varint(len(data)) + data


def _varint(value: int) -> bytes:
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)
