"""The workspace as linkers see it: files after this run, and the interface of each, from memory or from the store.

What linkers make of it is left to the languages.
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
"""How many decoded interfaces are kept: neighbours ask for the same few."""
MAX_HELD = 1_000
"""How many are kept from one run to the next, in a process that stays."""


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
        """`like` is a tree with the same files, which may say something else; `held` are interfaces that are known."""
        self.roots = list(roots)
        self.files = files
        self.manifests = manifests
        self._encoded, self.decode = encoded, decode
        self._held: dict[int, Interface] = {} if held is None else held
        self._most = HELD if held is None else MAX_HELD
        self._layouts: dict[object, object] = {} if like is None else like._layouts

    def interface(self, file: int) -> Any:
        """What a file says to others, as its language decodes it."""
        known = self._held.get(file)
        if known is None:
            if len(self._held) >= self._most:
                self._held.clear()
            known = self._held[file] = self.decode(self._encoded(file))
        return known

    def resume(self, files: Mapping[int, FileRow], encoded: Callable[[int], bytes]) -> None:
        """Goes on with the same files as they are in another run."""
        if isinstance(self.files, OfLanguage) and isinstance(files, OfLanguage):
            self.files.all = files.all
        self._encoded = encoded

    def layout(self, make: Callable[[Tree[Any]], T]) -> T:
        """What is made of which files there are."""
        if make not in self._layouts:
            self._layouts[make] = make(self)
        return cast("T", self._layouts[make])


def places(tree: Tree[Any]) -> dict[tuple[str, str], int]:
    """The numbers of files by root and path; to be asked for as a layout, since it goes by which files there are."""
    return {(row.root, row.path): number for number, row in tree.files.items()}


class OfLanguage(Mapping[int, FileRow]):
    """The files of one language, as they are at the moment they are asked for."""

    def __init__(self, files: Mapping[int, FileRow], language: str) -> None:
        self.all = files
        self._language = language

    def __getitem__(self, file: int) -> FileRow:
        return self.all[file]

    def __iter__(self) -> Iterator[int]:
        return (file for file, row in self.all.items() if row.language == self._language)

    def __len__(self) -> int:
        return sum(1 for _ in self)
