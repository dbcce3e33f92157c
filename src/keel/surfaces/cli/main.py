"""The command line's recipe: words → operation and parameters → result → text on standard output.

Whatever goes wrong becomes one line on standard error and an exit code: 0 answered, 1 not found or findings, 2 keel
could not do it. What commands do is left to the operations, how answers look to the formats.
"""

from __future__ import annotations

import gc
import os
import sys

from keel import registry
from keel.errors import KeelError, UsageError
from keel.model.record import Record, field
from keel.surfaces.cli.arguments import check_required, did_you_mean, parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any, NoReturn

    from keel.bootstrap import Workspace
    from keel.ports.operation import Operation

INTERRUPTED, BROKEN_PIPE = 130, 141


class Options(Record):
    """What every command can be told."""

    json: bool = field("Answer in JSON.", default=False)
    format: str = field("How to show the answer: human, json, or what the command names.", default="")
    output: str = field("Write the answer to this file.", default="")
    workspace: str | None = field("The workspace folder; otherwise found from the current folder up.", default=None)
    quiet: bool = field("Say nothing but the answer.", default=False)
    verbose: bool = field("Show everything when something goes wrong.", default=False)
    help: bool = field("Show this help.", default=False)
    version: bool = field("Show the version.", default=False)


def main(words: Sequence[str] | None = None) -> int:
    """Runs one command and returns its exit code."""
    words = [_as_utf8(word) for word in sys.argv[1:]] if words is None else list(words)
    # A command makes many values that are no garbage, and ends soon: looking for cycles can wait.
    gc.set_threshold(100_000, 20, 100)
    call = Call(words)
    try:
        return call.run()
    except KeelError as error:
        _say(f"keel: {error}")
        return error.exit_code
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        _forget_output()  # whoever read the answer has enough
        return BROKEN_PIPE
    except Exception as error:
        from keel.surfaces.cli.mishap import told

        _say(told(error, call.workspace, "-v" in words or "--verbose" in words))
        return 2
    finally:
        gc.freeze()  # nor does the interpreter have to look for cycles in all of it at its end


def _as_utf8(word: str) -> str:
    """A word as it was typed: names of symbols and files are UTF-8, whatever the locale made of it."""
    return word if word.isascii() else os.fsencode(word).decode("utf-8", "surrogateescape")


def _say(text: str) -> None:
    print(text, file=sys.stderr)


class Call:
    """One command line on its way to its answer."""

    def __init__(self, words: Sequence[str]) -> None:
        self._words = words
        self.workspace: Workspace | None = None

    def run(self) -> int:
        """The recipe: find the operation, read its parameters, ask, show."""
        verb, rest = _verb(self._words)
        operation = _operation(verb) if verb else None
        kinds = (Options, operation.Params) if operation is not None else (Options,)
        said, *given = parse(rest, *kinds)
        options = Options(**said)
        if options.version:
            return _version()
        if options.help or operation is None:
            return _help(verb, operation, asked=options.help or not self._words)
        check_required(operation.Params, given[0])
        params = operation.Params(**given[0])
        shape = _format(verb, operation, options)
        result = self._ask(operation, params, options)
        _write(shape.render(result, colour=_has_colour(options)), options.output)
        return int(getattr(result, "exit_code", 0))

    def _ask(self, operation: Operation, params: object, options: Options) -> object:
        from keel.bootstrap import open_workspace
        from keel.surfaces.cli.progress import progress_for

        progress = progress_for(options.quiet)
        self.workspace = open_workspace(".", options.workspace, progress)
        try:
            return operation.run(self.workspace, params)
        finally:
            if progress is not None:
                progress.finish()


def _verb(words: Sequence[str]) -> tuple[str, list[str]]:
    """The first word that is no option, and all others; `--workspace DIR` may come before it."""
    takes_value = {"--workspace", "--format", "--output"}
    at = 0
    while at < len(words) and words[at].startswith("-"):
        at += 2 if words[at] in takes_value else 1
    if at >= len(words):
        return "", list(words)
    return words[at], [*words[:at], *words[at + 1 :]]


def _operation(verb: str) -> Operation:
    found = registry.operation(verb) or registry.operation(verb, plugins=True)
    if found is None:
        known = registry.names(registry.OPERATIONS, plugins=True)
        hint = did_you_mean(verb, known) or f"; there are {', '.join(known)}"
        raise UsageError(f"there is no command '{verb}'{hint}")
    return found


def _version() -> int:
    from keel import __version__

    _show([f"keel {__version__}\n"])
    return 0


def _help(verb: str, operation: Operation | None, asked: bool) -> int:
    from keel.surfaces.cli.help import overview, page

    if operation is not None:
        _show([page(verb, operation, Options), "\n"])
    elif asked:
        _show([overview(Options), "\n"])
    else:
        raise UsageError("say a command; `keel --help` lists them")
    return 0


def _format(verb: str, operation: Operation, options: Options) -> Any:
    offered: tuple[str, ...] = getattr(operation, "FORMATS", ("human", "json"))
    name = options.format or next((name for name in offered if options.json and name.startswith("json")), offered[0])
    if name not in offered:
        raise UsageError(f"{verb} cannot be shown as '{name}' ({', '.join(offered)})")
    return registry.format(name)


def _has_colour(options: Options) -> bool:
    return not options.output and sys.stdout.isatty() and not os.environ.get("NO_COLOR")


def _write(pieces: Iterable[str], path: str) -> None:
    if not path:
        # Answers are UTF-8 as well.
        reconfigure = getattr(sys.stdout, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(encoding="utf-8", errors="backslashreplace")
        _show(pieces)
        return
    try:
        with open(path, "w", encoding="utf-8", newline="\n") as file:
            file.writelines(pieces)
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror}") from error


def _show(pieces: Iterable[str]) -> None:
    """Writes to standard output; what that refuses is no fault of keel, unlike what making the pieces may raise."""
    for piece in pieces:
        try:
            sys.stdout.write(piece)
        except OSError as error:
            _refused(error)
    try:
        sys.stdout.flush()
    except OSError as error:
        _refused(error)


def _refused(error: OSError) -> NoReturn:
    if isinstance(error, BrokenPipeError):
        raise error
    _forget_output()
    raise KeelError(problem=f"cannot write the answer: {error.strerror or error}") from error


def _forget_output() -> None:
    """What is left of the answer goes nowhere: Python would complain once more when it flushes at its end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
