"""The Tree socket: the workspace as a language sees it.

Where the facts come from (memory, store, base) is left to the implementation.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Protocol, TypeVar

from keel.model.facts import Interface
from keel.model.manifests import Manifest
from keel.model.rows import FileRow

T = TypeVar("T")
InterfaceT = TypeVar("InterfaceT", bound=Interface, covariant=True)
SlotContents = Callable[[int], Mapping[int, bytes]]
"""What each file passed to a parameter slot in the last run."""


class Tree(Protocol[InterfaceT]):
    """The workspace as a linker sees it: which files exist, and the interface of each."""

    @property
    def files(self) -> Mapping[int, FileRow]:
        """Files of this language, by number."""

    @property
    def roots(self) -> Collection[str]:
        """Names of the roots, in the order of the configuration."""

    def interface(self, file: int) -> InterfaceT:
        """The interface of a file, as the language itself decodes it."""

    @property
    def manifests(self) -> Sequence[Manifest]:
        """Every manifest of the language, such as `pyproject.toml`, with what it declares."""

    def layout(self, make: Callable[[Tree[Any]], T]) -> T:
        """A value derived from which files exist and what the manifests declare; computed once for each `make`.

        `make` must not depend on the content of files: the value is reused while the set of files is the same.
        """
