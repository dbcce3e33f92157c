"""Commands that go through the daemon, where there is one: handed over, and their answer written as it comes.

It is what the command alone would have written. The quick ones go: what is asked after every edit, and questions that
are answered from the graph. A command says itself that it is one, by a line `QUICK = True`. Those that build, take
minutes, run programs or ask back are done here: their progress, their interruption and their terminal are worth more
than a quick start. It is loaded before anything else, and needs next to nothing.
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
"""How a command says so; it is looked for in the text, since importing takes longer than an answer."""
FOLDERS = ("operations", os.path.join("surfaces", "cli", "own"))
"""Where commands are."""
BROKEN_PIPE = 141


def through(words: Sequence[str]) -> int | None:
    """Has the daemon do a command; its exit code, or None when it must be done here."""
    if not words or not is_quick(words[0]) or None in (sys.stdin, sys.stdout, sys.stderr):
        return None
    if any(word.startswith("--output") for word in words):
        return None  # a file is made with the rights of whoever wants it
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
    """Whether a command says that a daemon may do it; those of guests and families do not go through one."""
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
    """What stands on standard input; whoever reads it again in this process gets the same."""
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
    """Standard output takes no more: told as every command tells it."""
    if isinstance(trouble, BrokenPipeError):
        return BROKEN_PIPE
    from keel.errors import OutputError
    from keel.surfaces.cli.failure import Manner, tell
    from keel.surfaces.cli.streams import ANSWER
    from keel.surfaces.failures import exit_code_of

    error = OutputError(ANSWER, trouble.strerror or str(trouble))
    tell(error, Manner(), "")
    return exit_code_of(error)
