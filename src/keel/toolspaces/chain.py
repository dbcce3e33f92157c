"""Chains: a tool, what runs it, what runs that, down to a primitive.

Every element is resolved by itself, project first, and keeps its space, its bytes and their hash. Whether the elements
may run each other is left to `validation.py`.
"""

from __future__ import annotations

import os
from typing import NamedTuple

from keel.errors import ChainValidationError
from keel.toolspaces.manifests.cache import manifest_of
from keel.toolspaces.manifests.manifest import Manifest
from keel.toolspaces.reading import read_inside
from keel.toolspaces.resolve import ResolvedTool, find_tool
from keel.toolspaces.spaces import RANK, Spaces, spaces_of

MAX_CHAIN_LENGTH = 10
"""Elements of a chain. Three are usual; a longer chain is a mistake."""
ARROW = " → "


class Element(NamedTuple):
    """One tool of a chain, as it was read."""

    found: ResolvedTool
    manifest: Manifest
    data: bytes
    """The whole content of the file: what is checked is what runs."""
    sha256: str

    @property
    def item_id(self) -> str:
        """What it is called."""
        return self.found.item_id

    @property
    def space(self) -> str:
        """The name of its space."""
        return self.found.space.name

    @property
    def path(self) -> str:
        """Its file."""
        return self.found.path


class Chain(NamedTuple):
    """A tool with everything that runs it, the tool first, a primitive last."""

    elements: tuple[Element, ...]
    project: str
    """The folder of the project, absolute."""

    @property
    def tool(self) -> Element:
        """The tool itself."""
        return self.elements[0]

    @property
    def primitive(self) -> Element:
        """What keel does itself."""
        return self.elements[-1]


def resolve_chain(item_id: str, project_path: str | os.PathLike[str], scoped: bool = False) -> Chain:
    """The chain of a tool; with `scoped`, each executor is searched from the space of what it runs downwards."""
    project = os.path.abspath(project_path)
    return Chain(tuple(elements_of(item_id, spaces_of(project), scoped)), project)


def elements_of(item_id: str, spaces: Spaces, scoped: bool = False) -> list[Element]:
    """The elements from a tool to its primitive. A ring or a chain without an end is refused, and shown."""
    elements = [load(find_tool(item_id, spaces))]
    while (wanted := elements[-1].manifest.executor_id) is not None:
        ids = [element.item_id for element in elements]
        if wanted in ids:
            ring = ARROW.join([*ids[ids.index(wanted) :], wanted])
            raise ChainValidationError([f"Circular chain: {ring}."])
        if len(elements) == MAX_CHAIN_LENGTH:
            raise ChainValidationError(
                [f"The chain has more than {MAX_CHAIN_LENGTH} elements: {ARROW.join([*ids, wanted])}."]
            )
        last = elements[-1]
        within = tuple(space for space in spaces if not scoped or RANK[space.name] <= RANK[last.space])
        elements.append(load(find_tool(wanted, within, wanted_by=last.item_id)))
    return elements


def load(found: ResolvedTool) -> Element:
    """A tool that was found, read."""
    data = read_inside(found.item_id, found.path, found.space.root, found.space.real)
    manifest, digest = manifest_of(found.item_id, found.path, data)
    return Element(found, manifest, data, digest)
