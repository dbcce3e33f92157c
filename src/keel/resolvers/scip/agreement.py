"""Whether an occurrence of an index matches the file: the identifier at its position must be the symbol's name.

Files may change after an index is made, and indexers err (the one for Python names a neighbour where a package
re-exports by `*`). Handling occurrences that do not match is left to `documents`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import Enum, auto
from functools import lru_cache

from keel.resolvers.scip.index import Occurrence, is_local

MAX_KEPT = 16_384
_DESCRIPTOR = re.compile(rb"`((?:[^`]|``)+)`|([\w+$-]+)")
_NAME = re.compile(r"\.*\w*(?:\.\w+)*\Z")
_WORD_BEFORE, _WORD_AFTER = re.compile(r"\w\Z"), re.compile(r"\w")


class Agreement(Enum):
    """How an occurrence relates to the text."""

    SAME = auto()
    OTHER_NAME = auto()
    """There is an identifier, but it is not the symbol's."""
    NO_NAME = auto()
    """There is none: the text has moved."""


def agreement(
    lines: Sequence[bytes], content: bytes, occurrence: Occurrence, encoding: str, constructors: tuple[str, ...] = ()
) -> Agreement:
    """Whether the text at its position can name the symbol."""
    if occurrence[:4] == (0, 0, 0, 0):
        return Agreement.SAME  # a module as a whole
    text = _text_at(lines, occurrence, encoding)
    if text is None:
        return Agreement.NO_NAME
    last = text.partition(" as ")[0].rstrip().rpartition(".")[2]
    if not last or is_local(occurrence.symbol):  # `from . import x`
        return Agreement.SAME
    is_named = last in names_of(occurrence.symbol, constructors)
    agrees = is_named or (not occurrence.is_definition and _is_alias(content, last))
    return Agreement.SAME if agrees else Agreement.OTHER_NAME


@lru_cache(MAX_KEPT)
def names_of(symbol: bytes, constructors: tuple[str, ...] = ()) -> frozenset[str]:
    """The identifiers that a symbol may appear as; constructors are named by the class that is called."""
    # scheme, manager, package, version, then the descriptors; a space in one of them is doubled
    descriptors = symbol.replace(b"  ", b"\0").split(b" ", 4)[-1]
    found = [quoted.replace(b"``", b"`") or plain for quoted, plain in _DESCRIPTOR.findall(descriptors)]
    names = [name.decode("utf-8", "replace") for name in found]
    # an indexer may call a module as it calls a constructor
    last = names[-1:] if not names or names[-1] not in constructors else names[-2:]
    return frozenset(part for name in last for part in name.split("."))


def _text_at(lines: Sequence[bytes], occurrence: Occurrence, encoding: str) -> str | None:
    """The name at a place, with its dots; None when the place does not hold just that."""
    line, column, end_line, end = occurrence[:4]
    if line != end_line or line >= len(lines) or column >= end:
        return None
    here = lines[line]
    codec, width = ("utf-8", 1) if encoding == "utf-8" or here.isascii() else (f"{encoding}-le", int(encoding[4:]) // 8)
    units = here if width == 1 else here.decode("utf-8", "replace").encode(codec)
    if end * width > len(units):
        return None
    before, text, after = units[: column * width], units[column * width : end * width], units[end * width :]
    name = text.decode(codec, "replace")
    is_whole = not _WORD_BEFORE.search(before.decode(codec, "replace")) and not _WORD_AFTER.match(
        after.decode(codec, "replace")
    )
    return name if is_whole and _NAME.match(name.partition(" as ")[0].rstrip()) else None


def _is_alias(content: bytes, name: str) -> bool:
    return re.search(rb"\bas\s+%b\b" % re.escape(name.encode()), content) is not None
