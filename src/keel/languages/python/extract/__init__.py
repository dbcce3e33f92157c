"""Extraction: from the bytes of one Python file to its facts.

The recipe is `extract`; each group of syntax has a module of its own that registers its handlers in the tables of
`walk`. Other files are never looked at: that is left to `resolve`.
"""

from __future__ import annotations

import sys

from tree_sitter import Node

from keel.languages.python.extract import (
    assignments,
    classes,
    expressions,
    imports,
    primaries,
    statements,
)
from keel.languages.python.extract.definitions import docstring, hash_of
from keel.languages.python.extract.finish import finish
from keel.languages.python.extract.scopes import MODULE, Scope
from keel.languages.python.extract.walk import Walk, define_variables, walk_statements
from keel.languages.python.facts import Def, Facts
from keel.languages.python.grammar import roots
from keel.languages.python.source import as_utf8
from keel.model.facts import NOTHING, STUB, Gap
from keel.model.hashing import digest64
from keel.model.kinds import NodeKind, Visibility

FILE_DEF, MODULE_DEF = 0, 1
HANDLERS = (primaries, expressions, assignments, imports, classes, statements)
"""Imported for their registrations."""
MAX_DEPTH = 1200
"""How deep calls of the walk may nest; deeper syntax becomes a gap."""


def extract(data: bytes, path: str) -> Facts:
    """All facts of a Python file; of `path`, only whether it is a stub counts.

    How deep nesting is followed does not depend on the depth of the caller's stack, or facts would not be pure.
    """
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(_depth() + MAX_DEPTH)
    try:
        return _extract(data, path)
    finally:
        sys.setrecursionlimit(limit)


def _depth() -> int:
    depth, frame = 0, sys._getframe()
    while frame.f_back is not None:
        depth, frame = depth + 1, frame.f_back
    return depth


def _extract(data: bytes, path: str) -> Facts:
    source = as_utf8(data)
    trees = roots(source)
    module = Scope(MODULE, None, MODULE_DEF)
    w = Walk(source, module, path.endswith(".pyi"))
    w.defs += (None, None)
    w.owner = MODULE_DEF
    statements_ = [node for tree in trees for node in tree.named_children]
    for tree in trees:
        if tree.has_error:
            w.gaps += gaps(tree)
    doc, skip = docstring(source, statements_)
    walk_statements(w, statements_[skip:])
    define_variables(w, 0)  # those of an assignment in a syntax error
    w.defs[FILE_DEF] = _whole(w, NodeKind.FILE, b"", NOTHING, digest64(source))
    w.defs[MODULE_DEF] = _whole(w, NodeKind.MODULE, b"<module>", doc, hash_of(w.pieces))
    return finish(w)


def _whole(w: Walk, kind: NodeKind, name: bytes, doc: bytes | int | None, digest: int) -> Def:
    flags = STUB if w.stub else 0
    text = w.intern(doc) if isinstance(doc, bytes) else NOTHING
    parent = NOTHING if kind is NodeKind.FILE else FILE_DEF
    label = w.intern(name)
    return Def(kind, label, label, 1, parent, 0, len(w.source), 0, flags, Visibility.PUBLIC, text, digest)


def gaps(root: Node) -> list[Gap]:
    """The outermost syntax errors of a tree, in order."""
    found: list[Gap] = []
    stack = [root]
    while stack:
        node = stack.pop()
        if node.is_error or node.is_missing:
            found.append(Gap(node.start_byte, node.end_byte))
        elif node.has_error:
            stack += reversed(node.children)
    return found
