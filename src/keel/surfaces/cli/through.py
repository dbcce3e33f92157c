"""Runs a command through the daemon, if there is one, and writes its answer.

The output is what the command alone would have written. Only quick commands go, those with a line `QUICK = True`:
checks after every edit, and queries of the graph. Commands that build, take minutes, run programs or ask for
confirmation are left to `main.py`, which has the terminal and its interrupts. This module is loaded before anything
else, so it imports next to nothing.
"""

from __future__ import annotations

import os
import sys

from keel.surfaces.daemon.client import HOOK, ask
from keel.surfaces.daemon.protocol import ERR, OUT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

QUICK = "\nQUICK = True\n"
"""The mark of a quick command; it is searched in the source, since importing takes longer than an answer."""
FOLDERS = ("operations", os.path.join("surfaces", "cli", "own"))
"""Where commands are."""
BROKEN_PIPE = 141


def through(words: Sequence[str]) -> int | None:
    """Sends a command to the daemon; its exit code, or None when it must run here."""
    if not words or not is_quick(words[0]) or None in (sys.stdin, sys.stdout, sys.stderr):
        return None
    if any(word.startswith("--output") for word in words):
        return None  # the file is written with the rights of this process
    looks = [_columns(stream) for stream in (0, 1, 2)]
    given = b""
    if words[0] == HOOK:
        if looks[0]:
            return None
        given = _given()
    answer = ask(words, given, looks, _aside)
    if answer is None:
        return None
    return _write(answer)


def is_quick(verb: str) -> bool:
    """Whether a command is marked as quick; those of plugins and families never are."""
    if not verb.replace("-", "_").isidentifier():
        return False
    package = os.path.dirname(os.path.dirname(os.path.dirname(__file__)))
    for folder in FOLDERS:
        try:
            with open(os.path.join(package, folder, f"{verb.replace('-', '_')}.py"), encoding="utf-8") as file:
                return QUICK in file.read()
        except OSError:
            pass
    return False


def _columns(stream: int) -> int:
    """The columns of a terminal; 0 when it is none."""
    if not os.isatty(stream):
        return 0
    try:
        return os.get_terminal_size(stream).columns or 80
    except OSError:
        return 80


def _given() -> bytes:
    """Standard input as bytes; later reads in this process get the same bytes."""
    from io import BytesIO, TextIOWrapper

    given = sys.stdin.buffer.read()
    sys.stdin = TextIOWrapper(BytesIO(given), encoding="utf-8")
    return given


def _aside(text: bytes) -> None:
    try:  # noqa: SIM105  `contextlib` takes longer to load than the rest
        os.write(2, text)
    except OSError:
        pass


def _write(answer: list[bytes]) -> int:
    """Writes the pieces to where they go; the exit code."""
    for piece in answer[1:]:
        to, text = piece[:1], piece[1:]
        try:
            _put(2 if to == ERR else 1, text)
        except OSError as trouble:
            if to == OUT:
                return _refused(trouble)
    return int(answer[0])


def _put(stream: int, text: bytes) -> None:
    while text:
        text = text[os.write(stream, text) :]


def _refused(trouble: OSError) -> int:
    """Standard output cannot be written: reported as by every command."""
    if isinstance(trouble, BrokenPipeError):
        return BROKEN_PIPE
    from keel.errors import OutputError
    from keel.surfaces.cli.failure import Manner, tell
    from keel.surfaces.cli.streams import ANSWER
    from keel.surfaces.failures import exit_code_of

    error = OutputError(ANSWER, trouble.strerror or str(trouble))
    tell(error, Manner(), "")
    return exit_code_of(error)
