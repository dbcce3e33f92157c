"""The daemon's cache of the graph, kept from one run to the next, so that it need not be read again.

It is valid for the graph with one seal. A graph with another one, written by another process, replaced or rebuilt,
empties it; transactions of this process update it (`follow`). A command that ends works without it. What is derived
from the cached values is left to the stages of `indexing`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING

from keel.indexing.cache.base_links import BaseLinks
from keel.indexing.tree import OfLanguage, WorkspaceTree
from keel.model.facts import Interface
from keel.ports.language import Answers

if TYPE_CHECKING:
    from keel.indexing.watch.notices import Notices
    from keel.model.manifests import Manifest
    from keel.model.refs import FileKey
    from keel.model.rows import FileRow
    from keel.ports.language import Language, Linker
    from keel.ports.store import GraphReader, GraphWriter

MAX_DECODED = 48
NO_FILES: Mapping[int, Interface] = MappingProxyType({})


class GraphCache:
    """Cached values of the graph with one seal."""

    def __init__(self, notices: Notices | None = None) -> None:
        """`notices` report which paths were touched since the last update, where a watch is running."""
        self.notices = notices
        self._seal = b""
        self._rows: list[FileRow] | None = None
        self._interfaces: dict[int, Interface] = {}
        self._decoded: dict[tuple[str, bytes], Interface] = {}
        self.answers = Answers()
        """What these interfaces answer to look-ups."""
        self._layouts: dict[str, WorkspaceTree] = {}
        """By language: a tree with the same files, which has the layouts derived from them."""
        self.baseline: tuple[bytes, dict[FileKey, bytes]] | None = None
        """The note about the last commit, and its decoded content."""
        self._linkers: dict[str, tuple[WorkspaceTree, Linker]] = {}
        self.bases: dict[str, BaseLinks] = {}
        """The links of the accepted tree, by language, as far as they are known."""

    def meet(self, reader: GraphReader) -> None:
        """Empties the cache, unless this is the graph that it is valid for."""
        seal = reader.seal()
        if not seal or seal != self._seal:
            self.__init__(self.notices)  # type: ignore[misc]  # as if it were new
            self._seal = seal
            if self.notices is not None:
                self.notices.lose()

    def lend(self, writer: GraphWriter) -> None:
        """Begins a transaction that uses the cache; unless it ends with `follow`, the cache is emptied."""
        self.meet(writer)
        self._seal = b""

    def files(self, reader: GraphReader) -> list[FileRow]:
        """All files, by root and path."""
        self.meet(reader)
        if self._rows is None:
            self._rows = reader.files()
        return self._rows

    def decode(self, language: Language, data: bytes) -> Interface:
        """A decoded interface: edits return to the same few files."""
        known = self._decoded.get((language.name, data))
        if known is None:
            if len(self._decoded) >= MAX_DECODED:
                self._decoded.clear()
                self.answers.clear()  # it is keyed by the identity of interfaces, which must live as long
            known = self._decoded[language.name, data] = language.decode(data)
        return known

    def tree(
        self,
        reader: GraphReader,
        language: Language,
        roots: Collection[str],
        files: Mapping[int, FileRow],
        manifests: Sequence[Manifest],
    ) -> WorkspaceTree:
        """The files of a language as the graph has them."""
        self.meet(reader)
        like = self._layouts.get(language.name)
        tree = WorkspaceTree(
            roots, files, manifests, lambda file: reader.interface(file) or b"", language.decode, like, self._interfaces
        )
        self._layouts[language.name] = tree
        return tree

    def linker(
        self,
        language: Language,
        roots: Collection[str],
        files: OfLanguage,
        manifests: Callable[[], Sequence[Manifest]],
        encoded: Callable[[int], bytes],
    ) -> Linker:
        """A linker for a run with the same files as before, and the same manifests."""
        known = self._linkers.get(language.name)
        if known is None:
            tree = WorkspaceTree(roots, files, manifests(), encoded, language.decode, held=self._interfaces)
            known = self._linkers[language.name] = tree, language.linker(tree, persistent=True)
        known[0].resume(files, encoded)
        return known[1]

    def forget_files(self) -> None:
        """The set of files has changed, or all are read again."""
        self._interfaces.clear()
        self._linkers.clear()
        self._layouts.clear()
        self.bases.clear()

    def know_base(self, languages: Iterable[Language], reader: GraphReader, key: str, is_now: bool) -> None:
        """Sets the accepted tree, which may differ from the one before, and may equal the tree of the graph."""
        self.meet(reader)
        if is_now:
            known = self.bases
            self.bases = {language.name: BaseLinks(key) for language in languages}
            for name, base in known.items():
                if base.key == key:  # linking that tree would give the same links again
                    self.bases[name].own = base.own
        else:
            self.bases = {name: base for name, base in self.bases.items() if base.key == key}

    def base(self, language: Language, key: str) -> BaseLinks | None:
        """The links of an accepted tree, if they are cached."""
        base = self.bases.get(language.name)
        return base if base is not None and base.key == key else None

    def begin_base(self, language: Language, base: BaseLinks) -> None:
        """Starts caching the links of an accepted tree."""
        self.bases[language.name] = base

    def follow(
        self, writer: GraphWriter, files: Mapping[int, FileRow] | None = None, put: Mapping[int, Interface] = NO_FILES
    ) -> None:
        """Updates the cache to the graph after this transaction: `files` are its files, if the set has changed, and
        `put` the new interfaces of those whose interface has."""
        if self._seal:
            self.meet(writer)
        self._seal = writer.next_seal
        self._interfaces.update(put)
        if files is not None:
            rows = self._rows if self._rows is not None else []
            is_same = len(rows) == len(files) and all(row.id in files for row in rows)
            self._rows = [files[row.id] for row in rows] if is_same else None
