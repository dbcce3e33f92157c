"""The workspace as linkers see it: files after this run, and the interface of each, from memory or from the store.

Linking is left to the languages.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any, TypeVar, cast

from keel.model.facts import Interface
from keel.model.manifests import Manifest
from keel.model.rows import FileRow
from keel.ports.tree import Tree

T = TypeVar("T")
HELD = 64
"""How many decoded interfaces are cached: neighbouring files look up the same few."""
MAX_HELD = 1_000
"""How many are cached from one run to the next, in the daemon."""


class WorkspaceTree:
    """The Tree socket over encoded facts."""

    def __init__(
        self,
        roots: Collection[str],
        files: Mapping[int, FileRow],
        manifests: Sequence[Manifest],
        encoded: Callable[[int], bytes],
        decode: Callable[[bytes], Interface],
        like: WorkspaceTree | None = None,
        held: dict[int, Interface] | None = None,
    ) -> None:
        """`like` is a tree with the same files, perhaps with other interfaces; `held` are interfaces that are already
        decoded."""
        self.roots = list(roots)
        self.files = files
        self.manifests = manifests
        self._encoded, self.decode = encoded, decode
        self._held: dict[int, Interface] = {} if held is None else held
        self._most = HELD if held is None else MAX_HELD
        self._layouts: dict[object, object] = {} if like is None else like._layouts

    def interface(self, file: int) -> Any:
        """The interface of a file, as its language decodes it."""
        known = self._held.get(file)
        if known is None:
            if len(self._held) >= self._most:
                self._held.clear()
            known = self._held[file] = self.decode(self._encoded(file))
        return known

    def resume(self, files: Mapping[int, FileRow], encoded: Callable[[int], bytes]) -> None:
        """Continues with the same files in another run."""
        if isinstance(self.files, OfLanguage) and isinstance(files, OfLanguage):
            self.files.all = files.all
        self._encoded = encoded

    def layout(self, make: Callable[[Tree[Any]], T]) -> T:
        """A value derived from which files exist; computed once for each `make`."""
        if make not in self._layouts:
            self._layouts[make] = make(self)
        return cast("T", self._layouts[make])


def places(tree: Tree[Any]) -> dict[tuple[str, str], int]:
    """The numbers of files by root and path; to be used as a layout, since it depends on which files exist."""
    return {(row.root, row.path): number for number, row in tree.files.items()}


class OfLanguage(Mapping[int, FileRow]):
    """The files of one language, as they are at the moment of the look-up."""

    def __init__(self, files: Mapping[int, FileRow], language: str) -> None:
        self.all = files
        self._language = language

    def __getitem__(self, file: int) -> FileRow:
        return self.all[file]

    def __iter__(self) -> Iterator[int]:
        return (file for file, row in self.all.items() if row.language == self._language)

    def __len__(self) -> int:
        return sum(1 for _ in self)
