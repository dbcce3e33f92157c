"""What a scan depends on: which names, which files can be read, and a digest of the names in a folder.

While the digest is the same, so is the result of a listing; listing itself is left to `listing.py`.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING, NamedTuple

from keel.indexing.scan.excluded_folders import NEVER, NotSource, not_source_of

if TYPE_CHECKING:
    from keel.model.syntax import Syntax

IGNORE_FILES = frozenset({".gitignore", ".keelignore"})
_DECISIVE = IGNORE_FILES | {".git"}


class FileFilter(NamedTuple):
    """Suffixes of source files, names of manifests, and every other name that a listing depends on."""

    suffixes: tuple[str, ...]
    manifest_files: frozenset[str]
    decisive: frozenset[str]
    unheeded: frozenset[str]
    """Folders that no listing enters."""
    not_source: NotSource


def file_filter(
    suffixes: Collection[str], manifest_files: Collection[str], syntaxes: Iterable[Syntax] = ()
) -> FileFilter:
    """The filter for these suffixes, manifests and languages."""
    left = not_source_of(syntaxes, manifest_files)
    decisive = _DECISIVE | left.manifests | left.marks
    unheeded = left.leftovers | (NEVER - {".git"})
    return FileFilter(tuple(sorted(suffixes)), frozenset(manifest_files), decisive, unheeded, left)


def digest_of(entries: Iterable[os.DirEntry[str]], names: FileFilter) -> int:
    """One number for the relevant names in a folder, each with whether it is a folder, a file or neither."""
    from keel.model.hashing import digest64

    marks = []
    for entry in entries:
        name = entry.name
        if entry.is_dir(follow_symlinks=False):
            if name not in names.unheeded:
                marks.append("/" + name)
        elif name.endswith(names.suffixes) or name in names.decisive:
            marks.append(name if entry.is_file(follow_symlinks=False) else "//" + name)
    marks.sort()
    return digest64("\0".join(marks).encode("utf-8", "surrogatepass"))


def matters(path: str, names: FileFilter) -> bool:
    """Whether a listing may depend on what is or was at a path: by its name, or since it is a folder.

    Whether something that no longer exists was a folder cannot be seen; the caller has to know those.
    """
    name = path.rpartition("/")[2]
    if name.endswith(names.suffixes) or name in names.decisive:
        return True
    return name not in names.unheeded and os.path.isdir(path) and not os.path.islink(path)


def is_readable(path: str, mode: int) -> bool:
    """Whether a file can be opened; for most, its mode alone decides."""
    return mode & 0o444 == 0o444 or os.access(path, os.R_OK)
