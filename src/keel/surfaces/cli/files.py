"""Writes an answer to a file atomically: an existing file is replaced only by a complete one.

Standard output is left to `streams.py`.
"""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from typing import TYPE_CHECKING

from keel.errors import OutputError

if TYPE_CHECKING:
    from collections.abc import Iterable


def write(path: str, pieces: Iterable[str]) -> None:
    """Writes pieces of text to a file, by way of one beside it that then takes its place."""
    try:
        target = os.path.realpath(path)
        mode = _mode(target)
        if mode is not None and not stat.S_ISREG(mode):
            _fill(target, pieces)  # a pipe or a device cannot be replaced
            return
        beside = f"{target}.{os.getpid()}.part"
        try:
            _fill(beside, pieces)
            if mode is not None:
                os.chmod(beside, stat.S_IMODE(mode))
            os.replace(beside, target)
        except BaseException:
            with suppress(OSError):
                os.remove(beside)
            raise
    except OSError as error:
        raise OutputError(path, error.strerror or str(error)) from error


def _fill(path: str, pieces: Iterable[str]) -> None:
    with open(path, "w", encoding="utf-8", errors="backslashreplace", newline="\n") as file:
        file.writelines(pieces)


def _mode(path: str) -> int | None:
    try:
        return os.stat(path).st_mode
    except FileNotFoundError:
        return None
