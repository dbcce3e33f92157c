"""Reads a file of a space: once, whole, and only when its real path lies inside of the space.

The bytes that it returns are those that are checked, hashed and run; the file is not opened again. Parsing them is left
to `toolspaces/manifests/manifest.py`.
"""

from __future__ import annotations

import os
import stat

from keel.errors import ToolOutside, ToolUnreadable

MAX_BYTES = 1 << 20
"""The largest file: a tool is a script or a few settings."""
DESCRIPTORS = "/proc/self/fd"
"""Where Linux lists the real paths of open files."""

_FLAGS = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)


def read_inside(item_id: str, path: str, root: str, real_root: str) -> bytes:
    """The bytes of a regular file whose real path lies inside of a real folder; `root` is what people call that."""
    try:
        before = os.lstat(path)
        if stat.S_ISLNK(before.st_mode):
            real = os.path.realpath(path, strict=True)
            if not is_inside(real, real_root):
                raise ToolOutside(item_id, path, root)
            return read_inside(item_id, real, root, real_root)
        return _read(item_id, path, root, real_root, before)
    except OSError as error:
        raise ToolUnreadable(item_id, path, error.strerror or str(error)) from error


def read_regular(item_id: str, path: str) -> bytes:
    """The bytes of a regular file, wherever it is."""
    return _read(item_id, path, "", "", os.lstat(path))


def is_inside(real: str, real_root: str) -> bool:
    """Whether a real path lies below a real folder."""
    return real.startswith(real_root if real_root.endswith(os.sep) else real_root + os.sep)


def _read(item_id: str, path: str, root: str, real_root: str, before: os.stat_result) -> bytes:
    """Reads a file that is no link and, where a root is named, inside of it. A pipe or a device is not even opened."""
    if not stat.S_ISREG(before.st_mode):
        raise ToolUnreadable(item_id, path, "it is no regular file")
    if before.st_size > MAX_BYTES:
        raise ToolUnreadable(item_id, path, f"it is larger than {MAX_BYTES >> 20} MiB")
    descriptor = os.open(path, _FLAGS)
    try:
        opened = os.fstat(descriptor)
        if (opened.st_dev, opened.st_ino) != (before.st_dev, before.st_ino):
            raise ToolUnreadable(item_id, path, "it changed while it was read")
        if real_root and not is_inside(_real_path(descriptor, path), real_root):
            raise ToolOutside(item_id, path, root)
        return _whole(item_id, path, descriptor, opened.st_size)
    finally:
        os.close(descriptor)


def _real_path(descriptor: int, path: str) -> str:
    """Where an open file really is: a folder on the way to it may be a link, and may be turned at any time."""
    try:
        return os.readlink(f"{DESCRIPTORS}/{descriptor}")
    except OSError:  # not every system tells
        return os.path.realpath(path, strict=True)


def _whole(item_id: str, path: str, descriptor: int, size: int) -> bytes:
    pieces = []
    left = MAX_BYTES + 1
    while left > 0 and (piece := os.read(descriptor, min(left, size + 1))):
        pieces.append(piece)
        left -= len(piece)
    if left <= 0:
        raise ToolUnreadable(item_id, path, f"it is larger than {MAX_BYTES >> 20} MiB")
    return b"".join(pieces)
