"""How a stored node is called: its id, its dotted name, and the line that tells it from others.

On the path of the fastest commands, so it makes no structs; the full form of a node is made in `views.py`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from keel.model.hashing import to_text
from keel.model.ids import MODULE, PREFIX_OF, SYMBOL, Id
from keel.model.kinds import NodeKind
from keel.model.text.qualified import neutral

if TYPE_CHECKING:
    from keel.model.rows import FileRow, StoredNode
    from keel.model.syntax import Syntax

FILE_KIND, MODULE_KIND = int(NodeKind.FILE), int(NodeKind.MODULE)
MODULE_ORDINAL = 1
"""`MODULE_DEF` of `model/facts.py`, which costs start-up: a file and its module come before all that is in them."""


def id_of(node: StoredNode, file: FileRow) -> str:
    """The id of a node that stands in a file."""
    return str(Id(PREFIX_OF.get(node.kind, SYMBOL), file.root, file.path, node.qualified_name, node.occurrence))


def kind_of(node: StoredNode) -> str:
    """The word for what a node is."""
    return NodeKind(node.kind).word


def dotted(node: StoredNode, file: FileRow) -> str:
    """The name with its module, for comparing it with what was typed: `pkg.mod.Class.method` in any language.

    Of a module it is what it is imported by, of a file its path.
    """
    if node.ordinal <= MODULE_ORDINAL:
        return file.path if node.ordinal < MODULE_ORDINAL else neutral(file.module)
    return neutral(f"{file.module}.{node.qualified_name}" if file.module else node.qualified_name)


def written(node: StoredNode, file: FileRow, syntax: Syntax) -> str:
    """The same, as its language writes it."""
    if node.ordinal <= MODULE_ORDINAL:
        return file.path if node.ordinal < MODULE_ORDINAL else file.module
    return syntax.joined(file.module, node.qualified_name)


def short_line(node: StoredNode, file: FileRow) -> str:
    """A node in a list of candidates: place, kind and qualified name, hash; columns stand two blanks apart."""
    name = file.module if node.qualified_name == MODULE else node.qualified_name
    return f"{file.path}:{node.line}  {kind_of(node)} {name}  {to_text(node.hash)}"
