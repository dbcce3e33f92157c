"""The argument flow between files in the last run, as the store has it.

What flows, and into which parameter slots, is left to the languages.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from keel.model.rows import FileLinks
from keel.ports.store import GraphReader


class StoredFlows:
    """The Flows socket over a store. It returns the state before this run: files that are removed are captured
    first."""

    def __init__(self, reader: GraphReader, gone: Iterable[int], remembers: bool) -> None:
        self.remembers = remembers
        self.gone = frozenset(gone)
        self._reader = reader
        self._of_gone: dict[int, dict[int, bytes]] = {}
        if remembers and self.gone:
            for slot in reader.slots(self.gone):
                given = reader.flows(slot)
                self._of_gone[slot] = {file: given[file] for file in self.gone if file in given}

    def given(self, slot: int) -> Mapping[int, bytes]:
        """What each file passed to a slot."""
        return {**self._reader.flows(slot), **self._of_gone.get(slot, {})}

    def slots(self, files: Iterable[int]) -> set[int]:
        """All slots that files passed values to, removed files included."""
        return self._reader.slots(files) | self._of_gone.keys()

    def readers(self, slots: Iterable[int]) -> set[int]:
        """Files that read one of these slots."""
        return self._reader.dependents(set(slots)) - self.gone


class AcceptedFlows:
    """The same for the accepted tree, where the links of all files whose current links differ are cached."""

    remembers = True
    gone: frozenset[int] = frozenset()

    def __init__(self, reader: GraphReader, links: Mapping[int, FileLinks]) -> None:
        self._reader, self._links = reader, links

    def given(self, slot: int) -> Mapping[int, bytes]:
        """What each file passed to a slot."""
        stored = {file: data for file, data in self._reader.flows(slot).items() if file not in self._links}
        return stored | {file: links.flows[slot] for file, links in self._links.items() if slot in links.flows}

    def slots(self, files: Iterable[int]) -> set[int]:
        """All slots that files passed values to."""
        asked = set(files)
        own = {slot for file in asked & self._links.keys() for slot in self._links[file].flows}
        return own | self._reader.slots(asked - self._links.keys())

    def readers(self, slots: Iterable[int]) -> set[int]:
        """Files that read one of these slots."""
        return self._reader.dependents(set(slots))
