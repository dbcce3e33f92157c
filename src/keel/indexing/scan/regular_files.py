"""Reading a file that may have become something else since it was listed: a pipe, a device, far too much.

Which files are worth reading is decided by `listing.py`; here they are opened so that nothing can hold keel up.
"""

from __future__ import annotations

import errno
import os
import stat

MAX_SIZE = 5_000_000
"""A larger file is not written by people and would hold up everything else; it is counted, not read."""
_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
"""Opening a pipe waits for somebody to write into it, unless told not to."""


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
