"""Reading a file that may have been replaced since it was listed: by a pipe, a device, or a huge file.

Which files are worth reading is left to `listing.py`; here they are opened so that nothing can block.
"""

from __future__ import annotations

import errno
import os
import stat

MAX_SIZE = 5_000_000
"""A larger file is not written by people and would delay everything else; it is counted, not read."""
_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
"""Opening a pipe blocks until another process writes to it, unless O_NONBLOCK is set."""


def read_regular(path: str) -> tuple[bytes, os.stat_result]:
    """The bytes of a regular file of bounded size, and its stat before they were read; else OSError."""
    with open(path, "rb", opener=_open) as file:
        status = os.fstat(file.fileno())
        if not stat.S_ISREG(status.st_mode):
            raise OSError(errno.EINVAL, "no regular file", path)
        data = file.read(MAX_SIZE + 1)
    if len(data) > MAX_SIZE:
        raise OSError(errno.EFBIG, "too large to be read", path)
    return data, status


def _open(path: str, _: int) -> int:
    return os.open(path, _FLAGS)
