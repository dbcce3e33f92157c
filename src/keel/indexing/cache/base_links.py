"""The links of the accepted tree, cached by the daemon, so that the files that an edit affects are not linked twice.

The cache starts where these links are known: when nothing differs from the accepted tree, or all that differs was
linked as it was. From then on, before an update links a file again, its stored links are captured: so every file that
is not cached here has in the graph the links that it has in the accepted tree. Linking as it was, where the cache is
not valid, is left to `indexing/base/graph.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import TYPE_CHECKING

from keel.model.facts import Interface
from keel.model.rows import EdgeRow, FileLinks, FileRow

if TYPE_CHECKING:
    from keel.ports.store import GraphReader

InterfaceLookup = Callable[[FileRow, bytes], "Interface | None"]
"""The interface that a file had with some content, where it is known."""


class BaseLinks:
    """Links of files whose current links differ, or may differ."""

    def __init__(self, key: str) -> None:
        self.key = key
        """The key of their accepted tree."""
        self.links: dict[int, FileLinks] = {}
        self._contents: dict[int, bytes] = {}
        """The content hashes of these files there."""
        self.amended: set[int] = set()
        """Files that were put, with edges that a helper has amended: while they differ, keel's own edges are needed."""
        self.own: dict[int, FileLinks] = {}
        """Keel's own links of these files, as far as they were linked as they were."""
        self._unamended: frozenset[int] = frozenset()
        """Files that differed at the start: helpers' answers about them are not in their edges."""
        self._has_others = False
        """Whether files were captured that were not put. Helpers' answers about them may not all be in the graph, since
        a run that does not ask merges only what is certain."""

    def begin(self, links: Mapping[int, FileLinks], contents: Mapping[int, bytes], differing: Iterable[int]) -> None:
        """Starts with the files that were linked as they were, and their content hashes."""
        self.links, self._contents = dict(links), dict(contents)
        self._unamended = frozenset(differing)

    def holds(self, differing: Collection[int], is_helped: bool) -> bool:
        """Whether the cache has the links of all files, when these files differ."""
        return not is_helped or (not self._has_others and all(file in differing for file in self._unamended))

    def take(
        self,
        before: GraphReader,
        rows: Mapping[int, FileRow],
        linked: Iterable[int],
        put: Collection[int],
        interface_of: InterfaceLookup,
    ) -> bool:
        """Captures what the graph has of files before it is replaced; returns whether that was possible."""
        numbers = _Numbers(before, rows, self._contents, interface_of)
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

    def drop_same(self, rows: Mapping[int, FileRow], linked: Mapping[int, FileLinks]) -> None:
        """Drops files that were linked and have the links of the accepted tree again."""
        differing = {file for file, content in self._contents.items() if rows[file].content != content}
        for file, links in linked.items():
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
    """Maps definitions of a file that differs to their ordinals in the accepted tree."""

    def __init__(
        self,
        before: GraphReader,
        rows: Mapping[int, FileRow],
        accepted: Mapping[int, bytes],
        interface_of: InterfaceLookup,
    ) -> None:
        self._before, self._rows = before, rows
        self._accepted, self._interface_lookup = accepted, interface_of
        self._known: dict[int, dict[int, int] | None] = {}

    def as_accepted(self, edges: list[EdgeRow]) -> list[EdgeRow] | None:
        """Edges with the ordinals of the accepted tree; None when a definition cannot be mapped."""
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
