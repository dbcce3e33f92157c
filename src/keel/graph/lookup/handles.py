"""Symbol handles: what a user types to name one symbol, and the node it names.

A handle is a hash, an old hash, an id, a `path:line`, a path, a qualified name, a dotted name with its module or with
one that re-exports it, or a bare name. They are tried in this order; the first interpretation that matches decides, and
when it matches more than one node, none is chosen. A name without a dot is a bare one: a function and a method of that
name both match. A name means the definition that runs, not its overloads, or the setter and deleter of a property. What
is asked about the node is left to the operations.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from keel.errors import SymbolAmbiguous, SymbolNotFound, UsageError
from keel.graph.naming import FILE_KIND, MODULE_KIND, dotted, id_of, short_line
from keel.model.hashing import from_text
from keel.model.ids import PREFIXES, escape_path, parse_id
from keel.model.text.qualified import neutral

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from keel.model.rows import FileRow, StoredNode
    from keel.ports.store import GraphReader

SHOWN = 20
"""Candidates that an error lists."""


class Match(NamedTuple):
    """A node that a handle names, and its file."""

    node: StoredNode
    file: FileRow
    by_old_hash: bool = False


class PathScope(NamedTuple):
    """How a typed path is interpreted: relative to a root, or to the working directory."""

    roots: Mapping[str, str]
    here: str

    def of(self, path: str) -> Iterator[tuple[str, str]]:
        """The roots and paths that may be meant, escaped as in the graph."""
        for name, folder in self.roots.items():
            yield name, escape_path(os.path.normpath(path).replace(os.sep, "/"))
            real = os.path.join(os.path.realpath(self.here), path)
            inside = os.path.relpath(real, folder).replace(os.sep, "/")
            if inside != ".." and not inside.startswith("../"):
                yield name, escape_path(inside)
            if "%" in path:  # escaped, as answers show it
                yield name, path


def find(reader: GraphReader, handle: str, places: PathScope) -> Match:
    """The one node that a handle names."""
    if not handle.strip():
        raise UsageError("no symbol was named: say a hash, an id, a path:line or a name")
    matches = find_all(reader, handle, places)
    if len(matches) == 1:
        return matches[0]
    if not matches:
        from keel.graph.lookup.nearest import nearest_names

        raise SymbolNotFound(handle, nearest_names(reader, handle))
    lines = [short_line(match.node, match.file) for match in matches[:SHOWN]]
    raise SymbolAmbiguous(handle, lines, len(matches))


def find_all(reader: GraphReader, handle: str, places: PathScope) -> list[Match]:
    """Every node that the handle names, by the first interpretation that matches."""
    handle = handle.strip()
    # Only a path can have bytes that are not UTF-8, which arrive here as lone surrogates.
    for way in WAYS if handle.isascii() or is_text(handle) else (_by_place, _by_path):
        matches = list(way(reader, handle, places))
        if matches:
            return matches
    return []


def is_text(handle: str) -> bool:
    """Whether it can be a name: text with lone surrogates cannot."""
    try:
        handle.encode()
    except UnicodeEncodeError:
        return False
    return True


def by_hash(reader: GraphReader, handle: str, _: PathScope) -> Iterator[Match]:
    """By the current hash, or else one of the last ones."""
    value = from_text(handle)
    if value is None:
        return
    current = reader.with_hash(value)
    yield from _matches(reader, current)
    if not current:
        for match in _matches(reader, reader.with_old_hash(value)):
            yield match._replace(by_old_hash=True)


def by_id(reader: GraphReader, handle: str, _: PathScope) -> Iterator[Match]:
    """By the whole id."""
    if not handle.startswith(tuple(f"{prefix}:" for prefix in PREFIXES)):
        return
    parts = parse_id(handle)
    if parts is None:
        return
    is_file = parts.prefix == "file"
    for match in _matches(reader, reader.with_qualified_name(parts.path if is_file else parts.qualified_name)):
        node, file, _old = match
        if id_of(node, file) == str(parts):
            yield match


def _by_place(reader: GraphReader, handle: str, places: PathScope) -> Iterator[Match]:
    """`path:line`, or `path:line:column` as compilers write it: the innermost definition there."""
    path, _, number = handle.rpartition(":")
    before, _, line = path.rpartition(":")
    if before and line.isdecimal() and number.isdecimal():
        path, number = before, line
    if not path or not number.isdecimal():
        return
    for match in _files(reader, path, places):
        inner = _innermost(reader, match.file.id, int(number))
        if inner is not None:
            yield Match(inner, match.file)


def _innermost(reader: GraphReader, file: int, line: int) -> StoredNode | None:
    """The definition around a line that begins last. Rows have the line of the name; decorators are above it."""
    from keel.model.facts import MODULE_DEF, Lines, decode_interface

    interface = decode_interface(reader.interface(file) or b"")
    line_of = Lines(interface.lines).line
    if not 1 <= line <= len(interface.lines):
        return None
    around = [
        node
        for node, definition in zip(reader.nodes(file), interface.defs, strict=True)
        if node.ordinal <= MODULE_DEF or line_of(definition.start) <= line <= node.end_line
    ]
    return max(around, key=lambda node: (node.ordinal > MODULE_DEF, node.start, node.ordinal), default=None)


def _by_path(reader: GraphReader, handle: str, places: PathScope) -> Iterator[Match]:
    """A file by its path, or by the last segments of it when no file has the whole."""
    found = _files(reader, handle, places)
    yield from found
    if not found:
        ending = escape_path(handle)
        for match in _matches(reader, reader.with_name(ending.rpartition("/")[2])):
            if match.node.kind == FILE_KIND and f"/{match.file.path}".endswith(f"/{ending}"):
                yield match


def _files(reader: GraphReader, path: str, places: PathScope) -> list[Match]:
    found = {}
    for root, inside in places.of(path):
        for match in _matches(reader, reader.with_qualified_name(inside)):
            if match.node.kind == FILE_KIND and match.file.root == root:
                found[match.node.number] = match
    return list(found.values())


def _by_whole_name(reader: GraphReader, handle: str, _: PathScope) -> Iterator[Match]:
    """A bare name, a qualified one, or a dotted one from its module on; `#2` selects one of several of that name."""
    name, mark, number = handle.rpartition("#")
    if not mark or not number.isdecimal():
        name, number = handle, ""
    within = list(_matches(reader, reader.with_qualified_name(name)))
    name = neutral(name)
    # For a bare name, a definition at the top level of a file matches no better than a nested one.
    is_bare = "." not in name
    named = [match for match in _named_at_the_end(reader, name) if is_bare or dotted(match.node, match.file) == name]
    found = list({match.node.number: match for match in (*named, *within)}.values())
    # A module is found by its path or dotted name; it must not hide a definition of the same name inside it.
    definitions = [match for match in found if match.node.kind != MODULE_KIND]
    meant = definitions or found if is_bare else found
    if number:
        yield from (match for match in meant if match.node.occurrence == int(number))
    else:
        yield from without_companions(meant)


def _by_end_of_name(reader: GraphReader, handle: str, _: PathScope) -> Iterator[Match]:
    """The last segments of a dotted name."""
    end = f".{neutral(handle)}"
    named = _named_at_the_end(reader, neutral(handle))
    yield from without_companions([match for match in named if dotted(match.node, match.file).endswith(end)])


def _by_passing_on(reader: GraphReader, handle: str, _: PathScope) -> Iterator[Match]:
    """A name under which another module re-exports it: `httpx.Client`, which is defined in `httpx._client`."""
    if "." in neutral(handle):
        from keel.graph.lookup.re_exports import re_exports  # only needed when no definition has the name

        yield from _matches(reader, re_exports(reader, handle))


def without_companions(matches: list[Match]) -> list[Match]:
    """Without overloads, setters and deleters, where the definition they belong to is among the matches too."""
    if len(matches) < 2:
        return matches
    from keel.model.facts import ACCESSOR, OVERLOAD

    companion = ACCESSOR | OVERLOAD
    led = {_scope(match.node) for match in matches if not match.node.flags & companion}
    return [match for match in matches if not match.node.flags & companion or _scope(match.node) not in led]


def _scope(node: StoredNode) -> tuple[int, int, str]:
    """What definitions of one name in one scope have in common."""
    return node.file, node.parent, node.name


def _named_at_the_end(reader: GraphReader, handle: str) -> Iterator[Match]:
    """A bare name by itself; a dotted one by its last two segments, since half a code base has an `__init__`."""
    owner, _, last = handle.rpartition(".")
    if last and not owner:
        yield from _matches(reader, reader.with_name(last))
    elif last:
        yield from _matches(reader, reader.with_name_and_kind(last, MODULE_KIND))
        yield from _matches(reader, reader.with_owner(owner.rpartition(".")[2], last))


def _matches(reader: GraphReader, nodes: Iterable[StoredNode]) -> Iterator[Match]:
    for node in nodes:
        file = reader.file(node.file)
        if file is not None:
            yield Match(node, file)


WAYS: tuple[Callable[[GraphReader, str, PathScope], Iterable[Match]], ...] = (
    by_hash,
    by_id,
    _by_place,
    _by_path,
    _by_whole_name,
    _by_end_of_name,
    _by_passing_on,
)
