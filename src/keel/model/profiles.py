"""Profiles: what a module is about, by the words of its files; the input of placement and `where-to-put`.

A file's profile is a function of its facts and is stored beside them, so that it is never out of date. That of a
module, which is a directory, is the sum over its files, computed on demand. Scoring is left to
`graph/placement/placement.py`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

import msgspec
from msgspec import Struct

Folder = tuple[str, str]
"""A directory: its root, and its path there, without a `/` at the end; the root itself is empty."""


class FileProfile(Struct, array_like=True, frozen=True):
    """The part of one file in its module."""

    functions: list[str]
    """Names of its functions at the top level, in source order."""
    methods: int
    """How many methods its classes have."""
    classes: list[str]
    exports: list[str]
    """The exports that it lists, where it does."""
    imports: list[str]
    """Modules it imports, as written."""
    endpoints: list[str]
    """Paths that functions are registered under: `/orders/{id}`."""
    names: dict[str, int]
    """By word: how many functions and classes at the top level have it in their name."""
    keywords: dict[str, int]
    """By word: how often names of methods and documentation have it."""


class ModuleProfile(NamedTuple):
    """What a module is about: the sum of its files."""

    folder: Folder
    functions: tuple[str, ...]
    methods: int
    classes: tuple[str, ...]
    exports: tuple[str, ...]
    imports: tuple[str, ...]
    endpoints: tuple[str, ...]
    names: Counter[str]
    keywords: Counter[str]

    @property
    def path(self) -> str:
        """The directory as answers show it: it ends in `/`."""
        return f"{self.folder[1] or '.'}/"

    @property
    def size(self) -> int:
        """How many functions and methods it has."""
        return len(self.functions) + self.methods


def summed(folder: Folder, files: Iterable[FileProfile]) -> ModuleProfile:
    """The profile of a module."""
    parts = list(files)
    names: Counter[str] = Counter()
    keywords: Counter[str] = Counter()
    for each in parts:
        names.update(each.names)
        keywords.update(each.keywords)
    return ModuleProfile(
        folder,
        tuple(name for each in parts for name in each.functions),
        sum(each.methods for each in parts),
        tuple(name for each in parts for name in each.classes),
        tuple(name for each in parts for name in each.exports),
        tuple(dict.fromkeys(name for each in parts for name in each.imports)),
        tuple(path for each in parts for path in each.endpoints),
        names,
        keywords,
    )


encode_profile = msgspec.msgpack.Encoder(order="deterministic").encode
decode_profile = msgspec.msgpack.Decoder(FileProfile).decode
