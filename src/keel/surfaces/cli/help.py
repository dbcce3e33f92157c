"""Help: the first screen, the list of all commands, and the page of one, from docstrings and parameters.

What a command does is left to the docstring of its module; only the three commands to start with are named here.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from keel.formats._screen import wrapped
from keel.model.record import fields_of
from keel.registry import family
from keel.surfaces.cli.arguments import SEVERAL, SHORT, option, shown, takes_value
from keel.surfaces.cli.commands import command, groups, summary

if TYPE_CHECKING:
    from collections.abc import Iterable

    from keel.model.record import Field
    from keel.ports.operation import Operation

START = (
    ("keel init", "set up this workspace: build its graph, write a configuration"),
    ("keel discover Session.get", "show what calls a symbol, and what it calls"),
    ("keel compile", "check your edits: which callers they break"),
)

OVERVIEW = """keel: which callers does this edit break, and how do we know?

Start with:
{start}

Commands:
{commands}

Every command takes --json, --llm (for language models), --workspace DIR, -q and -v, before or after its name.
More: `keel help COMMAND` describes one command, `keel help commands` lists all.
Exit codes: 0 success, 1 findings or no such symbol, 2 error."""

OUTCOMES = """Exit codes:
  0  success
  1  findings, or no such symbol
  2  error: keel could not do what was asked
With --json, a failure is a line of JSON on standard output: error, kind, exit_code, hint, details."""

MAX_LEFT = 28
"""Columns that names may take before what they mean begins on the next line."""


def overview(width: int) -> str:
    """What `keel --help` says."""
    # Of a family, the first word is enough for the first screen.
    verbs = [
        (group, ", ".join(dict.fromkeys(verb.partition(" ")[0] for verb, _ in members)))
        for group, members in groups().items()
    ]
    text = OVERVIEW.format(start=_columns(START, width), commands=_columns(verbs, width))
    return "\n".join(piece for line in text.split("\n") for piece in _folded(line, width))


def catalogue(width: int) -> str:
    """What `keel help commands` says."""
    return "\n\n".join(f"{group}:\n{_columns(verbs, width)}" for group, verbs in groups().items())


def family_page(name: str, width: int) -> str:
    """What `keel FAMILY --help` says."""
    said = _reflowed(_about(name), width)
    members = [(verb, summary(command(verb))) for verb in family(name)]
    return "\n\n".join(
        [
            f"usage: keel {name} COMMAND [options]",
            said,
            f"Commands:\n{_columns(members, width)}",
            f"`keel help {name} COMMAND` describes one.",
        ]
    )


def _about(family: str) -> str:
    """The docstring of a family's package; a family that only plugins provide has none."""
    try:
        return import_module(f"keel.operations.{family}").__doc__ or ""
    except ModuleNotFoundError:
        return f"The commands of '{family}'."


def page(verb: str, operation: Operation, common: type, width: int) -> str:
    """What `keel VERB --help` says."""
    params = fields_of(operation.Params)
    loose = {name: field for name, field in params.items() if field.positional}
    named = {name: field for name, field in params.items() if not field.positional}
    usage = " ".join(["usage: keel", verb, *(_usage(name, field) for name, field in loose.items()), "[options]"])
    parts = [usage, _reflowed(operation.__doc__ or "", width)]
    if loose:
        parts.append(f"Arguments:\n{_options(operation.Params, loose, width)}")
    if named:
        parts.append(f"Options:\n{_options(operation.Params, named, width)}")
    formats = getattr(operation, "FORMATS", ())
    if formats:
        parts.append(f"Formats: {', '.join(formats)} (the first is the default)")
    parts.append(f"Options of every command:\n{_options(common, fields_of(common), width)}")
    parts.append("\n".join(piece for line in OUTCOMES.split("\n") for piece in _folded(line, width)))
    return "\n\n".join(parts)


def _usage(name: str, field: Field) -> str:
    text = shown(name, field) + ("…" if field.type.startswith(SEVERAL) else "")
    return text if field.required else f"[{text}]"


def _options(kind: type, fields: dict[str, Field], width: int) -> str:
    values = getattr(kind, "VALUES", {})
    return _columns([(_left(name, field, values), _right(field)) for name, field in fields.items()], width)


def _left(name: str, field: Field, values: dict[str, str]) -> str:
    if field.positional:
        return shown(name, field)
    short = next((f"{letter}, " for letter, long in SHORT.items() if long == option(name)), "")
    return f"{short}{option(name)}{f' {values.get(name) or _value(name, field)}' if takes_value(field) else ''}"


def _value(name: str, field: Field) -> str:
    """The placeholder for the value of an option."""
    is_number = field.type.startswith(("int", "float"))
    return "N" if is_number else name.rpartition("_")[2].upper()


def _right(field: Field) -> str:
    notes = []
    if field.choices:
        notes.append(f"one of {', '.join(field.choices)}")
    if field.least is not None and field.most is not None:
        notes.append(f"{field.least:g} to {field.most:g}")
    if field.type.startswith(SEVERAL):
        notes.append("can be repeated")
    if not field.required and field.default not in (None, "", ()) and field.default is not False:
        notes.append(f"default {field.default:g}" if isinstance(field.default, float) else f"default {field.default}")
    return field.help + (f" ({'; '.join(notes)})" if notes else "")


def _columns(rows: Iterable[tuple[str, str]], width: int) -> str:
    """Names to the left, what they mean beside them, within a width."""
    pairs = list(rows)
    column = 2 + max((len(left) for left, _ in pairs if len(left) <= MAX_LEFT), default=MAX_LEFT) + 2
    lines = []
    for left, right in pairs:
        first, *rest = wrapped(right, width - column) or [""]
        if len(left) > MAX_LEFT:
            lines.append(f"  {left}")
            rest = [first, *rest]
        else:
            lines.append(f"  {left}".ljust(column) + first)
        lines.extend(" " * column + line for line in rest)
    return "\n".join(line.rstrip() for line in lines)


def _reflowed(text: str, width: int) -> str:
    """Paragraphs in another width; what is indented stays as it is."""
    return "\n\n".join(
        paragraph if paragraph.startswith(" ") else "\n".join(wrapped(paragraph, width))
        for paragraph in text.strip().split("\n\n")
    )


def _folded(line: str, width: int) -> list[str]:
    """A line that is too long, as several."""
    return [line] if len(line) <= width else wrapped(line, width, "  ")
