"""Nesting: stepping into a definition and out of it again.

What definitions are is left to `functions` and `classes`.
"""

from __future__ import annotations

from tree_sitter import Node

from keel.languages.python.extract.flow import use
from keel.languages.python.extract.naming import PRIVATE
from keel.languages.python.extract.normalise import keep_digest
from keel.languages.python.extract.scopes import Scope
from keel.languages.python.extract.walk import Fields, Flow, Walk
from keel.languages.python.facts import Def
from keel.model.facts import UNRELIABLE, Signature
from keel.model.hashing import digest64
from keel.model.kinds import NodeKind

Saved = tuple[int, bytes, int, list[bytes], bool, Fields, Scope, Flow, Node]
"""Where the walk stood outside a definition, and the definition's node."""


def enter(w: Walk, index: int, name: bytes, node: Node) -> Saved:
    """Stands inside a definition from here on."""
    saved = (w.owner, w.qualified, w.depth, w.pieces, w.generator, w.fields, w.scope, w.flow, node)
    w.owner = index
    w.qualified = w.qualified + b"." + name if w.qualified else name
    w.depth = 0
    w.pieces = []
    return saved


def leave(w: Walk, index: int, saved: Saved) -> None:
    """Back outside, also when the inside was nested too deep to follow.

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
