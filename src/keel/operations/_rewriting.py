"""Source files rewritten by keel, all of them or none, and put back byte for byte when that is asked for.

What is written is left to the verbs; keel's own files are not written here.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Mapping
from contextlib import suppress

from keel.errors import OutputError


class Rewriting:
    """Files as they were before the first rewriting of each, so that all can be undone."""

    def __init__(self) -> None:
        self._before: dict[str, bytes] = {}

    def write(self, texts: Mapping[str, bytes]) -> None:
        """Puts other texts in the place of files; when one cannot be written, all are as they were."""
        held = {path: _read(path) for path in texts}
        self._before = {**held, **self._before}
        try:
            for path, text in texts.items():
                _put(path, text)
        except BaseException:
            for path, text in held.items():
                with suppress(OutputError):
                    _put(path, text)
            raise

    def undo(self) -> None:
        """Every file as it was."""
        for path, text in self._before.items():
            _put(path, text)
        self._before = {}


def _read(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError as error:
        raise OutputError(path, f"cannot read it: {error.strerror}") from error


def _put(path: str, text: bytes) -> None:
    """Writes a whole file, or nothing: beside it first; its mode stays, and a link stays a link."""
    real = os.path.realpath(path)
    beside = ""
    try:
        handle, beside = tempfile.mkstemp(prefix=".keel-", dir=os.path.dirname(real))
        with os.fdopen(handle, "wb") as file:
            file.write(text)
        shutil.copymode(real, beside)
        os.replace(beside, real)
    except OSError as error:
        with suppress(OSError):
            os.remove(beside)
        raise OutputError(path, f"cannot write it: {error.strerror}") from error
