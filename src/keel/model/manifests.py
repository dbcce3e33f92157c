"""Manifests: what files such as `pyproject.toml` declare about where code is, as values.

Parsing each format is left to the languages, what follows for imports to their linkers.
"""

from __future__ import annotations

import msgspec
from msgspec import Struct


class Source(Struct, array_like=True, frozen=True, order=True):
    """A folder that imports start from, by its escaped path below a root.

    `package` is the dotted name of the folder itself, which usually has none.
    """

    folder: str
    package: str = ""


class Manifest(Struct, array_like=True, frozen=True):
    """A manifest of a language, and what it declares; all fields but root and path may be empty."""

    root: str
    path: str
    name: str = ""
    """The name of the project."""
    sources: list[Source] = []
    """Where its code is. Empty: where the language looks by default."""
    extra: list[str] = []
    """Folders that are searched as well, such as those of its tests."""
    packages: list[str] = []
    """Dotted names of the packages that it lists one by one."""
    members: list[str] = []
    excluded: list[str] = []
    """Globs, from its folder, of the projects that are its members, and of those that are not."""

    @property
    def folder(self) -> str:
        """The folder that it is in; empty for the root itself."""
        return self.path.rpartition("/")[0]


encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(list[Manifest]).decode


def decode(data: bytes | None) -> list[Manifest] | None:
    """The manifests in these bytes, or None when the bytes are none."""
    try:
        return _decode(data) if data is not None else None
    except msgspec.MsgspecError:
        return None
