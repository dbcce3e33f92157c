"""The documents of indexes as files of this machine: their paths, and whether they still match the files.

A document is used as a whole or not at all: where one definition, or one position without an identifier, shows that the
text has moved, a name that matches is a coincidence. Answering from them is left to `resolver`.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from keel.resolvers.lsp.uris import path_of
from keel.resolvers.scip.agreement import Agreement, agreement
from keel.resolvers.scip.index import Document, Index, Occurrence, is_local

SAMPLE = 200
"""Documents that are looked for to find out which folder their paths begin at."""
FILES_KEPT = 8


class SourceSpan(NamedTuple):
    """A symbol's place in a file: lines and columns from 0, columns in the units of the encoding."""

    path: str
    encoding: str
    occurrence: Occurrence


class Checked(NamedTuple):
    """A document that matches its file: symbols by position, and its own definitions."""

    encoding: str
    symbols: dict[tuple[int, int], list[bytes]]
    local: dict[bytes, list[Occurrence]]


class Documents:
    """The documents of some indexes, by path."""

    def __init__(self, indexes: Iterable[tuple[Index, Sequence[str]]], constructors: tuple[str, ...] = ()) -> None:
        """`indexes`: each with the folders that its paths may begin at, the likeliest first."""
        self._constructors = constructors
        self._known: dict[str, tuple[Index, Document]] = {}
        self._defined: list[tuple[Index, list[str]]] = []
        for index, folders in indexes:
            folder = _folder_of(index.documents, [*folders, path_of(index.project_root) or ""])
            paths = [_path(folder, document) for document in index.documents]
            self._defined.append((index, paths))
            for path, document in zip(paths, index.documents, strict=True):
                self._known.setdefault(path, (index, document))
        self.stale: set[str] = set()
        """Files that differ from their document, among those that were looked up."""
        self._usable: dict[str, bool] = {}
        self.checked = lru_cache(FILES_KEPT)(self._checked)
        """A file's document, if it has one that matches the file."""

    def definitions(self, path: str, symbol: bytes, checked: Checked) -> Iterator[SourceSpan]:
        """Where a symbol that occurs in a file is defined."""
        if is_local(symbol):
            yield from (SourceSpan(path, checked.encoding, place) for place in checked.local.get(symbol, ()))
            return
        for index, paths in self._defined:
            for number, occurrence in index.definitions.get(symbol, ()):
                if self._is_usable(paths[number]):
                    yield SourceSpan(paths[number], index.documents[number].encoding, occurrence)

    def _is_usable(self, path: str) -> bool:
        if path not in self._usable:
            self._usable[path] = self.checked(path) is not None
        return self._usable[path]

    def _checked(self, path: str) -> Checked | None:
        found = self._known.get(path)
        content = _content(path) if found is not None else None
        if found is None or content is None:
            return None
        index, document = found
        lines = content.splitlines()
        checked = Checked(document.encoding, {}, {})
        for occurrence in index.occurrences(document):
            agrees = agreement(lines, content, occurrence, document.encoding, self._constructors)
            if agrees is Agreement.NO_NAME or (occurrence.is_definition and agrees is not Agreement.SAME):
                self.stale.add(path)
                return None
            if agrees is Agreement.SAME and occurrence[:2] != occurrence[2:4]:  # a module has no identifier of its own
                checked.symbols.setdefault(occurrence[:2], []).append(occurrence.symbol)
                if occurrence.is_definition and is_local(occurrence.symbol):
                    checked.local.setdefault(occurrence.symbol, []).append(occurrence)
        return checked


def _folder_of(documents: Sequence[Document], folders: Iterable[str]) -> str:
    """The folder that most documents are found below; of equals the first."""
    sample = documents[:: max(1, len(documents) // SAMPLE)]
    real = dict.fromkeys(os.path.realpath(folder) for folder in folders if folder and os.path.isdir(folder))
    return max(real, key=lambda folder: sum(os.path.isfile(_path(folder, one)) for one in sample), default="")


def _path(folder: str, document: Document) -> str:
    """Where a document's file is, links followed; one that no path can name is nowhere."""
    try:
        return os.path.realpath(os.path.join(folder, document.path)) if folder else ""
    except ValueError:
        return ""


def _content(path: str) -> bytes | None:
    try:
        with open(path, "rb") as file:
            return file.read()
    except (OSError, ValueError):
        return None
