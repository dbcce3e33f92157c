"""Help: the overview of all commands on one screen, and the page of one, both from docstrings and parameters.

What a command does is said by its operation; nothing about it is written here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from keel import registry
from keel.model.record import fields_of
from keel.surfaces.cli.arguments import SEVERAL, SHORT, shown

if TYPE_CHECKING:
    from collections.abc import Iterable

    from keel.model.record import Field
    from keel.ports.operation import Operation

OVERVIEW = """keel: what does this name refer to, and how do we know?

  keel map                       build the graph of this workspace, once
  keel where Session.get         find a symbol: by name, path:line, hash or id
  keel describe Session.get      what it is, its source, how many edges it has

Commands (`keel COMMAND --help` says more):
{commands}

Options of every command:
{options}

Exit codes: 0 answered, 1 no such symbol or findings, 2 keel could not do it."""


def overview(common: type) -> str:
    """What `keel --help` says."""
    verbs = registry.names(registry.OPERATIONS, plugins=True)
    return OVERVIEW.format(
        commands=_columns((verb, _summary(registry.operation(verb, plugins=True))) for verb in verbs),
        options=_options(common),
    )


def page(verb: str, operation: Operation, common: type) -> str:
    """What `keel VERB --help` says."""
    fields = fields_of(operation.Params)
    loose = " ".join(_usage(name, field) for name, field in fields.items() if field.positional)
    parts = [f"usage: keel {verb}{f' {loose}' if loose else ''} [options]", (operation.__doc__ or "").strip()]
    if fields:
        parts.append(f"Parameters:\n{_options(operation.Params)}")
    formats = getattr(operation, "FORMATS", ())
    if formats:
        parts.append(f"Formats: {', '.join(formats)}")
    parts.append(f"Options of every command:\n{_options(common)}")
    return "\n\n".join(parts)


def _summary(operation: Operation | None) -> str:
    return ((operation.__doc__ if operation is not None else "") or "").partition("\n")[0]


def _usage(name: str, field: Field) -> str:
    text = shown(name, field) + ("…" if field.type.startswith(SEVERAL) else "")
    return text if field.required else f"[{text}]"


def _options(kind: type) -> str:
    return _columns((_left(name, field), _right(field)) for name, field in fields_of(kind).items())


def _left(name: str, field: Field) -> str:
    left = shown(name, field)
    short = next((f"{letter}, " for letter, long in SHORT.items() if long == left), "")
    value = "" if field.positional or field.type == "bool" else f" {name.upper().replace('_', '-')}"
    return f"{short}{left}{value}"


def _right(field: Field) -> str:
    notes = []
    if field.choices:
        notes.append(f"one of {', '.join(field.choices)}")
    if field.type.startswith(SEVERAL):
        notes.append("can be given again")
    if not field.required and field.default not in (False, None, "", ()):
        notes.append(f"default {field.default}")
    return field.help + (f" ({'; '.join(notes)})" if notes else "")


def _columns(rows: Iterable[tuple[str, str]]) -> str:
    pairs = list(rows)
    width = max(len(left) for left, _ in pairs)
    return "\n".join(f"  {left:<{width}}  {right}".rstrip() for left, right in pairs)
