"""The leaves of expressions: names, plain and dotted, and literals, as references and as values.

Which binding a name finds is settled in `finish`; what it means elsewhere is left to `resolve`. Docstrings are in
`definitions`.
"""

from __future__ import annotations

import re

from tree_sitter import Node

from keel.languages.python.extract.flow import load
from keel.languages.python.extract.scopes import look_up
from keel.languages.python.extract.walk import VALUES, Shape, Walk, head, is_chain, value_of, visit_children, visit_of
from keel.languages.python.grammar import kind_id, kind_ids
from keel.model import values
from keel.model.facts import LOCAL
from keel.model.kinds import RefKind

IDENTIFIER = kind_id("identifier")
COMMENT = kind_id("comment")
ATTRIBUTES = frozenset(kind_ids("attribute"))

CONSTANTS = (b"None", b"True", b"False")
"""Words that look like names."""
NO_CHAIN: Shape = (b"", b"", 0)

READ = int(RefKind.READ)
TYPE = int(RefKind.TYPE)


def solid(node: Node) -> list[Node]:
    """The named children without comments, which may stand anywhere."""
    kids = node.named_children
    for child in kids:
        if child.kind_id == COMMENT:
            return [child for child in kids if child.kind_id != COMMENT]
    return kids


@visit_of("identifier")
def visit_identifier(w: Walk, node: Node) -> None:
    """A plain name: a reference, unless it is known to be a local variable already."""
    start = node.start_byte
    text = w.source[start : node.end_byte]
    if w.scope.names.get(text, 0) is not None:
        w.refs.append((w.name_kind, w.owner, start, text, text, w.scope, -1))


@value_of("identifier")
def value_identifier(w: Walk, node: Node) -> int:
    """A plain name as a value."""
    start = node.start_byte
    text = w.source[start : node.end_byte]
    if w.scope.names.get(text, 0) is not None:
        w.refs.append((w.name_kind, w.owner, start, text, text, w.scope, -1))
    return load(w, text, text)


@visit_of("attribute")
def visit_attribute(w: Walk, node: Node) -> None:
    """A dotted name: one reference for the whole chain."""
    start = node.start_byte
    text = w.source[start : node.end_byte]
    name, _, last = w.shapes.get(text) or shape_of(w, text)
    if name:
        # what a variable holds, here or in a function around, is of use to whoever looks for its attribute
        is_held = name in w.env or look_up(w.scope, name)[1] == LOCAL
        value = load(w, text, name) if is_held else -1
        w.refs.append((w.name_kind, w.owner, start + last, text, name, w.scope, value))
    else:
        value_attribute(w, node)


@value_of("attribute")
def value_attribute(w: Walk, node: Node) -> int:
    """A dotted name as a value; what hangs on something else than a name keeps that value as its base."""
    place, at, text, name = attribute_parts(w, node)
    w.refs.append((w.name_kind, w.owner, at, text, name, w.scope, place))
    return place


def attribute_parts(w: Walk, node: Node) -> tuple[int, int, bytes, bytes]:
    """Value, position of the last name, text, and first name of an attribute.

    Text with a leading dot hangs on a value and has no first name.
    """
    start = node.start_byte
    text = w.source[start : node.end_byte]
    first, _, last = w.shapes.get(text) or shape_of(w, text)
    if first:
        return load(w, text, first), start + last, text, first
    kids = solid(node)
    if len(kids) != 2:
        visit_children(w, node)
        return -1, start, b".", b""
    name = w.source[kids[1].start_byte : kids[1].end_byte]
    joined = w.source[kids[0].start_byte : kids[0].end_byte]
    if b"(" not in joined and is_chain(joined := b"".join(joined.split())):
        text = joined + b"." + name  # a chain with blanks or line breaks around its dots
        return load(w, text, head(text)), kids[1].start_byte, text, head(text)
    base = VALUES[kids[0].kind_id](w, kids[0])
    return w.put(values.ATTR, base, w.intern(name)), kids[1].start_byte, b"." + name, b""


def shape_of(w: Walk, text: bytes) -> Shape:
    """How the text of a name or dotted chain is made up; remembered, since most come again."""
    name = head(text)
    if not name or text in CONSTANTS or not is_chain(text):
        return NO_CHAIN
    last = text.rpartition(b".")[2]
    shape = w.shapes[text] = name, last, len(text) - len(last)
    return shape


STRING = kind_id("string")
INTERPOLATION = kind_id("interpolation")

MAX_TEXT = 100
"""A string literal longer than this is prose; its text is not kept in values."""
MAX_PHRASE = 20
"""The same for one with blanks in it."""
PROSE = b"\xe2\x80\xa6"
QUOTES = b"\"'"
BLANK = b" "[0]
LETTERS = b"bBfFrRtTuU"
TRIPLE = (b'"""', b"'''")

_forward_names = re.compile(rb"[A-Za-z_][\w]*(?:\.[A-Za-z_][\w]*)*").finditer


@value_of("string")
def value_string(w: Walk, node: Node) -> int:
    """A string; one with interpolations is seen to inside."""
    start = node.start_byte
    raw = w.source[start : node.end_byte]
    known = w.literals.get(raw)
    if known is not None and w.name_kind != TYPE:
        return known
    if raw[0] in QUOTES:
        quote = 0
    else:
        quote = len(raw) - len(raw.lstrip(LETTERS))
        prefix = raw[:quote].lower()
        if b"f" in prefix or b"t" in prefix:
            return _interpolated(w, node, start, start + len(raw))
        if b"b" in prefix:
            return w.put_once(values.ATOM, values.BYTES)
    if w.name_kind == TYPE:
        _forward_references(w, raw, start, quote)
    if len(raw) > MAX_TEXT or (len(raw) > MAX_PHRASE and BLANK in raw):
        return w.put_once(values.STRING, w.intern(PROSE))
    if known is None:
        width = quote + 3 if raw[quote : quote + 3] in TRIPLE else quote + 1
        known = w.literals[raw] = w.put(values.STRING, w.intern(raw[width : quote - width]))
    return known


@visit_of("string")
def visit_string(w: Walk, node: Node) -> None:
    """A string nobody needs: only interpolations and forward references matter."""
    if w.name_kind == TYPE or w.source[node.start_byte] not in QUOTES:
        value_string(w, node)


def _interpolated(w: Walk, node: Node, start: int, end: int) -> int:
    w.cuts.append((start, end))
    for child in node.named_children:
        if child.kind_id == INTERPOLATION:
            visit_children(w, child)
    text = w.source[start:end]
    return w.put_once(values.FORMAT, w.intern(text if len(text) <= MAX_TEXT else PROSE))


def _forward_references(w: Walk, raw: bytes, start: int, quote: int) -> None:
    for match in _forward_names(raw, quote):
        text = match[0]
        at = start + match.end() - len(text.rpartition(b".")[2])
        w.refs.append((TYPE, w.owner, at, text, head(text), w.scope, -1))


@value_of("integer", "float")
def value_number(w: Walk, node: Node) -> int:
    """A number as written."""
    text = w.source[node.start_byte : node.end_byte]
    place = w.literals.get(text)
    if place is None:
        place = w.literals[text] = w.put(values.NUMBER, w.intern(text))
    return place


def _atom(kind: str, which: int) -> None:
    @value_of(kind)
    def value_atom(w: Walk, node: Node) -> int:
        return w.put_once(values.ATOM, which)


_atom("none", values.NONE)
_atom("true", values.TRUE)
_atom("false", values.FALSE)
_atom("ellipsis", values.ELLIPSIS)
