"""Calls: the callee as a reference, the arguments as values with their places in the source.

Whether the arguments fit a signature is left to binding; who is called, to `resolve`.
"""

from __future__ import annotations

from tree_sitter import Node

from keel.languages.python.extract.flow import extend, grow, hear, load
from keel.languages.python.extract.leaves import ATTRIBUTES, COMMENT, IDENTIFIER, READ, attribute_parts, shape_of
from keel.languages.python.extract.scopes import CLASS, FUNCTION, holder
from keel.languages.python.extract.walk import VALUES, Walk, is_chain, value_of, visit_children
from keel.languages.python.grammar import kind_id
from keel.model import values
from keel.model.kinds import RefKind

KEYWORD = kind_id("keyword_argument")
LIST_SPLAT = kind_id("list_splat")
DICT_SPLAT = kind_id("dictionary_splat")
GENERATOR = kind_id("generator_expression")

CALL = int(RefKind.CALL)

WHOLE = frozenset((b"extend", b"update", b"extendleft"))
GROWING = frozenset((b"append", b"add", b"insert", b"appendleft", b"setdefault", b"put", *WHOLE))
"""Methods that put what they are given into a container."""


@value_of("call")
def value_call(w: Walk, node: Node, kind: int = CALL, source: int = -1) -> int:
    """A call: one reference to the callee, and the arguments. A decorator passes its own role and source."""
    if node.named_child_count != 2:  # broken source
        visit_children(w, node)
        return -1
    arguments: Node = node.named_child(1)  # type: ignore[assignment]  # the count says that it is there
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
    place = _arguments(w, arguments, function, start)
    if last in GROWING:
        if offset:
            _grow(w, text[: offset - 1], place, last)
        elif not name:
            _grow_element(w, node.named_children[0], place, last)
    w.name_kind = outer_kind
    w.refs.append((kind, w.owner if source < 0 else source, at, text, name, w.scope, place))
    return place


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
    if scope.parent is None or not given or w.tape[plain] != values.CHAIN:
        return plain
    receiver = given[0][1][0]
    hear(w, receiver)
    return w.put(values.SUPER, scope.parent.owner, receiver)


def _grow(w: Walk, base: bytes, place: int, name: bytes) -> None:
    """`x.append(v)`: the last argument becomes an element; `x.extend(v)`: what it holds does."""
    if not is_chain(base):
        return
    tape = w.tape
    count = tape[place + 4]
    element = _last(w, place)
    if name in WHOLE:
        for other in (element, _keywords(w, place)):
            if other >= 0:
                extend(w, base, other, tape[place + 2])
    elif element >= 0:
        key = tape[place + 6] if name == b"setdefault" and count == 2 else -1
        grow(w, base, element, key, tape[place + 2])


def _grow_element(w: Walk, callee: Node, place: int, name: bytes) -> None:
    """`x[k].append(v)`, `x.setdefault(k, []).append(v)`: an element of `x` is a container with that element."""
    element = _last(w, place)
    holder = callee.named_child(0)
    function = w.tape[place + 1]
    if element < 0 or holder is None or w.tape[function] != values.ATTR:
        return
    inner = w.tape[function + 1]
    if inner < 0 or w.tape[inner] not in (values.SUBSCRIPT, values.CALL):
        return
    whole = holder.named_child(0)
    base = w.source[whole.start_byte : whole.end_byte] if whole is not None else b""
    if w.tape[inner] == values.SUBSCRIPT:
        key = w.tape[inner + 2]
    elif base.endswith(b".setdefault") and w.tape[inner + 4] == 2:
        base, key = base.removesuffix(b".setdefault"), w.tape[inner + 6]
    else:
        return
    if is_chain(base):
        held = element if name in WHOLE else w.put(values.GROWN, -1, element, -1)
        grow(w, base, held, key, w.tape[place + 2])


def _last(w: Walk, place: int) -> int:
    """The last positional argument of a call."""
    count = w.tape[place + 4]
    return w.tape[place + 6 + 3 * (count - 1)] if count else -1


def _keywords(w: Walk, place: int) -> int:
    """The keywords of a call as a dict."""
    tape = w.tape
    first = place + 6 + 3 * tape[place + 4]
    names = tape[first : first + 4 * tape[place + 5] : 4]
    if not names or min(names) < 0:
        return -1
    items = [w.put_once(values.STRING, name) for name in names]
    parts = [part for pair in zip(items, tape[first + 1 : first + 4 * len(names) : 4], strict=True) for part in pair]
    return w.put(values.DISPLAY, values.DICT, len(parts), *parts)


def _arguments(w: Walk, node: Node, function: int, start: int) -> int:
    call = [values.CALL, function, start, 0, 0, 0]
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
            call[3] |= values.STAR_KWARGS
            keywords += (-1, VALUES[kind](w, child), begin - start, end - begin)
        elif kind != COMMENT:
            if kind == LIST_SPLAT:
                call[3] |= values.STAR_ARGS
            call += (VALUES[kind](w, child), begin - start, end - begin)
    call[4] = len(call) // 3 - 2
    call[5] = len(keywords) // 4
    tape = w.tape
    place = len(tape)
    tape += call
    tape += keywords
    return place
