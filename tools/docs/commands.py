"""A page for each command, and tables of all: from the operation's docstring, its parameters and its result.

A command that the command line offers without an operation behind it is described by its own help. What the schemas of
an answer are is left to `schemas`.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from keel import registry
from keel.model.record import Field, fields_of
from keel.ports.operation import Operation
from keel.surfaces.cli.arguments import SEVERAL, SHORT, shown
from keel.surfaces.cli.main import Options
from tools.docs import schemas
from tools.docs.markdown import body, link, summary, table

INDEX = "docs/commands/README.md"
PLAIN = ("human", "json")

_listed = re.compile(r"^  ([a-z]+)  +(\S.*)$", re.MULTILINE)


class Command(NamedTuple):
    """A command: its name, a line about it, and the operation behind it, if there is one."""

    name: str
    summary: str
    operation: Operation | None

    @property
    def page(self) -> str:
        """The path of its page."""
        return f"docs/commands/{self.name}.md"


@cache
def commands() -> list[Command]:
    """Every command of the command line, by name."""
    verbs = {verb: registry.operation(verb) for verb in registry.names(registry.OPERATIONS)}
    found = {verb: Command(verb, summary(one.__doc__ if one else ""), one) for verb, one in verbs.items()}
    for name, line in _listed.findall(help_of()):
        # The overview also shows examples; those begin with `keel`.
        if name != "keel" and name not in found:
            found[name] = Command(name, line, None)
    return [found[name] for name in sorted(found)]


@cache
def help_of(*words: str) -> str:
    """What `keel WORDS --help` says."""
    command = [sys.executable, "-m", "keel", *words, "--help"]
    return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", check=True).stdout


def options_of(command: Command | None) -> set[str]:
    """Every option that a command takes; without one, those of every command."""
    kinds = (Options, command.operation.Params) if command and command.operation else (Options,)
    known = {*SHORT}
    for name, field in (pair for kind in kinds for pair in fields_of(kind).items()):
        known.add(_option(name))
        if field.type == "bool":
            known.add(f"--no-{_option(name)[2:]}")
    if command and not command.operation:
        known.update(re.findall(r"(?<!\S)--?[a-z][a-z-]*", help_of(command.name)))
    return known


def pages() -> Iterator[tuple[str, str]]:
    """The index of commands, and the page of each."""
    yield INDEX, _index()
    for command in commands():
        yield command.page, _operation_page(command, command.operation) if command.operation else _help_page(command)


def table_of(page: str) -> str:
    """Every command with a line about it, linked from a page."""
    rows = [(link(page, one.page, f"`keel {one.name}`"), one.summary) for one in commands()]
    return table(("command", "what it does"), rows)


def _index() -> str:
    return f"""{_note("the operations there are")}
# Commands

{table_of(INDEX)}

## Options of every command

{_parameters(Options)}

{link(INDEX, "docs/errors.md", "Exit codes and errors")} are the same for all commands.
"""


def _operation_page(command: Command, operation: Operation) -> str:
    source = f"src/keel/operations/{command.name}.py"
    parts = [
        f"{_note(f'`{source}`')}\n# keel {command.name}",
        command.summary,
        f"```sh\n{_usage(command, operation)}\n```",
        body(operation.__doc__, "sh"),
        "## Parameters",
        _parameters(operation.Params) if fields_of(operation.Params) else "None of its own.",
        f"{link(command.page, f'{INDEX}#options-of-every-command', 'Options of every command')} can be given too.",
        "## Answer",
        _answer(command, operation),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _help_page(command: Command) -> str:
    return f"""{_note("its own help")}
# keel {command.name}

{command.summary}

```text
{help_of(command.name).strip()}
```
"""


def _note(source: str) -> str:
    return f"<!-- Made by `make docs` from {source}; not edited by hand. -->\n"


def _usage(command: Command, operation: Operation) -> str:
    """The line that `--help` begins with."""
    return help_of(command.name).partition("\n")[0].removeprefix("usage: ")


def _answer(command: Command, operation: Operation) -> str:
    formats = getattr(operation, "FORMATS", PLAIN)
    said = f"`{formats[0]}` unless `--format` says otherwise; it can be {_either([f'`{name}`' for name in formats])}."
    schema = link(command.page, schemas.result_file(command.name), "JSON Schema")
    fields = schemas.described(operation.Result)
    return f"{said}\n\nThe fields of the JSON form ({schema}):\n\n{fields}"


def _parameters(kind: type) -> str:
    rows = [(_spelled(name, field), _default(field), _meaning(field)) for name, field in fields_of(kind).items()]
    return table(("parameter", "default", "meaning"), rows)


def _spelled(name: str, field: Field) -> str:
    if field.positional:
        return f"`{shown(name, field)}`"
    short = next((f"`{letter}`, " for letter, long in SHORT.items() if long == _option(name)), "")
    value = "" if field.type == "bool" else f" {name.upper().replace('_', '-')}"
    return f"{short}`{_option(name)}{value}`"


def _option(name: str) -> str:
    return "--" + name.replace("_", "-")


def _default(field: Field) -> str:
    if field.required:
        return "must be given"
    return f"`{field.default}`" if field.default not in (False, None, "", ()) else ""


def _meaning(field: Field) -> str:
    notes = [field.help]
    if field.choices:
        notes.append(f"One of {_either([f'`{word}`' for word in field.choices])}.")
    if field.least is not None or field.most is not None:
        notes.append(_bounds(field))
    if field.type.startswith(SEVERAL):
        notes.append("Can be given more than once.")
    return " ".join(notes)


def _bounds(field: Field) -> str:
    if field.least is None:
        return f"At most {field.most:g}."
    return f"At least {field.least:g}." if field.most is None else f"From {field.least:g} to {field.most:g}."


def _either(words: list[str]) -> str:
    return f"{', '.join(words[:-1])} or {words[-1]}" if len(words) > 1 else words[0]
