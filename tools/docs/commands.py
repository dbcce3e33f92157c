"""A page for each command, and tables of all: from the operation's docstring, its parameters and its result.

Which commands there are is left to `catalogue`, what the schemas of an answer are to `schemas`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from keel.model.record import Field, fields_of
from keel.surfaces.cli.arguments import SEVERAL, shown
from keel.surfaces.cli.main import Options
from tools.docs import schemas
from tools.docs.catalogue import Command, commands, help_of, option
from tools.docs.markdown import body, link, table

INDEX = "docs/commands/README.md"
PLAIN = ("human", "json", "llm")


def pages() -> Iterator[tuple[str, str]]:
    """The index of commands, and the page of each."""
    yield INDEX, _index()
    for command in commands():
        yield command.page, _page(command)


def table_of(page: str) -> str:
    """Every command with a line about it, linked from a page."""
    rows = [(link(page, one.page, f"`keel {one.name}`"), one.summary) for one in commands()]
    return table(("command", "what it does"), rows)


def _index() -> str:
    return f"""{_note("the operations there are")}
# Commands

{table_of(INDEX)}

## Options of every command

{_parameters(Options, help_of(*commands()[0].name.split()))}

{link(INDEX, "docs/errors.md", "Exit codes and errors")} are the same for all commands.
"""


def _page(command: Command) -> str:
    operation = command.operation
    source = f"src/{operation.__name__.replace('.', '/')}.py"
    said = help_of(*command.name.split())
    parts = [
        f"{_note(f'`{source}`')}\n# keel {command.name}",
        command.summary,
        f"```sh\n{said.splitlines()[0].removeprefix('usage: ')}\n```",
        body(operation.__doc__, "sh"),
        "## Parameters",
        _parameters(operation.Params, said) if fields_of(operation.Params) else "None of its own.",
        f"{link(command.page, f'{INDEX}#options-of-every-command', 'Options of every command')} can be given too.",
        "## Answer",
        _answer(command),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _note(source: str) -> str:
    return f"<!-- Made by `make docs` from {source}; not edited by hand. -->\n"


def _answer(command: Command) -> str:
    formats = getattr(command.operation, "FORMATS", PLAIN)
    said = f"`{formats[0]}` unless `--format` says otherwise; it can be {_either([f'`{name}`' for name in formats])}."
    schema = link(command.page, schemas.result_file(command.file), "JSON Schema")
    fields = schemas.described(command.operation.Result)
    return f"{said}\n\nThe fields of the JSON form ({schema}):\n\n{fields}"


def _parameters(kind: type, said: str) -> str:
    rows = [(_spelled(name, field, said), _default(field), _meaning(field)) for name, field in fields_of(kind).items()]
    return table(("parameter", "default", "meaning"), rows)


def _spelled(name: str, field: Field, said: str) -> str:
    """A parameter as the help spells it: with its short form, and a word for its value."""
    if field.positional:
        return f"`{shown(name, field)}`"
    found = re.search(rf"^ +((?:-\w, )?{option(name)}(?: [^\s]+)?)(?:  |$)", said, re.MULTILINE)
    return f"`{found[1] if found else option(name)}`"


def _default(field: Field) -> str:
    if field.required:
        return "must be given"
    if field.default is False or field.default in (None, "", ()):
        return ""
    return f"`{field.default:g}`" if isinstance(field.default, float) else f"`{field.default}`"


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
