"""Filters of nodes as SQL: the condition of a NodeFilter, with its values apart from the text.

Values reach SQLite as parameters only. Declaring filters is left to `model/rows.py`, querying to `read.py`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from keel.model.rows import VISIBILITY_MASK, VISIBILITY_SHIFT

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from keel.model.rows import NodeFilter

LAST_LETTER = "\U0010ffff"
"""Behind every other letter, as SQLite sorts them."""
Condition = tuple[str, list[Any]]


def condition_of(wanted: NodeFilter) -> Condition:
    """The condition of a filter on a node `n` and its file `f`; always true for an empty filter."""
    parts = list(_parts(wanted))
    return " AND ".join(sql for sql, _ in parts) or "1", [value for _, values in parts for value in values]


def _parts(wanted: NodeFilter) -> Iterator[Condition]:
    columns: tuple[tuple[str, Collection[Any]], ...] = (
        ("n.kind", wanted.kinds),
        ("f.root", wanted.roots),
        ("f.module", wanted.modules),
        ("f.service", wanted.services),
        ("f.language", wanted.languages),
        (f"(n.flags >> {VISIBILITY_SHIFT} & {VISIBILITY_MASK})", wanted.visibilities),
    )
    for column, values in columns:
        if values:
            yield _is_any(column, values)
    if wanted.beginnings:
        yield _any_of([_begins(beginning) for beginning in sorted(wanted.beginnings)])
    for name, values in wanted.attributes.items():
        yield _has(name, _is_any("value", values))
    for name, values in wanted.without.items():
        has, given = _has(name, _is_any("value", values))
        yield f"NOT {has}", given
    for name, values in wanted.attribute_beginnings.items():
        yield _has(name, _any_of([_range("value", value) for value in sorted(values)]))


def _is_any(column: str, values: Collection[Any]) -> Condition:
    return f"{column} IN ({','.join('?' * len(values))})", sorted(values)


def _any_of(conditions: list[Condition]) -> Condition:
    return f"({' OR '.join(sql for sql, _ in conditions)})", [value for _, values in conditions for value in values]


def _range(column: str, beginning: str) -> Condition:
    return f"({column} >= ? AND {column} < ?)", [beginning, f"{beginning}{LAST_LETTER}"]


def _has(name: str, value: Condition) -> Condition:
    return f"n.number IN (SELECT node FROM attributes WHERE name = ? AND {value[0]})", [name, *value[1]]


def _begins(beginning: str) -> Condition:
    """By numbers of nodes that indexes lead to: their own names, those of their files, or the end of a module's name.

    `pkg.mod.Cl` is the beginning of `Class` in `pkg.mod` as well as of `class` in a module `pkg.mod.clients`.
    """
    own, values = _range("qualified_name", beginning)
    found = [f"SELECT number FROM nodes WHERE {own}"]
    module, more = _range("module", beginning)
    found.append(f"SELECT number FROM nodes WHERE file IN (SELECT id FROM files WHERE {module})")
    values += more
    parts = beginning.split(".")
    for count in range(1, len(parts)):
        rest, more = _range("qualified_name", ".".join(parts[count:]))
        found.append(f"SELECT number FROM nodes WHERE file IN (SELECT id FROM files WHERE module = ?) AND {rest}")
        values += [".".join(parts[:count]), *more]
    return f"n.number IN ({' UNION ALL '.join(found)})", values
