"""Manifests: what files such as `pyproject.toml` say about where code begins, as values.

How each kind of file is read is left to the languages; what follows for imports, to their linkers.
"""

from __future__ import annotations

import msgspec
from msgspec import Struct


class Source(Struct, array_like=True, frozen=True, order=True):
    """A folder that imports start from, by its escaped path below a root.

    `package` is the dotted name that the folder itself stands for, which usually is none.
    """

    folder: str
    package: str = ""


class Manifest(Struct, array_like=True, frozen=True):
    """A file that steers a language, and what it declares; everything but its place may be missing."""

    root: str
    path: str
    name: str = ""
    """What the project is called."""
    sources: list[Source] = []
    """Where its code is. None declared: where the language looks by itself."""
    extra: list[str] = []
    """Folders that are searched as well, such as those of its tests."""
    packages: list[str] = []
    """Dotted names of the packages that it names one by one."""
    members: list[str] = []
    excluded: list[str] = []
    """Globs, from its folder, of the projects that it holds, and of those that it does not."""

    @property
    def folder(self) -> str:
        """The folder that it stands in; empty for the root itself."""
        return self.path.rpartition("/")[0]


encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(list[Manifest]).decode


def decode(data: bytes | None) -> list[Manifest] | None:
    """The manifests in these bytes, or None when there are none in them."""
    try:
        return _decode(data) if data is not None else None
    except msgspec.MsgspecError:
        return None
