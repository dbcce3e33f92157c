"""A command on behalf of somebody else: run in this process, and what it writes gathered for them.

The daemon is handed this. What goes wrong in a way that keel knows is told as it always is; anything else is raised,
since the command alone may do better.
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
    """What the command writes, and its exit code; None when it is to be done elsewhere."""
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
            return None  # there is no graph any more, or this process may not write it: the command alone says what is
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
        """Whether a person is at the other end."""
        return self._is_terminal


class _Gathered(TextIOBase):
    """An output stream that is sent when everything is there."""

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
        """Whether somebody looks."""
        return bool(self.columns)
