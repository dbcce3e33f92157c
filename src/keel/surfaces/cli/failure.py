"""Failures: whatever went wrong, told in one line to people, as an object to programs, and with an exit code.

An error that keel knows says what is the case and what to do. Any other exception is a fault of keel: its details are
in the log, or shown where somebody asked for them. Keeping the log is left to `log.py`.
"""

from __future__ import annotations

import os

from keel.errors import KeelError, OutputError, SymbolAmbiguous, SymbolError, UsageError
from keel.model.record import Record, field, items
from keel.surfaces.cli.streams import ANSWER, AUTO, complain, forget, has_colour, show, stderr, stdout, width_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

COULD_NOT, INTERRUPTED, BROKEN_PIPE = 2, 130, 141
RED, PLAIN = "\033[1;31m", "\033[0m"


class Failure(Record):
    """What a program gets instead of an answer: one line of JSON on standard output."""

    error: str = field("What is the case, in one line.")
    kind: str = field("What sort of failure it is: an error of `keel.errors`, `Fault` or `Interrupted`.")
    exit_code: int = field("The exit code: 1 no such symbol, 2 keel could not do it, 130 interrupted.")
    hint: str = field("What to do about it; may be empty.")
    details: dict[str, object] = field("What the error knows: names that are near, candidates, a path, a line.")


def exit_code_of(trouble: BaseException) -> int:
    """The exit code that goes with something that was raised."""
    if isinstance(trouble, KeelError):
        return trouble.exit_code
    if isinstance(trouble, KeyboardInterrupt):
        return INTERRUPTED
    return BROKEN_PIPE if isinstance(trouble, BrokenPipeError) else COULD_NOT


class Manner(Record):
    """How a failure is told."""

    as_json: bool = False
    verbose: bool = False
    colour: str = AUTO


def tell(trouble: BaseException, manner: Manner, log: str) -> None:
    """Tells whoever called what went wrong; `log` is where its details are, if anywhere."""
    if isinstance(trouble, BrokenPipeError):
        reader = stdout()
        if reader is not None:
            forget(reader)  # whoever read the answer has enough
        return
    if manner.verbose and not isinstance(trouble, UsageError | SymbolError | KeyboardInterrupt):
        from traceback import format_exception

        complain("".join(format_exception(trouble)).rstrip())
    failure = failure_of(trouble, log)
    if not manner.as_json or _is_mute(trouble) or not _answer(failure):
        colour = has_colour(stderr(), manner.colour)
        complain(_text(failure, trouble), f"{RED}keel:{PLAIN} " if colour else "keel: ")


def failure_of(trouble: BaseException, log: str = "") -> Failure:
    """A failure as programs get it."""
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


def asks_for_json(words: Sequence[str]) -> bool:
    """Whether words that could not be understood ask for JSON nevertheless."""
    end = words.index("--") if "--" in words else len(words)
    return any(
        word == "--json" or word.startswith("--format=json") or (word == "--format" and after.startswith("json"))
        for word, after in zip(words[:end], [*words[1:end], ""], strict=True)
    )


def _is_mute(trouble: BaseException) -> bool:
    """Whether standard output is what failed."""
    return isinstance(trouble, OutputError) and trouble.target == ANSWER


def _answer(failure: Failure) -> bool:
    """Writes the object; whether that was possible."""
    from json import dumps

    try:
        show([dumps(dict(items(failure)), default=str) + "\n"])
    except (OutputError, OSError):
        return False
    return True


def _text(failure: Failure, trouble: BaseException) -> str:
    text = f"{failure.error}; {failure.hint}" if failure.hint else failure.error
    if not isinstance(trouble, SymbolAmbiguous):
        return text
    from keel.formats._tables import fitting

    width = width_of(stderr())
    rows = fitting(trouble.candidates, width and width - 2)
    more = trouble.total - len(trouble.candidates)
    return "\n".join([text, *(f"  {row}" for row in [*rows, *([f"… and {more:,} more"] if more else [])])])
