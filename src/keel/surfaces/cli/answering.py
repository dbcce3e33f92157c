"""Runs a command for a client of the daemon: in this process, with its output collected.

The daemon is given this function. A KeelError is reported as on the command line; any other exception is raised, and
the client then runs the command itself. Talking to clients is left to `surfaces/daemon`.
"""

from __future__ import annotations

from io import BytesIO, TextIOBase, TextIOWrapper
from typing import TYPE_CHECKING, cast

from keel.bootstrap import opened_by
from keel.errors import KeelError, StoreError
from keel.surfaces.cli.main import Call
from keel.surfaces.cli.streams import streams_of
from keel.surfaces.daemon.protocol import ERR, OUT
from keel.surfaces.daemon.question import Answer, Question

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TextIO

    from keel.surfaces.daemon.open_workspaces import OpenWorkspace


def answer(question: Question, kept: OpenWorkspace) -> Answer | None:
    """What the command writes, and its exit code; None when the client must run it itself."""
    pieces: list[bytes] = []
    given, out, err = question.columns
    streams = (
        _Given(question.given, given),
        _Gathered(pieces, OUT, out, question.aside),
        _Gathered(pieces, ERR, err, question.aside),
    )
    call = Call(question.words)
    with streams_of(cast("tuple[TextIO, TextIO, TextIO]", streams)), opened_by(kept.open):
        try:
            code = call.run()
        except StoreError:
            return None  # the graph is gone, or this process may not write it: the client's own run reports why
        except KeelError as trouble:
            code = call.fail(trouble)
        else:
            call.note(code)
    return Answer(code, pieces)


class _Given(TextIOWrapper):
    """Standard input, whole."""

    def __init__(self, data: bytes, columns: int) -> None:
        super().__init__(BytesIO(data), encoding="utf-8")
        self._is_terminal = bool(columns)

    def isatty(self) -> bool:
        """Whether the stream is a terminal of the client."""
        return self._is_terminal


class _Gathered(TextIOBase):
    """An output stream that is sent once the command has ended."""

    def __init__(self, pieces: list[bytes], to: bytes, columns: int, aside: Callable[[bytes], None]) -> None:
        self.columns = columns
        self._pieces = pieces
        self._to = to
        self._aside = aside

    def write(self, text: str) -> int:
        """Keeps a piece."""
        self._pieces.append(self._to + text.encode("utf-8", "backslashreplace"))
        return len(text)

    def whisper(self, text: str) -> None:
        """Shows something at once."""
        self._aside(text.encode("utf-8", "backslashreplace"))

    def isatty(self) -> bool:
        """Whether the stream is a terminal of the client."""
        return bool(self.columns)
