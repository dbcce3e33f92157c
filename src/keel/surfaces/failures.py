"""Failures as data: an exception as a value that every surface can report, and its exit code.

A KeelError has a message and a hint. Any other exception is a fault of keel. Reporting a failure is left to each
surface.
"""

from __future__ import annotations

import os

from keel.errors import KeelError
from keel.model.record import Record, field

COULD_NOT, INTERRUPTED, BROKEN_PIPE = 2, 130, 141


class Failure(Record):
    """What a program gets instead of an answer: one line of JSON on standard output."""

    error: str = field("The message, in one line.")
    kind: str = field("What sort of failure it is: an error of `keel.errors`, `Fault` or `Interrupted`.")
    exit_code: int = field("The exit code: 1 no such symbol, 2 keel could not do it, 130 interrupted.")
    hint: str = field("What to do about it; may be empty.")
    details: dict[str, object] = field("What the error knows: names that are near, candidates, a path, a line.")


def exit_code_of(trouble: BaseException) -> int:
    """The exit code of an exception."""
    if isinstance(trouble, KeelError):
        return trouble.exit_code
    if isinstance(trouble, KeyboardInterrupt):
        return INTERRUPTED
    return BROKEN_PIPE if isinstance(trouble, BrokenPipeError) else COULD_NOT


def failure_of(trouble: BaseException, log: str = "") -> Failure:
    """An exception as a failure; `log` is the path of its details, or empty."""
    hint, details = "", {}
    if isinstance(trouble, KeelError):
        error, kind, hint = trouble.message(), type(trouble).__name__, trouble.hint
        details = {name: value for name, value in trouble.fields.items() if name not in ("problem", "hint")}
    elif isinstance(trouble, KeyboardInterrupt):
        error, kind = "interrupted", "Interrupted"
    else:
        said = str(trouble).partition("\n")[0]
        error = f"this is a fault of keel: {type(trouble).__name__}{': ' if said else ''}{said}"
        kind, hint = "Fault", f"details are in {os.path.relpath(log)}" if log else "run again with -v for details"
    return Failure(error=error, kind=kind, exit_code=exit_code_of(trouble), hint=hint, details=details)
