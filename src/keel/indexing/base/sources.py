"""Sources of another tree: which files differ from now, with the digest of each, and its bytes on demand.

Where they come from is left to `differences.py` and `baseline.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from keel.model.refs import FileKey


class Sources(Mapping[FileKey, bytes | None]):
    """The bytes of files by file key; None for one that did not exist."""

    def __init__(self, contents: Mapping[FileKey, bytes | None], read: Callable[[FileKey], bytes]) -> None:
        self.contents = contents
        """The digest of each."""
        self._read = read
        self._held: dict[FileKey, bytes] = {}

    def __getitem__(self, place: FileKey) -> bytes | None:
        if self.contents[place] is None:
            return None
        if place not in self._held:
            self._held[place] = self._read(place)
        return self._held[place]

    def __iter__(self) -> Iterator[FileKey]:
        return iter(self.contents)

    def __len__(self) -> int:
        return len(self.contents)


def held(sources: Mapping[FileKey, bytes | None]) -> Sources:
    """Sources whose bytes are in memory."""
    from keel.model.hashing import content_hash

    there = {place: data for place, data in sources.items() if data is not None}
    digests = {place: content_hash(data) for place, data in there.items()}
    return Sources({place: digests.get(place) for place in sources}, there.__getitem__)


class Accepted(NamedTuple):
    """The accepted tree, as far as it differs from the current files."""

    label: str
    """Its description: a commit, or the snapshot."""
    sources: Sources
    manifest_files: Mapping[FileKey, bytes | None]
    """The manifests; None for one that did not exist."""
    has_snapshot: bool = True
    """Whether there is a snapshot for every root that needs one."""
    is_plain: bool = True
    """Whether it is one commit of one repository for every root."""
    key: str = ""
    """Identifies this tree, where it was stored and nothing but sources differs from it."""
