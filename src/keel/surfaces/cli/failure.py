"""Reports failures: in one line to people, and as a JSON object to programs.

The traceback of a fault goes to the log, or to standard error with `-v`. Turning an exception into a failure is left to
`surfaces/failures.py`, writing the log to `log.py`.
"""

from __future__ import annotations

from keel.errors import OutputError, SymbolAmbiguous, SymbolError, UsageError
from keel.model.record import Record, items
from keel.surfaces.cli.streams import ANSWER, AUTO, complain, forget, has_colour, show, stderr, stdout, width_of
from keel.surfaces.failures import Failure, failure_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

RED, PLAIN = "\033[1;31m", "\033[0m"


class Manner(Record):
    """How a failure is reported."""

    as_json: bool = False
    verbose: bool = False
    colour: str = AUTO


def tell(trouble: BaseException, manner: Manner, log: str) -> None:
    """Reports what went wrong; `log` is the path of its details, or empty."""
    if isinstance(trouble, BrokenPipeError):
        reader = stdout()
        if reader is not None:
            forget(reader)  # the reader of the pipe has closed it: nothing is wrong
        return
    if manner.verbose and not isinstance(trouble, UsageError | SymbolError | KeyboardInterrupt):
        from traceback import format_exception

        complain("".join(format_exception(trouble)).rstrip())
    failure = failure_of(trouble, log)
    if not manner.as_json or _is_mute(trouble) or not _answer(failure):
        colour = has_colour(stderr(), manner.colour)
        complain(_text(failure, trouble), f"{RED}keel:{PLAIN} " if colour else "keel: ")


def asks_for_json(words: Sequence[str]) -> bool:
    """Whether a command line that could not be parsed asks for JSON."""
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
