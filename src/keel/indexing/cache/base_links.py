"""The links of the accepted tree, kept by a process that stays, so that what an edit touches is not linked twice.

It begins where they are known: nothing differs from the accepted tree, or all that does was linked as it was. From then
on, before an update links a file again, what is stored of it is taken down: so every file that is not in here has the
links in the graph that it has in the accepted tree. Who links as it was, where this cannot tell, is
`indexing/base/graph.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import TYPE_CHECKING

from keel.model.facts import Interface
from keel.model.rows import EdgeRow, FileLinks, FileRow

if TYPE_CHECKING:
    from keel.ports.store import GraphReader

InterfaceLookup = Callable[[FileRow, bytes], "Interface | None"]
"""What a file said with some content, where that is known."""


class BaseLinks:
    """Links of files that have, or may have, others now."""

    def __init__(self, key: str) -> None:
        self.key = key
        """The accepted tree that they are of."""
        self.links: dict[int, FileLinks] = {}
        self._contents: dict[int, bytes] = {}
        """What these files held there."""
        self.amended: set[int] = set()
        """Files that were put, with edges as a helper has amended them: while they differ, keel's own are wanted."""
        self.own: dict[int, FileLinks] = {}
        """Of these, as far as they were linked as they were."""
        self._unamended: frozenset[int] = frozenset()
        """Files that differed at the beginning: what a helper said of them is not in their edges."""
        self._has_others = False
        """Whether files were taken down that were not put. What a helper said of them may not all be in the graph,
        since a run in a hurry lays over only what it can be sure of."""

    def begin(self, links: Mapping[int, FileLinks], contents: Mapping[int, bytes], differing: Iterable[int]) -> None:
        """The files that were linked as they were, with what they held."""
        self.links, self._contents = dict(links), dict(contents)
        self._unamended = frozenset(differing)

    def holds(self, differing: Collection[int], is_helped: bool) -> bool:
        """Whether this can tell the links of all files, when these files differ."""
        return not is_helped or (not self._has_others and all(file in differing for file in self._unamended))

    def take(
        self,
        before: GraphReader,
        rows: Mapping[int, FileRow],
        linked: Iterable[int],
        put: Collection[int],
        said: InterfaceLookup,
    ) -> bool:
        """Takes down what the graph says of files before it says something else; whether that can be told."""
        numbers = _Numbers(before, rows, self._contents, said)
        for file in linked:
            if file in self.links or file not in rows:
                continue
            edges = numbers.as_accepted(before.edges_of(file))
            if edges is None:
                return False
            reasons, candidates = before.links(file)
            flows = {slot: before.flows(slot)[file] for slot in before.slots([file])}
            self.links[file] = FileLinks(file, edges, reasons, candidates, set(), flows)
            self._contents[file] = rows[file].content
            if file in put:
                self.amended.add(file)
            else:
                self._has_others = True
        return True

    def drop_same(self, rows: Mapping[int, FileRow], found: Mapping[int, FileLinks]) -> None:
        """Leaves out files that were linked and have the links of the accepted tree again."""
        differing = {file for file, content in self._contents.items() if rows[file].content != content}
        for file, links in found.items():
            known = self.links.get(file)
            if known is None or file in differing:
                continue
            is_same = (
                _distinct(known.edges) == _distinct(links.edges)
                and (known.reasons, known.candidates, known.flows) == (links.reasons, links.candidates, links.flows)
                and differing.isdisjoint(edge.target_file for edge in links.edges)
            )
            if is_same:
                del self.links[file], self._contents[file]
                self.amended.discard(file)


def _distinct(edges: Iterable[EdgeRow]) -> dict[tuple[int, ...], EdgeRow]:
    """Edges as a store keeps them: of equal ones the last counts."""
    return {(edge.source, edge.at, edge.kind, edge.target_file, edge.target): edge for edge in edges}


class _Numbers:
    """Which definition of a file that differs has which number in the accepted tree."""

    def __init__(
        self, before: GraphReader, rows: Mapping[int, FileRow], accepted: Mapping[int, bytes], said: InterfaceLookup
    ) -> None:
        self._before, self._rows = before, rows
        self._accepted, self._interface_lookup = accepted, said
        self._known: dict[int, dict[int, int] | None] = {}

    def as_accepted(self, edges: list[EdgeRow]) -> list[EdgeRow] | None:
        """Edges with the numbers of the accepted tree; None when that cannot be told."""
        found = []
        for edge in edges:
            content = self._accepted.get(edge.target_file)
            if content is not None and self._rows[edge.target_file].content != content:
                numbers = self._of(edge.target_file, content)
                if numbers is None or edge.target not in numbers:
                    return None
                edge = edge._replace(target=numbers[edge.target])
            found.append(edge)
        return found

    def _of(self, file: int, content: bytes) -> dict[int, int] | None:
        if file not in self._known:
            self._known[file] = self._looked_up(self._rows[file], content)
        return self._known[file]

    def _looked_up(self, row: FileRow, content: bytes) -> dict[int, int] | None:
        interface = self._interface_lookup(row, content)
        if interface is None:
            return None
        names = {
            (interface.text(each.qualified_name), each.occurrence): ordinal
            for ordinal, each in enumerate(interface.defs)
        }
        nodes = self._before.nodes(row.id)
        then = {node.ordinal: names.get((node.qualified_name, node.occurrence)) for node in nodes}
        return {ordinal: was for ordinal, was in then.items() if was is not None}
