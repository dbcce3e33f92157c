"""Source files rewritten by keel, all of them or none, and restored byte for byte on request.

What is written is left to the operations; keel's own files are not written here.
"""

from __future__ import annotations

import os
import shutil
import signal
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from types import FrameType
from typing import NoReturn

from keel.errors import OutputError

ENDINGS = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))
"""Signals that end a process by default; Ctrl-C raises an exception by itself."""


class Rewriting:
    """Files with their content before the first rewrite of each, so that all can be undone."""

    def __init__(self) -> None:
        self._before: dict[str, bytes] = {}

    def write(self, texts: Mapping[str, bytes]) -> None:
        """Replaces the content of files; when one cannot be written, all are restored."""
        held = {path: read(path) for path in texts}
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
        """Restores every file."""
        for path, text in self._before.items():
            _put(path, text)
        self._before = {}


@contextmanager
def ending_raises() -> Iterator[None]:
    """Turns a signal to end into an exception meanwhile, so that the writer can restore files first."""
    if threading.current_thread() is not threading.main_thread():  # only the main thread can handle signals
        yield
        return
    # A signal that is ignored, as SIGHUP is under nohup, stays ignored.
    former = {each: signal.signal(each, _end) for each in ENDINGS if signal.getsignal(each) != signal.SIG_IGN}
    try:
        yield
    finally:
        for each, answer in former.items():
            signal.signal(each, answer or signal.SIG_DFL)


def _end(number: int, frame: FrameType | None) -> NoReturn:
    raise SystemExit(128 + number)


def read(path: str) -> bytes:
    """The bytes of a file that will be rewritten."""
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError as error:
        raise OutputError(path, f"cannot read it: {error.strerror}") from error


def _put(path: str, text: bytes) -> None:
    """Writes a whole file, or nothing, by a temporary file beside it; keeps its mode, and a link stays a link."""
    real = os.path.realpath(path)
    if not os.access(real, os.W_OK):  # replacing it would succeed without write permission
        raise OutputError(path, "it is read-only")
    folder, name = os.path.split(real)
    beside = os.path.join(folder, f".keel-{os.getpid()}-{name}")  # known in advance, to be removed at any time
    try:
        with open(beside, "wb") as file:
            file.write(text)
        shutil.copymode(real, beside)
        os.replace(beside, real)
    except BaseException as error:
        with suppress(OSError):
            os.remove(beside)
        if isinstance(error, OSError):
            raise OutputError(path, error.strerror or str(error)) from error
        raise
