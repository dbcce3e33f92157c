"""Whether the code that runs is still the code on disk: after an upgrade, the daemon ends.

Every file of the package counts, imported or not, since one that is imported later would be of another version; so do
the folders of packages beside it, which change with every installation. Ending is left to `server.py`.
"""

from __future__ import annotations

import os

import msgspec

import keel

Stamps = dict[str, tuple[int, int, int]]


def stamps() -> Stamps:
    """The files that this keel is made of, by which a change of them is seen."""
    package = os.path.dirname(keel.__file__)
    found: Stamps = {}
    for folder, folders, names in os.walk(package):
        folders[:] = [name for name in folders if name != "__pycache__"]
        found |= {path: _stamp(path) for path in (f"{folder}/{name}" for name in names)}
    beside = {os.path.dirname(package), os.path.dirname(os.path.dirname(msgspec.__file__))}
    return found | {path: _stamp(path) for path in beside}


def is_same(before: Stamps) -> bool:
    """Whether nothing changed."""
    return all(_stamp(path) == seen for path, seen in before.items())


def _stamp(path: str) -> tuple[int, int, int]:
    try:
        status = os.stat(path)
    except OSError:
        return (0, 0, 0)
    return status.st_mtime_ns, status.st_size, status.st_ino
