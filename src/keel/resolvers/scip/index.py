"""Decodes an index: documents with the occurrences of symbols, and where each symbol is defined.

A document is decoded on first use: large indexes hold a million occurrences, and few are looked up twice. Which file a
document is about, and whether it still matches, is left to `documents`.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import NamedTuple

from keel.resolvers.scip.wire import NotWire, Span, fields, varints

METADATA, DOCUMENT = 1, 2
PROJECT_ROOT = 3
PATH, OCCURRENCE, POSITION_ENCODING = 1, 2, 6
RANGE, SYMBOL, ROLES = 1, 2, 3
DEFINITION_ROLE = 1
ENCODINGS = {1: "utf-8", 2: "utf-16", 3: "utf-32"}
"""How columns are counted; an index that does not say so was most likely made by a program in JavaScript."""
UNSAID = "utf-16"
MAX_BYTES = 1 << 30
MAX_NUMBER = 1 << 31


class Occurrence(NamedTuple):
    """A symbol at a place; lines and columns from 0, columns in the units of the document."""

    line: int
    column: int
    end_line: int
    end_column: int
    symbol: bytes
    is_definition: bool


class Document(NamedTuple):
    """What an index says of one file."""

    path: str
    """As written, but with `/` between folders."""
    encoding: str
    span: Span


class Index:
    """The contents of one file; NotWire when it is no index."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self.project_root = ""
        """The folder that paths begin at, as the indexer saw it: a URI."""
        self.documents: list[Document] = []
        self.definitions: dict[bytes, list[tuple[int, Occurrence]]] = {}
        """Where symbols are defined: the number of a document, and the place in it. Local ones are not among them."""
        for number, value in fields(data, 0, len(data)):
            if number == METADATA and isinstance(value, tuple):
                self.project_root = self._project_root(value)
            elif number == DOCUMENT and isinstance(value, tuple):
                self._add(value)
        if not self.documents:
            raise NotWire("it holds no documents")

    def occurrences(self, document: Document) -> Iterator[Occurrence]:
        """Everything that an index says of a file."""
        for number, value in fields(self._data, *document.span):
            if number == OCCURRENCE and isinstance(value, tuple):
                found = self._occurrence(value)
                if found is not None:
                    yield found

    def _project_root(self, span: Span) -> str:
        for number, value in fields(self._data, *span):
            if number == PROJECT_ROOT and isinstance(value, tuple):
                return os.fsdecode(self._data[slice(*value)])
        return ""

    def _add(self, span: Span) -> None:
        path, encoding = b"", UNSAID
        for number, value in fields(self._data, *span):
            if number == PATH and isinstance(value, tuple):
                path = self._data[slice(*value)]
            elif number == POSITION_ENCODING and isinstance(value, int):
                encoding = ENCODINGS.get(value, UNSAID)
        document = Document(os.fsdecode(path).replace("\\", "/"), encoding, span)
        self.documents.append(document)
        for occurrence in self.occurrences(document):
            if occurrence.is_definition and not is_local(occurrence.symbol):
                place = (len(self.documents) - 1, occurrence)
                self.definitions.setdefault(occurrence.symbol, []).append(place)

    def _occurrence(self, span: Span) -> Occurrence | None:
        """One occurrence; None for one without a place or a symbol, such as a mere diagnostic."""
        numbers: list[int] = []
        symbol, roles = b"", 0
        for number, value in fields(self._data, *span):
            if number == RANGE:
                numbers += varints(self._data, *value) if isinstance(value, tuple) else [value]
            elif number == SYMBOL and isinstance(value, tuple):
                symbol = self._data[slice(*value)]
            elif number == ROLES and isinstance(value, int):
                roles = value
        if len(numbers) == 3:
            numbers = [numbers[0], numbers[1], numbers[0], numbers[2]]
        if len(numbers) != 4 or not symbol or max(numbers) >= MAX_NUMBER:
            return None
        line, column, end_line, end_column = numbers
        return Occurrence(line, column, end_line, end_column, symbol, bool(roles & DEFINITION_ROLE))


def is_local(symbol: bytes) -> bool:
    """Whether a symbol means something in its own document only."""
    return symbol.startswith(b"local ")
