"""The workspace as linkers see it: files after this run, and the interface of each, from memory or from the store.

What linkers make of it is left to the languages.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TypeVar, cast

from keel.model.facts import Interface, decode_interface
from keel.model.manifests import Manifest
from keel.model.rows import FileRow
from keel.ports.tree import Tree

T = TypeVar("T")
HELD = 64
"""How many decoded interfaces are kept: neighbours ask for the same few."""


class WorkspaceTree:
    """The Tree socket over encoded facts."""

    def __init__(
        self,
        roots: Collection[str],
        files: Mapping[int, FileRow],
        manifests: Sequence[Manifest],
        encoded: Callable[[int], bytes],
        like: WorkspaceTree | None = None,
    ) -> None:
        """`like` is a tree with the same files, which may say something else."""
        self.roots = list(roots)
        self.files = files
        self.manifests = manifests
        self._encoded = encoded
        self._held: dict[int, Interface] = {}
        self._layouts: dict[object, object] = {} if like is None else like._layouts

    def interface(self, file: int) -> Interface:
        """What a file says to others."""
        known = self._held.get(file)
        if known is None:
            if len(self._held) >= HELD:
                self._held.clear()
            known = self._held[file] = decode_interface(self._encoded(file))
        return known

    def layout(self, make: Callable[[Tree], T]) -> T:
        """What is made of which files there are."""
        if make not in self._layouts:
            self._layouts[make] = make(self)
        return cast("T", self._layouts[make])
