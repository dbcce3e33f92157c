"""What definitions share: visibility, docstring, annotations, type parameters, decorators, hash, entering and leaving.

A hash covers normalised text: statements, their tokens and how deep they are, without comments, blank lines and
spacing. The walk collects the pieces; they are normalised once for each definition, since doing it statement by
statement costs twice as much. Functions and classes have modules of their own; what a decorator does to a signature is
left to binding, what a type means to `resolve`.
"""

from __future__ import annotations

import re

from tree_sitter import Node

from keel.languages.python.extract.expressions import value_parenthesised
from keel.languages.python.extract.flow import use
from keel.languages.python.extract.primaries import ATTRIBUTES, COMMENT, IDENTIFIER, TYPE, attribute_parts, value_call
from keel.languages.python.extract.scopes import INNER, Scope
from keel.languages.python.extract.walk import VALUES, Fields, Flow, Walk, head, is_chain, visit_children
from keel.languages.python.facts import Def
from keel.languages.python.grammar import kind_id, kind_ids
from keel.languages.python.standard_library import FLAGS_BY_NAME
from keel.model.facts import UNRELIABLE, Signature
from keel.model.hashing import digest64
from keel.model.kinds import NodeKind, RefKind, Visibility

_apart = re.compile(
    rb'("""[^"\\]*+(?:(?:\\.|"(?!""))[^"\\]*+)*+"""'
    rb"|'''[^'\\]*+(?:(?:\\.|'(?!''))[^'\\]*+)*+'''"
    rb'|"[^"\\\n]*+(?:\\.[^"\\\n]*+)*+"'
    rb"|'[^'\\\n]*+(?:\\.[^'\\\n]*+)*+'"
    rb"|\#[^\n]*+|\\\r?\n)",
    re.DOTALL,
).split
"""Cuts text so that every second part is a string, a comment or a continued line."""

_DOUBLE, _SINGLE, _HASH, _BACKSLASH = b"\"'#\\"
"""Bytes as numbers: a number is found in bytes eight times as fast as bytes are."""
_WORD = bytes(chr(code).isalnum() or code == 95 or code > 127 for code in range(256))
_MARKS = tuple(b"\n\x1e%d " % depth for depth in range(1000))
"""Begin of a statement at a depth; the walk gives up before it gets deeper than these."""


def keep_piece(w: Walk, start: int, end: int) -> None:
    """Adds a statement (or the head of a compound one) to what its owner's hash covers."""
    text = w.source[start:end]
    if w.cuts:
        text = _without_cuts(w, start, end)
        w.cuts[:] = [cut for cut in w.cuts if cut[0] >= end]
    w.pieces += (_MARKS[w.depth], text)


def keep_digest(w: Walk, digest: int) -> None:
    """Adds a nested definition by its own hash, so that its text is read once."""
    w.pieces.append(_MARKS[w.depth] + b"\x1d%d" % digest)


def hash_of(pieces: list[bytes]) -> int:
    """The hash of pieces without comments, and with blanks only where they separate two words."""
    return digest64(normalised(b"".join(pieces)))


def normalised(text: bytes) -> bytes:
    """Text without comments, and with blanks only where they separate two words; strings are unchanged."""
    if _DOUBLE not in text and _SINGLE not in text and _HASH not in text and _BACKSLASH not in text:
        return _joined(text.split())
    lumps: list[bytes] = []
    for index, part in enumerate(_apart(text)):
        if not index & 1:
            lumps += part.split()
        elif part[0] not in b"#\\":
            lumps.append(part)
    return _joined(lumps)


def _joined(lumps: list[bytes]) -> bytes:
    word = _WORD
    last = 0
    parts = []
    for lump in lumps:
        parts.append(b" " + lump if word[last] and word[lump[0]] else lump)
        last = lump[-1]
    return b"".join(parts)


def _without_cuts(w: Walk, start: int, end: int) -> bytes:
    """Interpolated strings by their digest, since their content may hold quotes and marks of its own."""
    parts: list[bytes] = []
    for cut_start, cut_end in sorted(w.cuts):
        if start <= cut_start and cut_end <= end:
            digest = digest64(w.source[cut_start:cut_end])
            parts += (w.source[start:cut_start], b"\x1d%d\x1d" % digest)
            start = cut_end
    parts.append(w.source[start:end])
    return b"".join(parts)


PUBLIC, PROTECTED, PRIVATE = Visibility.PUBLIC, Visibility.PROTECTED, Visibility.PRIVATE


def visibility(name: bytes) -> Visibility:
    """`_x` is protected, `__x` private, `__x__` and everything else public."""
    if name[:1] != b"_" or (name[:2] == b"__" and name[-2:] == b"__"):
        return PUBLIC
    return PRIVATE if name[:2] == b"__" else PROTECTED


STRING = kind_id("string")
CONCATENATED = kind_id("concatenated_string")
EXPRESSION = kind_id("expression_statement")
PARENTHESISED = kind_id("parenthesized_expression")


def docstring(source: bytes, body: list[Node]) -> tuple[bytes | None, int]:
    """The cleaned docstring of a body and how many statements to pass over for it (comments included)."""
    for index, node in enumerate(body):
        kind = node.kind_id
        if kind == COMMENT:
            continue
        if kind != EXPRESSION:
            return None, 0
        kids = node.named_children
        while len(kids) == 1 and kids[0].kind_id == PARENTHESISED:
            kids = kids[0].named_children
        if len(kids) != 1 or not first_string(kids[0]):
            return None, 0
        text = _text(source[kids[0].start_byte : kids[0].end_byte])
        return (None, 0) if text is None else (_clean(text), index + 1)
    return None, 0


def first_string(node: Node) -> bool:
    """Whether an expression is a string and nothing else."""
    return node.kind_id in (STRING, CONCATENATED)


def _text(raw: bytes) -> str | None:
    """What a string literal evaluates to, if it can be a docstring."""
    width = 3 if raw[:3] in (b'"""', b"'''") else 1
    if raw[:1] in (b'"', b"'") and b"\\" not in raw and raw.count(raw[:width]) == 2 and raw.endswith(raw[:width]):
        return raw[width:-width].decode("utf-8", "replace")
    if raw[:1].lower() in (b"f", b"b", b"t") or raw[:2].lower() in (b"rb", b"rf", b"rt"):
        return None
    import ast  # only here: most docstrings have nothing to evaluate

    try:
        value = ast.literal_eval("(" + raw.decode("utf-8", "replace") + ")")
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return None
    return value if isinstance(value, str) else None


def _clean(text: str) -> bytes:
    """Without the indentation of the source, as `inspect.cleandoc` does it."""
    lines = text.expandtabs().splitlines()
    if not lines:
        return b""
    margins = [len(line) - len(line.lstrip()) for line in lines[1:] if line.strip()]
    margin = min(margins, default=0)
    lines = [lines[0].lstrip(), *(line[margin:].rstrip() for line in lines[1:])]
    return "\n".join(lines).strip("\n").rstrip().encode("utf-8", "surrogatepass")


Saved = tuple[int, bytes, int, list[bytes], bool, Fields, Scope, Flow, Node]
"""The state of the walk outside a definition, and the definition's node."""


def enter(w: Walk, index: int, name: bytes, node: Node) -> Saved:
    """Enters a definition."""
    saved = (w.owner, w.qualified, w.depth, w.pieces, w.generator, w.fields, w.scope, w.flow, node)
    w.owner = index
    w.qualified = w.qualified + b"." + name if w.qualified else name
    w.depth = 0
    w.pieces = []
    return saved


def leave(w: Walk, index: int, saved: Saved) -> None:
    """Leaves a definition, also when its inside was nested too deep to follow.

    The definition enters the hash of the one around it by its own hash.
    """
    if w.defs[index] is None:
        w.defs[index] = _unread(w, saved)
    w.owner, w.qualified, w.depth, w.pieces, w.generator, w.fields, w.scope, flow, _ = saved
    use(w, flow)
    keep_digest(w, w.defs[index].body_hash)  # type: ignore[union-attr]  # set just above


def _unread(w: Walk, saved: Saved) -> Def:
    node, owner = saved[-1], saved[0]
    name = w.intern(w.qualified.rpartition(b".")[2])
    start, end = node.start_byte, node.end_byte
    kind = NodeKind.CLASS if node.type == "class_definition" else NodeKind.FUNCTION
    text = digest64(w.source[start:end])
    return Def(
        kind,
        name,
        w.intern(w.qualified),
        occurrence(w),
        owner,
        start,
        end,
        start,
        UNRELIABLE,
        PRIVATE,
        -1,
        text,
        Signature([]) if kind is NodeKind.FUNCTION else None,
    )


def occurrence(w: Walk) -> int:
    """Which definition of its qualified name this is in the file."""
    count = w.occurrences[w.qualified] = w.occurrences.get(w.qualified, 0) + 1
    return count


TYPE_PARAMETERS = kind_id("type_parameter")


def generic_scope(w: Walk, node: Node, index: int, outer: Scope) -> Scope:
    """The scope of type parameters, as in `def f[T]`."""
    scope = Scope(INNER, outer, index)
    for child in node.named_children:
        text = w.source[child.start_byte : child.end_byte].lstrip(b"*")
        scope.names[text.partition(b":")[0].partition(b"=")[0].strip()] = None
    w.scope = scope
    outer_kind, w.name_kind = w.name_kind, TYPE
    visit_children(w, node)
    w.name_kind = outer_kind
    return scope


CALLS = frozenset(kind_ids("call"))
DECORATE = int(RefKind.DECORATE)

MEANINGS = {name.encode(): flags for name, flags in FLAGS_BY_NAME.items()}
"""What the last name of a decorator says about a function."""


def decorators_of(w: Walk, nodes: list[Node], source: int) -> tuple[list[int], int]:
    """Values of decorators, evaluated outside the definition, and what the known ones mean."""
    exprs = []
    flags = 0
    for node in nodes:
        for child in node.named_children:
            kind = child.kind_id
            if kind == COMMENT:
                continue
            if kind in CALLS:
                exprs.append(value_call(w, child, DECORATE, source))
                continue
            exprs.append(named(w, child, DECORATE, source))
            text = w.source[child.start_byte : child.end_byte]
            flags |= MEANINGS.get(text.rpartition(b".")[2], 0)
    return exprs, flags


def named(w: Walk, node: Node, kind: int, source: int) -> int:
    """A name in a role other than reading: a decorator or a base."""
    if node.kind_id in ATTRIBUTES:
        expr, at, text, name = attribute_parts(w, node)
    elif node.kind_id == IDENTIFIER:
        at = node.start_byte
        text = name = w.source[at : node.end_byte]
        expr = w.chain(text)
    else:
        return VALUES[node.kind_id](w, node)
    w.refs.append((kind, source, at, text, name, w.scope, -1 if is_chain(text) else expr))
    return expr


def keep_heads(w: Walk, decorators: list[Node], start: int, end: int) -> None:
    """Adds decorators and the head of what they decorate to its hash, each as a piece of its own."""
    for node in decorators:
        keep_piece(w, node.start_byte, node.end_byte)
    keep_piece(w, start, end)


def annotation(w: Walk, node: Node) -> tuple[int, int]:
    """Text and value of a `type` node; the names in it become references of kind `type`."""
    start = node.start_byte
    text = w.source[start : node.end_byte]
    if is_chain(text):
        w.refs.append((TYPE, w.owner, start + text.rfind(b".") + 1, text, head(text), w.scope, -1))
        return w.intern(text), w.chain(text)
    outer, w.name_kind = w.name_kind, TYPE
    value = value_parenthesised(w, node)
    w.name_kind = outer
    return w.intern(b" ".join(text.split())), value
