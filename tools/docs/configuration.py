"""The configuration reference, from `keel.config` and the rules: every key, its type, default, meaning, and examples.

How values are checked is left to `keel.config`; whether a section does anything is seen in the source.
"""

from __future__ import annotations

import inspect
import json
import re
import sys
import textwrap
from collections.abc import Iterator

from keel import config, registry
from keel.model.record import Field, Record, fields_of
from tools.docs.markdown import table
from tools.docs.repository import PACKAGE

UNUSED = (
    "**No command uses this section yet.** keel checks it and refuses what is wrong in it; nothing follows from it."
)
WRITERS = ("config", "init", "_proposal")
"""Modules that read and write sections without doing what they ask for."""
TYPES = {
    "str": "text",
    "int": "whole number",
    "bool": "true or false",
    "tuple[str, ...]": "list of texts",
    "tuple[tuple[str, str], ...]": "table of texts",
    "dict[str, object]": "table",
}


def reference() -> str:
    """The keys at the top, then each section."""
    tops = [(key, said) for key, said in fields_of(config.Config).items() if _record(said) is None]
    parts = ["## Keys at the top", _keys("", tops)]
    for key, said in fields_of(config.Config).items():
        kind = _record(said)
        if kind is not None:
            parts += _section(key, said, kind)
    return "\n\n".join(parts)


def examples() -> Iterator[tuple[str, str]]:
    """Each section's example, as its record shows it."""
    for key, said in fields_of(config.Config).items():
        kind = _record(said)
        if kind is not None:
            yield key, _split(kind)[1]


def is_used(section: str) -> bool:
    """Whether any code asks for a section, but for that which reads or writes the file."""
    asked = re.compile(rf"\bconfig\.{section}\b")
    askers = (path for path in PACKAGE.rglob("*.py") if path.stem not in WRITERS)
    return any(asked.search(path.read_text(encoding="utf-8")) for path in askers)


def _section(key: str, said: Field, kind: type[Record]) -> Iterator[str]:
    prose, example = _split(kind)
    yield f"## `[{key}]`"
    yield prose
    if not is_used(key):
        yield UNUSED
    yield f"```toml\n{example}\n```"
    if said.type.startswith("tuple["):
        yield _entries('"path:symbol"', kind)
        return
    inner = {name: found for name, one in fields_of(kind).items() if (found := _record(one)) is not None}
    tables = {name for name in inner if not fields_of(kind)[name].type.startswith("tuple[")}
    yield _keys(f"{key}.", [(name, one) for name, one in keys_of(kind).items() if name not in tables])
    for name, entry in inner.items():
        if name in tables:
            yield from _section(f"{key}.{name}", fields_of(kind)[name], entry)
        else:
            yield _entries('"glob"', entry)


def keys_of(kind: type[Record]) -> dict[str, Field]:
    """The keys of a section; those of `[enforcement]` are declared by the rules."""
    fields = fields_of(kind)
    return {**registry.enforcement_keys(), "overrides": fields["overrides"]} if kind is config.Enforcement else fields


def _keys(prefix: str, fields: list[tuple[str, Field]]) -> str:
    rows = [(f"`{prefix}{name}`", _type(said), _default(said), said.help) for name, said in fields]
    return table(("key", "type", "default", "meaning"), rows)


def _entries(key: str, kind: type[Record]) -> str:
    rows = [(f"`{name}`", said.help) for name, said in fields_of(kind).items()]
    return f"An entry, `{key} = {{ … }}`, says:\n\n{table(('part', 'meaning'), rows)}"


def _split(kind: type[Record]) -> tuple[str, str]:
    """The prose of a record's docstring, and the example in it: the paragraphs that begin with a table's name."""
    paragraphs = inspect.cleandoc(kind.__doc__ or "").split("\n\n")
    prose = [" ".join(part.split()) for part in paragraphs if not part.lstrip().startswith("[")]
    example = [textwrap.dedent(part) for part in paragraphs if part.lstrip().startswith("[")]
    return "\n\n".join(prose), "\n\n".join(example)


def _record(said: Field) -> type[Record] | None:
    """The record that a field holds, or holds several of."""
    name = said.type.removeprefix("tuple[").removesuffix(", ...]")
    found = vars(sys.modules[config.__name__]).get(name)
    return found if isinstance(found, type) and issubclass(found, Record) else None


def _type(said: Field) -> str:
    if said.choices:
        return ", ".join(f'`"{word}"`' for word in said.choices)
    word = TYPES.get(said.type) or "table of tables"
    return f"{word}, at least {said.least:g}" if said.least is not None else word


def _default(said: Field) -> str:
    return f"`{json.dumps(said.default)}`" if said.default not in ("", (), {}) else "none"
