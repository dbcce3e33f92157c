"""What a process that stays keeps of the graph from one run to the next, so that it need not be read again.

It is about the graph with one seal. A graph with another, written by another process, put in place of the old one or
built anew, is not the same, and everything is forgotten; what this process itself writes is followed. It is made where
somebody asks more than once; a command that ends does without.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from keel.indexing.tree import OfLanguage, WorkspaceTree

if TYPE_CHECKING:
    from keel.model.facts import Interface
    from keel.model.manifests import Manifest
    from keel.model.rows import FileRow
    from keel.ports.language import Language, Linker
    from keel.ports.store import GraphReader, GraphWriter


class Warmth:
    """What is known of the graph that has one seal."""

    def __init__(self) -> None:
        self._seal = b""
        self._rows: list[FileRow] | None = None
        self.interfaces: dict[int, Interface] = {}
        """What files say, decoded, by number."""
        self._linkers: dict[str, tuple[WorkspaceTree, Linker]] = {}

    def meet(self, reader: GraphReader) -> None:
        """Forgets everything, unless this is the graph that it is about."""
        seal = reader.seal()
        if not seal or seal != self._seal:
            self.__init__()  # type: ignore[misc]  # as if it were new
            self._seal = seal

    def lend(self, writer: GraphWriter) -> None:
        """Begins a transaction that uses what is known; if it is not followed to its end, everything is forgotten."""
        self.meet(writer)
        self._seal = b""

    def files(self, reader: GraphReader) -> list[FileRow]:
        """All files, by root and path."""
        self.meet(reader)
        if self._rows is None:
            self._rows = reader.files()
        return self._rows

    def linker(
        self,
        language: Language,
        roots: Collection[str],
        files: OfLanguage,
        manifests: Callable[[], Sequence[Manifest]],
        encoded: Callable[[int], bytes],
    ) -> Linker:
        """A linker for a run in which there are the same files as before, and the same manifests."""
        known = self._linkers.get(language.name)
        if known is None:
            tree = WorkspaceTree(roots, files, manifests(), encoded, held=self.interfaces)
            known = self._linkers[language.name] = tree, language.linker(tree, lasts=True)
        known[0].resume(files, encoded)
        return known[1]

    def forget_linkers(self) -> None:
        """The files are others than before."""
        self._linkers.clear()

    def follow(self, writer: GraphWriter, files: Mapping[int, FileRow] | None = None, put: Iterable[int] = ()) -> None:
        """The graph as this transaction will leave it: `files` are those it has then, if they are others than before,
        and `put` those that say something else."""
        if self._seal:
            self.meet(writer)
        self._seal = writer.next_seal
        for file in put:
            self.interfaces.pop(file, None)
        if files is not None:
            rows = self._rows if self._rows is not None else []
            is_same = len(rows) == len(files) and all(row.id in files for row in rows)
            self._rows = [files[row.id] for row in rows] if is_same else None
