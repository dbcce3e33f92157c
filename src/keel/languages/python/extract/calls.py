"""Calls: the callee as a reference, the arguments as values with their places in the source.

Whether the arguments fit a signature is left to binding; who is called, to `resolve`.
"""

from __future__ import annotations

from tree_sitter import Node

from keel.languages.python.extract.expressions import ATTRIBUTES, COMMENT, attribute_parts
from keel.languages.python.extract.walk import VALUES, Walk, is_chain, value_of
from keel.languages.python.grammar import kind_id
from keel.model import values
from keel.model.kinds import RefKind

KEYWORD = kind_id("keyword_argument")
LIST_SPLAT = kind_id("list_splat")
DICT_SPLAT = kind_id("dictionary_splat")
GENERATOR = kind_id("generator_expression")

CALL = int(RefKind.CALL)
TYPE = int(RefKind.TYPE)
READ = int(RefKind.READ)


@value_of("call")
def value_call(w: Walk, node: Node, kind: int = CALL, source: int = -1) -> int:
    """A call: one reference to the callee, and the arguments. A decorator passes its own role and source."""
    kids = node.named_children
    arguments = kids[-1]
    start = node.start_byte
    begin = arguments.start_byte
    text = w.source[start:begin]
    outer_kind = w.name_kind
    w.name_kind = READ  # inside an annotation, the arguments of a call are no types
    if is_chain(text):
        place = w.chains.get(text)
        function = w.chain(text) if place is None else place
        at = start + text.rfind(b".") + 1
    else:
        function, at, text = _callee(w, kids[0], begin)
    place = _arguments(w, arguments, function, start)
    w.name_kind = outer_kind
    w.refs.append((kind, w.owner if source < 0 else source, at, text, w.scope, place))
    return place


def _callee(w: Walk, node: Node, begin: int) -> tuple[int, int, bytes]:
    if node.kind_id in ATTRIBUTES:
        return attribute_parts(w, node)
    text = w.source[node.start_byte : node.end_byte]
    if is_chain(text):  # blanks before the bracket
        return w.chain(text), node.start_byte, text
    return VALUES[node.kind_id](w, node), begin, b"()"


def _arguments(w: Walk, node: Node, function: int, start: int) -> int:
    positional: list[int] = []
    keywords: list[int] = []
    flags = 0
    values_ = VALUES
    for child in [node] if node.kind_id == GENERATOR else node.named_children:
        kind = child.kind_id
        if kind == KEYWORD:
            parts = child.named_children
            argument = parts[-1]
            begin = argument.start_byte
            text = w.source[child.start_byte : parts[0].end_byte]
            value = values_[argument.kind_id](w, argument)
            name = w.strings.setdefault(text, len(w.strings))
            keywords += (name, value, begin - start, argument.end_byte - begin)
        elif kind == DICT_SPLAT:
            flags |= values.STAR_KWARGS
            begin = child.start_byte
            keywords += (-1, values_[kind](w, child), begin - start, child.end_byte - begin)
        elif kind != COMMENT:
            begin = child.start_byte
            if kind == LIST_SPLAT:
                flags |= values.STAR_ARGS
            positional += (values_[kind](w, child), begin - start, child.end_byte - begin)
    tape = w.tape
    place = len(tape)
    tape += (values.CALL, function, start, flags, len(positional) // 3, len(keywords) // 4)
    tape += positional
    tape += keywords
    return place
