"""Standard output and standard error: writing to them, whatever state they are in, and what they can show.

Both are UTF-8 whatever the locale says, since names and paths are. They are the process's own, or those of whoever a
call is answered for: a daemon answers for others, and nobody's output may end in somebody else's. What is written is
left to others.
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
    """Whether a call is answered for another process, which can still do the work itself when something fails."""
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
    """Writes to standard output; what that refuses is no fault of keel, unlike what making the pieces may raise."""
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
    """Says something on standard error, behind a lead of our own; when nobody can hear it, that is all right."""
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
    """Writes something passing on standard error, at once; OSError or ValueError when nobody looks any more."""
    stream = stderr()
    at_once = getattr(stream, "whisper", None)  # a stream that is sent on as a whole has a way around itself
    if at_once is not None:
        at_once(text)
    elif stream is not None:
        stream.write(text)
        stream.flush()


def forget(stream: TextIO) -> None:
    """What is left in a stream goes nowhere: Python would complain once more when it flushes at its end."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def is_terminal(stream: TextIO | None) -> bool:
    """Whether somebody looks at it."""
    return stream is not None and stream.isatty()


def has_colour(stream: TextIO | None, when: str = AUTO) -> bool:
    """Whether a stream gets colour: as was said, else as the environment asks, else where somebody looks."""
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
