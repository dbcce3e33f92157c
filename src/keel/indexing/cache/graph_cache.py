"""What a process that stays keeps of the graph from one run to the next, so that it need not be read again.

It is about the graph with one seal. A graph with another, written by another process, put in place of the old one or
built anew, is not the same, and everything is forgotten; what this process itself writes is followed. It is made where
somebody asks more than once; a command that ends does without.
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
    """What is known of the graph that has one seal."""

    def __init__(self, notices: Notices | None = None) -> None:
        """`notices` tell what was touched since the graph was last brought up to date, where somebody watches."""
        self.notices = notices
        self._seal = b""
        self._rows: list[FileRow] | None = None
        self._interfaces: dict[int, Interface] = {}
        self._decoded: dict[tuple[str, bytes], Interface] = {}
        self.answers = Answers()
        """What these interfaces answer to look-ups."""
        self._layouts: dict[str, WorkspaceTree] = {}
        """By language: a tree with the same files, which knows what is made of where they are."""
        self.baseline: tuple[bytes, dict[FileKey, bytes]] | None = None
        """The note about the last commit, and what it says."""
        self._linkers: dict[str, tuple[WorkspaceTree, Linker]] = {}
        self.bases: dict[str, BaseLinks] = {}
        """The links of the accepted tree, by language, as far as they are known."""

    def meet(self, reader: GraphReader) -> None:
        """Forgets everything, unless this is the graph that it is about."""
        seal = reader.seal()
        if not seal or seal != self._seal:
            self.__init__(self.notices)  # type: ignore[misc]  # as if it were new
            self._seal = seal
            if self.notices is not None:
                self.notices.lose()

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

    def decode(self, language: Language, data: bytes) -> Interface:
        """What an encoded interface says: edits come back to the same few again and again."""
        known = self._decoded.get((language.name, data))
        if known is None:
            if len(self._decoded) >= MAX_DECODED:
                self._decoded.clear()
                self.answers.clear()  # it goes by the identity of interfaces, which must live as long
            known = self._decoded[language.name, data] = language.decode(data)
        return known

    def tree(
        self,
        reader: GraphReader,
        language: Language,
        roots: Collection[str],
        files: Mapping[int, FileRow],
        said: Sequence[Manifest],
    ) -> WorkspaceTree:
        """The files of a language as the graph holds them."""
        self.meet(reader)
        like = self._layouts.get(language.name)
        tree = WorkspaceTree(
            roots, files, said, lambda file: reader.interface(file) or b"", language.decode, like, self._interfaces
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
        """A linker for a run in which there are the same files as before, and the same manifests."""
        known = self._linkers.get(language.name)
        if known is None:
            tree = WorkspaceTree(roots, files, manifests(), encoded, language.decode, held=self._interfaces)
            known = self._linkers[language.name] = tree, language.linker(tree, persistent=True)
        known[0].resume(files, encoded)
        return known[1]

    def forget_files(self) -> None:
        """The files are others than before, or are all read again."""
        self._interfaces.clear()
        self._linkers.clear()
        self._layouts.clear()
        self.bases.clear()

    def know_base(self, languages: Iterable[Language], reader: GraphReader, key: str, is_now: bool) -> None:
        """What was accepted: another tree than before may be, and it may be the one that the graph is of."""
        self.meet(reader)
        if is_now:
            known = self.bases
            self.bases = {language.name: BaseLinks(key) for language in languages}
            for name, base in known.items():
                if base.key == key:  # as keel itself links that tree, it will again
                    self.bases[name].own = base.own
        else:
            self.bases = {name: base for name, base in self.bases.items() if base.key == key}

    def base(self, language: Language, key: str) -> BaseLinks | None:
        """The links of an accepted tree, if they are known."""
        base = self.bases.get(language.name)
        return base if base is not None and base.key == key else None

    def begin_base(self, language: Language, base: BaseLinks) -> None:
        """The links of an accepted tree have become known."""
        self.bases[language.name] = base

    def follow(
        self, writer: GraphWriter, files: Mapping[int, FileRow] | None = None, put: Mapping[int, Interface] = NO_FILES
    ) -> None:
        """The graph as this transaction will leave it: `files` are those it has then, if they are others than before,
        and `put` what some of them say that say something else."""
        if self._seal:
            self.meet(writer)
        self._seal = writer.next_seal
        self._interfaces.update(put)
        if files is not None:
            rows = self._rows if self._rows is not None else []
            is_same = len(rows) == len(files) and all(row.id in files for row in rows)
            self._rows = [files[row.id] for row in rows] if is_same else None
