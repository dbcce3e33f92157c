"""What files gave to each other in the last run, as the store remembers it.

What is given, and to whom, is the languages' business.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from keel.ports.store import GraphWriter


class StoredFlows:
    """The Flows socket over a store. What it hands out is what was before this run: files that go are noted first."""

    def __init__(self, writer: GraphWriter, gone: Iterable[int], remembers: bool) -> None:
        self.remembers = remembers
        self.gone = frozenset(gone)
        self._writer = writer
        self._of_gone: dict[int, dict[int, bytes]] = {}
        if remembers and self.gone:
            for slot in writer.slots(self.gone):
                given = writer.flows(slot)
                self._of_gone[slot] = {file: given[file] for file in self.gone if file in given}

    def given(self, slot: int) -> Mapping[int, bytes]:
        """What each file gave to a slot."""
        return {**self._writer.flows(slot), **self._of_gone.get(slot, {})}

    def slots(self, files: Iterable[int]) -> set[int]:
        """All slots that files gave to, the files that are gone included."""
        return self._writer.slots(files) | self._of_gone.keys()

    def readers(self, slots: Iterable[int]) -> set[int]:
        """Files that read one of these slots."""
        return self._writer.dependents(set(slots))
