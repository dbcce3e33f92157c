"""The resolver over SCIP indexes: the Definitions socket, answered from files.

The indexes are read with the first request. One that is missing or invalid costs its own answers; one that was made
before an edit, those about the files that differ. Decoding is left to `index`, comparing with the files to `documents`.
"""

from __future__ import annotations

import os
from collections.abc import Generator, Iterable, Iterator, Sequence
from functools import cached_property

from keel.errors import HelperError, HelperMissing, HelperUnfit
from keel.model.text.wording import counted
from keel.ports.definitions import Answer, Definition, Position
from keel.resolvers.lsp.columns import Columns
from keel.resolvers.scip.documents import Documents, SourceSpan
from keel.resolvers.scip.index import MAX_BYTES, Index
from keel.resolvers.scip.wire import NotWire

NAME = "scip"
MAKE = "make it anew, or take it out of [resolution.tier3] in .keel/config.toml"
AGAIN = "make the index again and run `keel map`"


class ScipResolver:
    """Answers from indexes, about the files that they hold; use it as a context manager."""

    def __init__(
        self,
        paths: Sequence[str],
        folders: Sequence[str] = (),
        tells_stale: bool = True,
        constructors: tuple[str, ...] = (),
    ) -> None:
        """`folders`: where the paths in an index may begin, beside the folder that the index is in.

        `constructors`: the names of methods that a call of their class names by the class.
        """
        self._constructors = constructors
        self._paths = paths
        self._folders = folders
        self._tells_stale = tells_stale
        self._lost: list[HelperError] = []
        self._columns: dict[str, Columns] = {}
        self._asked: set[str] = set()
        self._closed = False

    def __enter__(self) -> ScipResolver:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def available(self) -> bool:
        """Whether any index can be used."""
        return not self._closed and len(self._lost) < len(self._paths)

    @property
    def trouble(self) -> HelperError | None:
        """What to report: indexes that cannot be used, and files that have changed since they were made."""
        found = [*self._lost, *self._stale()]
        if len(found) > 1:
            return HelperUnfit(NAME, f"indexes: {'; '.join(map(str, found))}")
        return found[0] if found else None

    def ask(self, questions: Iterable[Position]) -> Generator[tuple[Position, Answer], None, None]:
        """Each question with its definitions; none about a file that no index holds as it is."""
        for position in questions:
            self._asked.add(position.path)
            documents = None if self._closed else self._documents
            yield position, self._answer(documents, position) if documents is not None and self.available else None

    def close(self) -> None:
        """Drops what was read."""
        self._closed = True
        self.__dict__.pop("_documents", None)

    def _answer(self, documents: Documents, position: Position) -> tuple[Definition, ...]:
        path, line, column = position
        checked = documents.checked(path)
        if checked is None:
            return ()
        at = (line - 1, self._columns_of(checked.encoding).to_server(path, line, column))
        places = (
            place for symbol in checked.symbols.get(at, ()) for place in documents.definitions(path, symbol, checked)
        )
        return tuple(dict.fromkeys(map(self._definition, places)))

    def _definition(self, place: SourceSpan) -> Definition:
        path, (line, column, end_line, end_column, _, _) = place.path, place.occurrence
        of_keel = self._columns_of(place.encoding).from_server
        return Definition(
            path, line + 1, of_keel(path, line + 1, column), end_line + 1, of_keel(path, end_line + 1, end_column)
        )

    def _columns_of(self, encoding: str) -> Columns:
        if encoding not in self._columns:
            self._columns[encoding] = Columns(encoding)
        return self._columns[encoding]

    @cached_property
    def _documents(self) -> Documents:
        return Documents(self._indexes(), self._constructors)

    def _indexes(self) -> Iterator[tuple[Index, Sequence[str]]]:
        for path in self._paths:
            try:
                yield _index(path), [os.path.dirname(path), *self._folders]
            except HelperError as error:
                self._lost.append(error)

    def _stale(self) -> Iterator[HelperError]:
        documents: Documents | None = self.__dict__.get("_documents")
        if documents is not None and documents.stale and self._tells_stale:
            files = f"{counted(len(documents.stale), 'file')} of {len(self._asked | documents.stale):,}"
            problem = f"index is left out for {files}: changed since it was made"
            yield HelperUnfit(NAME, problem, AGAIN)


def _index(path: str) -> Index:
    """What is in a file; HelperMissing or HelperUnfit when there is no index in it."""
    name = f"SCIP index {os.path.normpath(path)}"
    try:
        if os.path.getsize(path) > MAX_BYTES:
            raise HelperUnfit(name, f"is larger than {MAX_BYTES >> 20:,} MiB", MAKE)
        with open(path, "rb") as file:
            return Index(file.read())
    except FileNotFoundError:
        raise HelperMissing(name, hint=MAKE) from None
    except (OSError, ValueError) as error:
        problem = f"is no SCIP index: {error}" if isinstance(error, NotWire) else f"cannot be read: {_why(error)}"
        raise HelperUnfit(name, problem, MAKE) from None


def _why(error: Exception) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error)
