"""Runs a command: words → command and parameters → result → text on standard output.

Any failure becomes one line and an exit code: 0 answered, 1 not found or findings, 2 keel could not do it. What
commands do is left to the operations, how answers look to the formats, how failures are reported to `failure.py`.
"""

from __future__ import annotations

import os
import sys
from time import perf_counter

from keel import registry
from keel.errors import UsageError, brief
from keel.model.record import Record, field, fields_of
from keel.surfaces.cli.arguments import (
    HUMAN,
    JSON,
    LLM,
    check_required,
    did_you_mean,
    formats_of,
    option,
    parse,
    takes_value,
)
from keel.surfaces.cli.streams import (
    ALWAYS,
    AUTO,
    NEVER,
    has_colour,
    is_terminal,
    show,
    stderr,
    stdin,
    stdout,
    width_of,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any, ClassVar

    from keel.bootstrap import Workspace
    from keel.ports.operation import Operation
    from keel.surfaces.cli.failure import Manner
    from keel.surfaces.cli.progress import Progress, Steps

OWN = "keel.surfaces.cli.own."
REFUSED = 1


class Options(Record):
    """The options of every command, before or after its name."""

    VALUES: ClassVar = {"format": "NAME", "output": "FILE", "workspace": "DIR", "color": "WHEN"}

    json: bool = field("Answer in JSON, failures included.", default=False)
    llm: bool = field("Answer for a language model: few tokens, the most relevant first.", default=False)
    max_tokens: int | None = field("With --llm: at most so many tokens (default 4000).", default=None, least=100)
    format: str = field("How to show the answer: human, json, llm, or what the command names.", default="")
    output: str = field("Write the answer to this file.", default="")
    workspace: str | None = field("The workspace folder; otherwise found from the current folder up.", default=None)
    color: str = field("Use colour: on a terminal, always or never.", default=AUTO, choices=(AUTO, ALWAYS, NEVER))
    quiet: bool = field("Print only the answer: no warnings, no progress.", default=False)
    verbose: bool = field("Show every step and its time, and all details of a failure.", default=False)
    help: bool = field("Show this help.", default=False)
    version: bool = field("Show the version.", default=False)


def run(words: Sequence[str] | None = None) -> int:
    """Runs one command and returns its exit code."""
    call = Call(sys.argv[1:] if words is None else list(words))
    try:
        code = call.run()
    except (Exception, KeyboardInterrupt) as trouble:
        code = call.fail(trouble)
    else:
        call.note(code)
        if words is None:
            call.leave_daemon()
    return code


class Call:
    """One command line, from its words to its exit code."""

    def __init__(self, words: Sequence[str]) -> None:
        self._started = perf_counter()
        self._words = words
        self._command: Operation | None = None
        self._options: Options | None = None
        self._workspace: Workspace | None = None
        self._progress: Progress | Steps | None = None
        self._remarks: Sequence[str] = ()
        self._tells_counts = True

    def run(self) -> int:
        """Finds the command, parses its parameters, runs it, and writes its result."""
        verb, rest = split_verb(self._words)
        command = self._command = _command(verb) if verb and not registry.family(verb) else None
        kinds = (Options, command.Params) if command is not None else (Options,)
        said, *given = parse(rest, *kinds)
        self._options = options = Options(**said)
        _check_agreement(options)
        if options.version:
            return _version()
        if command is None and self._words and not verb and not options.help:
            raise UsageError("no command given", "`keel --help` lists them")
        if command is None or options.help:
            command, given = _command("help"), [{"command": tuple(verb.split())}]
        check_required(command.Params, given[0])
        params = command.Params(**given[0])
        shape = _format(verb, command, options)
        self._tells_counts = shape.name not in (HUMAN, LLM)
        result = self._ask(verb, command, params, options)
        self._remarks = getattr(result, "logged", ())
        self._show(result, shape, options)
        question = getattr(result, "question", "")
        if question and shape.name == HUMAN and not options.output and _is_attended():
            from keel.surfaces.cli.asking import agreed

            if not agreed(question):
                return REFUSED
            result = self._ask(verb, command, params.replace(yes=True), options)
            self._show(getattr(result, "since_plan", result), shape, options)
        return int(getattr(result, "exit_code", 0))

    def code_of(self, trouble: BaseException) -> int:
        """The exit code of a failure; a command may have its own (`FAILS_WITH`)."""
        from keel.surfaces.failures import COULD_NOT, exit_code_of

        code = exit_code_of(trouble)
        return int(getattr(self._command, "FAILS_WITH", code)) if code == COULD_NOT else code

    def fail(self, trouble: BaseException) -> int:
        """Reports what went wrong; the exit code."""
        from keel.surfaces.cli.failure import tell

        code = self.code_of(trouble)
        tell(trouble, self.manner, self.note(code, trouble))
        return code

    def leave_daemon(self) -> None:
        """Starts the daemon after a command that runs after every edit (`STARTS_DAEMON`)."""
        if getattr(self._command, "STARTS_DAEMON", False):
            from keel.surfaces.daemon.start import start_where_wanted

            start_where_wanted(self._workspace.folder if self._workspace is not None else "")

    @property
    def manner(self) -> Manner:
        """How a failure of this call is reported."""
        from keel.surfaces.cli.failure import Manner, asks_for_json

        options = self._options
        if options is None:
            return Manner(as_json=asks_for_json(self._words))
        as_json = options.json or options.format.startswith(JSON)
        return Manner(as_json=as_json, verbose=options.verbose, colour=options.color)

    def note(self, code: int, trouble: BaseException | None = None) -> str:
        """Adds the call to the log of its workspace; where that is."""
        if self._workspace is None:
            return ""
        from keel.surfaces.cli.log import note

        return note(self._workspace, self._words, code, perf_counter() - self._started, trouble, self._remarks)

    def _ask(self, verb: str, command: Operation, params: Record, options: Options) -> object:
        if command.__name__.startswith(OWN) and not getattr(command, "IN_WORKSPACE", False):
            return command.run(params)
        from keel.bootstrap import open_workspace

        progress = self._progress = _progress(options, self._started)
        self._workspace = open_workspace(".", options.workspace, progress)
        self._workspace.tells_counts = self._tells_counts
        self._step(f"keel {verb} in the workspace {self._workspace.folder}")
        try:
            return command.run(self._workspace, params)
        finally:
            self._workspace.close()
            self._step(f"{verb} is done")
            if progress is not None:
                progress.finish()

    def _show(self, result: object, shape: Any, options: Options) -> None:
        if options.quiet and shape.name == HUMAN:
            result = _without_warnings(result)
        if options.output:
            from keel.surfaces.cli.files import write

            write(options.output, shape.render(result, colour=options.color == ALWAYS))
        else:
            show(_fitted(result, shape, has_colour(stdout(), options.color)))
        self._step(f"the answer is written as {shape.name}")

    def _step(self, text: str) -> None:
        if self._progress is not None:
            self._progress.step(text)


def split_verb(words: Sequence[str]) -> tuple[str, list[str]]:
    """The command and all other words; options and their values may come before it. One of a family is two words."""
    verb, rest = _first_word(words)
    if verb and registry.family(verb):
        member, others = _first_word(rest)
        return (f"{verb} {member}", others) if member else (verb, rest)
    return verb, rest


def _first_word(words: Sequence[str]) -> tuple[str, list[str]]:
    """The first word that is no option, and all others."""
    with_value = {option(name) for name, field in fields_of(Options).items() if takes_value(field)}
    at = 0
    while at < len(words) and words[at].startswith("-"):
        at += 2 if words[at] in with_value else 1
    if at >= len(words):
        return "", list(words)
    return words[at], [*words[:at], *words[at + 1 :]]


def _command(verb: str) -> Operation:
    found = registry.operation(verb)
    if found is None:
        from keel.surfaces.cli.commands import command  # which looks further, and takes its time

        found = command(verb)
    return found


def _check_agreement(options: Options) -> None:
    """Refuses options that contradict each other; `--json` is any format of that family, `jsonl` too."""
    other = options.format
    contradictions = (
        (options.quiet and options.verbose, "--quiet and --verbose"),
        (options.json and options.llm, "--json and --llm"),
        (options.json and other and not other.startswith(JSON), f"--json and --format {brief(other)}"),
        (options.llm and other and other != LLM, f"--llm and --format {brief(other)}"),
    )
    for is_there, pair in contradictions:
        if is_there:
            raise UsageError(f"{pair} cannot be used together")


def _version() -> int:
    from keel import __version__

    show([f"keel {__version__}\n"])
    return 0


def _format(verb: str, command: Operation, options: Options) -> Any:
    offered = formats_of(command)
    asked = options.format or (LLM if options.llm else "")
    name = asked or next((name for name in offered if options.json and name.startswith(JSON)), offered[0])
    if name not in offered:
        near = did_you_mean(name, offered)
        raise UsageError(f"{verb} has no format '{brief(name)}' ({', '.join(offered)})", near)
    shape: Any = registry.format(name)
    if options.max_tokens is None:
        return shape
    if not hasattr(shape, "within"):
        raise UsageError("--max-tokens is for --llm", "other formats show the whole answer")
    return shape.within(options.max_tokens)


def _progress(options: Options, started: float) -> Progress | Steps | None:
    """The progress display, or None when standard error is no terminal."""
    if options.verbose:
        from keel.surfaces.cli.progress import Steps

        return Steps(started)
    if options.quiet or not is_terminal(stderr()) or os.environ.get("TERM") == "dumb":
        return None
    from keel.surfaces.cli.progress import Progress

    return Progress()


def _is_attended() -> bool:
    """Whether a person can be asked for confirmation."""
    return is_terminal(stdin()) and is_terminal(stdout())


def _fitted(result: object, shape: Any, colour: bool) -> Iterator[str]:
    """The text of a result, in the width of the screen where there is one."""
    width = width_of(stdout())
    pieces: Iterator[str] = (
        shape.fitted(result, colour, width) if width and hasattr(shape, "fitted") else shape.render(result, colour)
    )
    return pieces


def _without_warnings(result: object) -> object:
    """A result without remarks; warnings that are findings are the answer itself."""
    said = fields_of(type(result)).get("warnings")
    has_some = said is not None and said.type.startswith("tuple[str")
    return result.replace(warnings=()) if has_some and isinstance(result, Record) else result
