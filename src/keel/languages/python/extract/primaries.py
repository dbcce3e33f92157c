"""Primaries, the atoms of expressions: names, plain and dotted, literals, and calls, as references and as values.

The arguments of a call are values with their offsets. Which binding a name finds is settled in `finish`; what it means
elsewhere is left to `resolve`. Docstrings are in `definitions`.
"""

from __future__ import annotations

import re

from tree_sitter import Node

from keel.languages.python import forms
from keel.languages.python.extract.flow import extend, grow, hear, load
from keel.languages.python.extract.scopes import CLASS, FUNCTION, holder, look_up
from keel.languages.python.extract.walk import VALUES, Shape, Walk, head, is_chain, value_of, visit_children, visit_of
from keel.languages.python.facts import LOCAL
from keel.languages.python.grammar import kind_id, kind_ids
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
    """The named children without comments, which may occur anywhere."""
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
        # what a variable holds, here or in a function around, is needed to look up its attribute
        is_held = name in w.env or look_up(w.scope, name)[1] == LOCAL
        value = load(w, text, name) if is_held else -1
        w.refs.append((w.name_kind, w.owner, start + last, text, name, w.scope, value))
    else:
        value_attribute(w, node)


@value_of("attribute")
def value_attribute(w: Walk, node: Node) -> int:
    """A dotted name as a value; an attribute of something else than a name keeps that value as its base."""
    expr, at, text, name = attribute_parts(w, node)
    w.refs.append((w.name_kind, w.owner, at, text, name, w.scope, expr))
    return expr


def attribute_parts(w: Walk, node: Node) -> tuple[int, int, bytes, bytes]:
    """Value, position of the last name, text, and first name of an attribute.

    Text with a leading dot is an attribute of a value and has no first name.
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
    return w.put(forms.ATTR, base, w.intern(name)), kids[1].start_byte, b"." + name, b""


def shape_of(w: Walk, text: bytes) -> Shape:
    """The parts of the text of a name or dotted chain; cached, since most recur."""
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
    """A string; one with interpolations is walked inside."""
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
    """A string whose value is not needed: only interpolations and forward references matter."""
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
    expr = w.literals.get(text)
    if expr is None:
        expr = w.literals[text] = w.put(forms.NUMBER, w.intern(text))
    return expr


def _atom(kind: str, which: int) -> None:
    @value_of(kind)
    def value_atom(w: Walk, node: Node) -> int:
        return w.put_once(forms.ATOM, which)


_atom("none", forms.NONE)
_atom("true", forms.TRUE)
_atom("false", forms.FALSE)
_atom("ellipsis", forms.ELLIPSIS)


KEYWORD = kind_id("keyword_argument")
LIST_SPLAT = kind_id("list_splat")
DICT_SPLAT = kind_id("dictionary_splat")
GENERATOR = kind_id("generator_expression")

CALL = int(RefKind.CALL)

WHOLE = frozenset((b"extend", b"update", b"extendleft"))
GROWING = frozenset((b"append", b"add", b"insert", b"appendleft", b"setdefault", b"put", *WHOLE))
"""Methods that add their argument to a container."""


@value_of("call")
def value_call(w: Walk, node: Node, kind: int = CALL, source: int = -1) -> int:
    """A call: one reference to the callee, and the arguments. A decorator passes its own role and source."""
    if node.named_child_count != 2:  # broken source
        visit_children(w, node)
        return -1
    arguments: Node = node.named_child(1)  # type: ignore[assignment]  # the count says that it exists
    start = node.start_byte
    outer_kind = w.name_kind
    w.name_kind = READ  # inside an annotation, the arguments of a call are no types
    text = w.source[start : arguments.start_byte]
    name, last, offset = w.shapes.get(text) or shape_of(w, text)
    if name:
        function, at = load(w, text, name), start + offset
    else:
        function, at, text, name = _callee(w, node.named_children[0], arguments.start_byte)
        last, offset = shape_of(w, text)[1:] if name else (text[1:], 0)
    if text == b"super":
        function = _super(w, function)
    expr = _arguments(w, arguments, function, start)
    if last in GROWING:
        if offset:
            _grow(w, text[: offset - 1], expr, last)
        elif not name:
            _grow_element(w, node.named_children[0], expr, last)
    w.name_kind = outer_kind
    w.refs.append((kind, w.owner if source < 0 else source, at, text, name, w.scope, expr))
    return expr


def _callee(w: Walk, callee: Node, end: int) -> tuple[int, int, bytes, bytes]:
    """Value, position, text and first name of a callee that is more than names and dots, or has blanks behind it."""
    kind = callee.kind_id
    if kind in ATTRIBUTES:
        return attribute_parts(w, callee)
    if kind != IDENTIFIER:
        return VALUES[kind](w, callee), end, b"()", b""
    start = callee.start_byte
    name = w.source[start : callee.end_byte]
    return load(w, name, name), start, name, name


def _super(w: Walk, plain: int) -> int:
    """`super` where it is called: of the class around, for the first parameter of the method around."""
    scope = holder(w.scope)
    while scope.parent is not None and not (scope.kind == FUNCTION and scope.parent.kind == CLASS):
        scope = scope.parent
    given = list(scope.values.items())
    if scope.parent is None or not given or w.ir[plain] != forms.CHAIN:
        return plain
    receiver = given[0][1][0]
    hear(w, receiver)
    return w.put(forms.SUPER, scope.parent.owner, receiver)


def _grow(w: Walk, base: bytes, expr: int, name: bytes) -> None:
    """`x.append(v)`: the last argument becomes an element; `x.extend(v)`: what it holds does."""
    if not is_chain(base):
        return
    ir = w.ir
    count = ir[expr + 4]
    element = _last(w, expr)
    if name in WHOLE:
        for other in (element, _keywords(w, expr)):
            if other >= 0:
                extend(w, base, other, ir[expr + 2])
    elif element >= 0:
        key = ir[expr + 6] if name == b"setdefault" and count == 2 else -1
        grow(w, base, element, key, ir[expr + 2])


def _grow_element(w: Walk, callee: Node, expr: int, name: bytes) -> None:
    """`x[k].append(v)`, `x.setdefault(k, []).append(v)`: an element of `x` is a container with that element."""
    element = _last(w, expr)
    holder = callee.named_child(0)
    function = w.ir[expr + 1]
    if element < 0 or holder is None or w.ir[function] != forms.ATTR:
        return
    inner = w.ir[function + 1]
    if inner < 0 or w.ir[inner] not in (forms.SUBSCRIPT, forms.CALL):
        return
    whole = holder.named_child(0)
    base = w.source[whole.start_byte : whole.end_byte] if whole is not None else b""
    if w.ir[inner] == forms.SUBSCRIPT:
        key = w.ir[inner + 2]
    elif base.endswith(b".setdefault") and w.ir[inner + 4] == 2:
        base, key = base.removesuffix(b".setdefault"), w.ir[inner + 6]
    else:
        return
    if is_chain(base):
        held = element if name in WHOLE else w.put(forms.GROWN, -1, element, -1)
        grow(w, base, held, key, w.ir[expr + 2])


def _last(w: Walk, expr: int) -> int:
    """The last positional argument of a call."""
    count = w.ir[expr + 4]
    return w.ir[expr + 6 + 3 * (count - 1)] if count else -1


def _keywords(w: Walk, expr: int) -> int:
    """The keywords of a call as a dict."""
    ir = w.ir
    first = expr + 6 + 3 * ir[expr + 4]
    names = ir[first : first + 4 * ir[expr + 5] : 4]
    if not names or min(names) < 0:
        return -1
    items = [w.put_once(forms.STRING, name) for name in names]
    parts = [part for pair in zip(items, ir[first + 1 : first + 4 * len(names) : 4], strict=True) for part in pair]
    return w.put(forms.DISPLAY, forms.DICT, len(parts), *parts)


def _arguments(w: Walk, node: Node, function: int, start: int) -> int:
    call = [forms.CALL, function, start, 0, 0, 0]
    keywords: list[int] = []
    for child in [node] if node.kind_id == GENERATOR else node.named_children:
        kind = child.kind_id
        begin = child.start_byte
        end = child.end_byte
        if kind == KEYWORD:
            parts = child.named_children
            argument = parts[-1]
            text = w.source[begin : parts[0].end_byte]
            begin = argument.start_byte
            value = VALUES[argument.kind_id](w, argument)
            keywords += (w.strings.setdefault(text, len(w.strings)), value, begin - start, end - begin)
        elif kind == DICT_SPLAT:
            call[3] |= forms.STAR_KWARGS
            keywords += (-1, VALUES[kind](w, child), begin - start, end - begin)
        elif kind != COMMENT:
            if kind == LIST_SPLAT:
                call[3] |= forms.STAR_ARGS
            call += (VALUES[kind](w, child), begin - start, end - begin)
    call[4] = len(call) // 3 - 2
    call[5] = len(keywords) // 4
    ir = w.ir
    expr = len(ir)
    ir += call
    ir += keywords
    return expr
