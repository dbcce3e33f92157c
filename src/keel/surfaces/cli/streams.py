"""Standard output and standard error: writing to them, whatever state they are in, and what they can show.

Both are UTF-8 whatever the locale says, since names and paths are. What is written is left to others.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress

from keel.errors import OutputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import NoReturn, TextIO

AUTO, ALWAYS, NEVER = "auto", "always", "never"
USUAL_WIDTH = 80
ANSWER = "the answer"


def show(pieces: Iterable[str]) -> None:
    """Writes to standard output; what that refuses is no fault of keel, unlike what making the pieces may raise."""
    if sys.stdout is None:
        raise OutputError(ANSWER, "standard output is closed")
    _as_utf8(sys.stdout)
    for piece in pieces:
        try:
            sys.stdout.write(piece)
        except OSError as error:
            _refused(error)
    try:
        sys.stdout.flush()
    except OSError as error:
        _refused(error)


def complain(text: str, lead: str = "") -> None:
    """Says something on standard error, behind a lead of our own; when nobody can hear it, that is all right."""
    if sys.stderr is None:
        return
    if not text.isprintable():
        from keel.formats._screen import safe

        text = "\n".join(map(safe, text.split("\n")))
    try:
        _as_utf8(sys.stderr)
        sys.stderr.write(f"{lead}{text}\n")
        sys.stderr.flush()
    except (OSError, ValueError):
        forget(sys.stderr)


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
        return os.get_terminal_size(stream.fileno()).columns or USUAL_WIDTH
    except OSError:
        return USUAL_WIDTH


def _as_utf8(stream: TextIO) -> None:
    reconfigure = getattr(stream, "reconfigure", None)  # a stream that a program put in its place may have none
    if reconfigure is not None:
        reconfigure(encoding="utf-8", errors="backslashreplace")


def _refused(error: OSError) -> NoReturn:
    if isinstance(error, BrokenPipeError):
        raise error
    forget(sys.stdout)
    raise OutputError(ANSWER, error.strerror or str(error)) from error
