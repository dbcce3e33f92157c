"""Source files rewritten by keel, all of them or none, and put back byte for byte when that is asked for.

What is written is left to the verbs; keel's own files are not written here.
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
"""What ends a process that does not listen, such as one whose time is over; Ctrl-C raises by itself."""


class Rewriting:
    """Files as they were before the first rewriting of each, so that all can be undone."""

    def __init__(self) -> None:
        self._before: dict[str, bytes] = {}

    def write(self, texts: Mapping[str, bytes]) -> None:
        """Puts other texts in the place of files; when one cannot be written, all are as they were."""
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
        """Every file as it was."""
        for path, text in self._before.items():
            _put(path, text)
        self._before = {}


@contextmanager
def ending_raises() -> Iterator[None]:
    """Being told to end is an exception meanwhile, so that who is writing can put things back first."""
    if threading.current_thread() is not threading.main_thread():  # signals are the main thread's
        yield
        return
    # One that is ignored, as SIGHUP is under nohup, goes on being ignored.
    former = {each: signal.signal(each, _end) for each in ENDINGS if signal.getsignal(each) != signal.SIG_IGN}
    try:
        yield
    finally:
        for each, answer in former.items():
            signal.signal(each, answer or signal.SIG_DFL)


def _end(number: int, frame: FrameType | None) -> NoReturn:
    raise SystemExit(128 + number)


def read(path: str) -> bytes:
    """The bytes of a file that is to be rewritten."""
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError as error:
        raise OutputError(path, f"cannot read it: {error.strerror}") from error


def _put(path: str, text: bytes) -> None:
    """Writes a whole file, or nothing: beside it first; its mode stays, and a link stays a link."""
    real = os.path.realpath(path)
    if not os.access(real, os.W_OK):  # another file in its place would need no leave
        raise OutputError(path, "it is read-only")
    folder, name = os.path.split(real)
    beside = os.path.join(folder, f".keel-{os.getpid()}-{name}")  # known before it is there, to be removed at any time
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
