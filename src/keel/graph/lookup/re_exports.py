"""Re-exports: `httpx.Client` is the class that `httpx/__init__.py` imports from `httpx._client`.

They are read from the imports at the top of a module and the edges that were resolved for them; an import without an
edge is not guessed. Names by where a definition is written are left to `handles.py` and `candidates.py`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from keel.graph.naming import MODULE_KIND
from keel.model.facts import STAR, decode_interface
from keel.model.kinds import EdgeKind, Visibility
from keel.model.rows import VISIBILITY_MASK, VISIBILITY_SHIFT
from keel.model.text.qualified import neutral

if TYPE_CHECKING:
    from collections.abc import Iterator

    from keel.model.rows import StoredNode
    from keel.ports.store import GraphReader

MODULE_ORDINAL = 1


def re_exports(reader: GraphReader, name: str) -> list[StoredNode]:
    """What a dotted name means through imports: of its longest prefix that is a module, what that re-exports."""
    parts = neutral(name).split(".")
    for length in range(len(parts) - 1, 0, -1):
        modules = reader.with_name_and_kind(parts[length - 1], MODULE_KIND)
        named = [node for node in modules if _module(reader, node) == ".".join(parts[:length])]
        if named:
            given = {node.number: node for module in named for node in _given(reader, module, parts[length], set())}
            found = (_within(reader, node, parts[length + 1 :]) for node in given.values())
            return [node for node in found if node is not None]
    return []


def _module(reader: GraphReader, node: StoredNode) -> str:
    file = reader.file(node.file)
    return neutral(file.module) if file is not None else ""


def _given(reader: GraphReader, module: StoredNode, name: str, seen: set[int]) -> Iterator[StoredNode]:
    """What a module imports under a name; for a star import, what the other module defines or re-exports itself."""
    seen.add(module.number)
    interface = decode_interface(reader.interface(module.file) or b"")
    imports = {item.at: item for item in interface.imports if item.scope == MODULE_ORDINAL}
    for edge in reader.edges_from(module.number):
        item = imports.get(module.start + edge.at)
        target = reader.node(edge.target)
        if edge.kind != EdgeKind.IMPORTS or item is None or target is None:
            continue
        if not item.flags & STAR:
            if name == interface.text(item.alias if item.alias >= 0 else item.name):
                yield target
        elif target.kind == MODULE_KIND and target.number not in seen:
            own = [node for node in reader.nodes(target.file) if node.parent == MODULE_ORDINAL and node.name == name]
            exports = decode_interface(reader.interface(target.file) or b"").exports
            for node in own or _given(reader, target, name, seen):
                if name in exports if exports is not None else _is_public(node):
                    yield node


def _is_public(node: StoredNode) -> bool:
    """Whether a star import takes a definition, where its module does not list its exports."""
    return node.flags >> VISIBILITY_SHIFT & VISIBILITY_MASK == Visibility.PUBLIC


def _within(reader: GraphReader, node: StoredNode, rest: list[str]) -> StoredNode | None:
    """The member of a definition that the rest of a name names; the definition itself where there is no rest."""
    if not rest:
        return node
    qualified = ".".join((neutral(node.qualified_name), *rest))
    return next((one for one in reader.nodes(node.file) if neutral(one.qualified_name) == qualified), None)
