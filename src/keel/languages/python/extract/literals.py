"""Literals: strings, numbers and the few constants of the language; names inside them become references.

Docstrings are in `docs`; what a literal is used for is left to whoever reads the value.
"""

from __future__ import annotations

import re

from tree_sitter import Node

from keel.languages.python import forms
from keel.languages.python.extract.names import TYPE
from keel.languages.python.extract.walk import Walk, head, value_of, visit_children, visit_of
from keel.languages.python.grammar import kind_id

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
            return w.put_once(forms.ATOM, forms.BYTES)
    if w.name_kind == TYPE:
        _forward_references(w, raw, start, quote)
    if len(raw) > MAX_TEXT or (len(raw) > MAX_PHRASE and BLANK in raw):
        return w.put_once(forms.STRING, w.intern(PROSE))
    if known is None:
        width = quote + 3 if raw[quote : quote + 3] in TRIPLE else quote + 1
        known = w.literals[raw] = w.put(forms.STRING, w.intern(raw[width : quote - width]))
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
    return w.put_once(forms.FORMAT, w.intern(text if len(text) <= MAX_TEXT else PROSE))


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
        place = w.literals[text] = w.put(forms.NUMBER, w.intern(text))
    return place


def _atom(kind: str, which: int) -> None:
    @value_of(kind)
    def value_atom(w: Walk, node: Node) -> int:
        return w.put_once(forms.ATOM, which)


_atom("none", forms.NONE)
_atom("true", forms.TRUE)
_atom("false", forms.FALSE)
_atom("ellipsis", forms.ELLIPSIS)
