"""Sources of another time: which files differ from now, with the digest of each, and its bytes when they are asked for.

Where they come from is left to `accepted_tree.py` and `baseline.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from keel.model.refs import FileKey


class Sources(Mapping[FileKey, bytes | None]):
    """The bytes of files by place; None for one that was not there."""

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
    """Sources whose bytes are at hand."""
    from keel.model.hashing import content_hash

    there = {place: data for place, data in sources.items() if data is not None}
    digests = {place: content_hash(data) for place, data in there.items()}
    return Sources({place: digests.get(place) for place in sources}, there.__getitem__)


class Accepted(NamedTuple):
    """The accepted tree, as far as it differs from the files now."""

    label: str
    """What it is: a commit, or the snapshot."""
    sources: Sources
    manifest_files: Mapping[FileKey, bytes | None]
    """The files that steer the languages; None stands for one that was not there."""
    has_snapshot: bool = True
    """Whether there is a snapshot for every root that needs one."""
    is_plain: bool = True
    """Whether it is one commit of one repository for every root."""
    key: str = ""
    """Tells this tree from others, where it was remembered and nothing but sources differs from it."""
