"""Reading a file of a space: once, whole, and only when it really lies inside of the space.

The bytes that come from here are those that are checked, hashed and run; nobody opens the file again. What they say is
left to `manifest.py`.
"""

from __future__ import annotations

import os
import stat

from keel.errors import ToolOutside, ToolUnreadable

MOST_BYTES = 1 << 20
"""A tool is a script or a few settings; what is larger is not read."""

_FLAGS = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)


def read_inside(item_id: str, path: str, root: str) -> bytes:
    """The bytes of a regular file whose real path lies inside of the real root."""
    try:
        real = os.path.realpath(path, strict=True)
        if not is_inside(real, os.path.realpath(root)):
            raise ToolOutside(item_id, path, root)
        data = read_regular(item_id, real)
        # A link that was turned while the file was read may have led anywhere.
        if os.path.realpath(path, strict=True) != real:
            raise ToolUnreadable(item_id, path, "it changed while it was read")
    except OSError as error:
        raise ToolUnreadable(item_id, path, error.strerror or str(error)) from error
    return data


def is_inside(real: str, real_root: str) -> bool:
    """Whether a real path lies below a real folder."""
    return real.startswith(real_root if real_root.endswith(os.sep) else real_root + os.sep)


def read_regular(item_id: str, path: str) -> bytes:
    """The bytes of a regular file that is no link; a pipe or a device is not even opened."""
    before = os.lstat(path)
    if not stat.S_ISREG(before.st_mode):
        raise ToolUnreadable(item_id, path, "it is no regular file")
    if before.st_size > MOST_BYTES:
        raise ToolUnreadable(item_id, path, f"it is larger than {MOST_BYTES >> 20} MiB")
    with open(os.open(path, _FLAGS), "rb") as file:
        opened = os.fstat(file.fileno())
        if (opened.st_dev, opened.st_ino) != (before.st_dev, before.st_ino):
            raise ToolUnreadable(item_id, path, "it changed while it was read")
        data = file.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise ToolUnreadable(item_id, path, f"it is larger than {MOST_BYTES >> 20} MiB")
    return data
