"""Standard input, output and error of a call: writing to them in any state, and what a terminal can show.

They are UTF-8 whatever the locale says, since names and paths are. They are the process's own or, in the daemon, those
of the client whose call is being answered, so that output of two clients never mixes. What is written is left to the
callers.
"""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager, suppress
from contextvars import ContextVar

from keel.errors import OutputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import NoReturn, TextIO

    Streams = tuple[TextIO, TextIO, TextIO]

AUTO, ALWAYS, NEVER = "auto", "always", "never"
USUAL_WIDTH = 80
ANSWER = "the answer"


_of_call: ContextVar[Streams | None] = ContextVar("streams", default=None)


@contextmanager
def streams_of(given: Streams) -> Iterator[None]:
    """Within the block, and this thread, these are standard input, output and error."""
    token = _of_call.set(given)
    try:
        yield
    finally:
        _of_call.reset(token)


def is_on_behalf() -> bool:
    """Whether the call is answered for a client, which can still run the command itself when something fails."""
    return _of_call.get() is not None


def stdin() -> TextIO | None:
    """Standard input of the call."""
    given = _of_call.get()
    return given[0] if given is not None else sys.stdin


def stdout() -> TextIO | None:
    """Standard output of the call."""
    given = _of_call.get()
    return given[1] if given is not None else sys.stdout


def stderr() -> TextIO | None:
    """Standard error of the call."""
    given = _of_call.get()
    return given[2] if given is not None else sys.stderr


def show(pieces: Iterable[str]) -> None:
    """Writes to standard output; an OutputError when that fails, apart from what making the pieces raises."""
    stream = stdout()
    if stream is None:
        raise OutputError(ANSWER, "standard output is closed")
    _as_utf8(stream)
    for piece in pieces:
        try:
            stream.write(piece)
        except OSError as error:
            _refused(error, stream)
    try:
        stream.flush()
    except OSError as error:
        _refused(error, stream)


def complain(text: str, lead: str = "") -> None:
    """Writes a line to standard error behind a label; a closed stream is ignored."""
    stream = stderr()
    if stream is None:
        return
    if not text.isprintable():
        from keel.formats._screen import safe

        text = "\n".join(map(safe, text.split("\n")))
    try:
        _as_utf8(stream)
        stream.write(f"{lead}{text}\n")
        stream.flush()
    except (OSError, ValueError):
        forget(stream)


def whisper(text: str) -> None:
    """Writes progress to standard error, unbuffered; OSError or ValueError when it was closed."""
    stream = stderr()
    at_once = getattr(stream, "whisper", None)  # a stream that is sent on as a whole has a way around itself
    if at_once is not None:
        at_once(text)
    elif stream is not None:
        stream.write(text)
        stream.flush()


def forget(stream: TextIO) -> None:
    """Discards what a stream has buffered: Python would fail once more when it flushes at exit."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def is_terminal(stream: TextIO | None) -> bool:
    """Whether a stream is a terminal."""
    return stream is not None and stream.isatty()


def has_colour(stream: TextIO | None, when: str = AUTO) -> bool:
    """Whether a stream gets colour: by the option, else by the environment, else on terminals."""
    if when != AUTO:
        return when == ALWAYS
    get = os.environ.get
    if get("NO_COLOR"):
        return False
    if get("FORCE_COLOR", "0") not in ("", "0") or get("CLICOLOR_FORCE", "0") not in ("", "0"):
        return True
    return is_terminal(stream) and get("TERM") != "dumb" and get("CLICOLOR") != "0"


def width_of(stream: TextIO | None) -> int:
    """The columns of the terminal behind a stream; 0 when there is none."""
    if stream is None or not stream.isatty():
        return 0
    said = os.environ.get("COLUMNS", "")
    if said.isdecimal() and int(said):
        return int(said)
    try:
        return getattr(stream, "columns", 0) or os.get_terminal_size(stream.fileno()).columns or USUAL_WIDTH
    except OSError:
        return USUAL_WIDTH


def _as_utf8(stream: TextIO) -> None:
    reconfigure = getattr(stream, "reconfigure", None)  # a stream that a program put in its place may have none
    if reconfigure is not None:
        reconfigure(encoding="utf-8", errors="backslashreplace")


def _refused(error: OSError, stream: TextIO) -> NoReturn:
    if isinstance(error, BrokenPipeError):
        raise error
    forget(stream)
    raise OutputError(ANSWER, error.strerror or str(error)) from error
