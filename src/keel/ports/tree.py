"""The Tree socket: the workspace as a language sees it.

Where facts are kept is not a language's business.
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
"""What each file gave to a slot in the last run."""


class Tree(Protocol[InterfaceT]):
    """The workspace as a linker sees it: which files there are and what each says."""

    @property
    def files(self) -> Mapping[int, FileRow]:
        """Files of this language, by number."""

    @property
    def roots(self) -> Collection[str]:
        """Names of the roots, in the order of the configuration."""

    def interface(self, file: int) -> InterfaceT:
        """What a file says to others, as the language itself decodes it."""

    @property
    def manifests(self) -> Sequence[Manifest]:
        """Every file that steers the language, such as `pyproject.toml`, with what it declares."""

    def layout(self, make: Callable[[Tree[Any]], T]) -> T:
        """What is made of which files there are, and of what steers the language: made once for each maker."""
