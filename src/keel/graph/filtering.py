"""Whether a node matches a NodeFilter: the reference semantics of the filter.

A store that runs it in a database expresses the same in its own query language; the contract suite compares the two.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from keel.model.rows import VISIBILITY_MASK, VISIBILITY_SHIFT

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from keel.model.rows import FileRow, NodeFilter, StoredNode


def fits(node: StoredNode, file: FileRow, attributes: Mapping[str, Sequence[str]], wanted: NodeFilter) -> bool:
    """Whether every field that is not empty has a matching value, and no forbidden attribute is present."""
    return (
        _is_any(node.kind, wanted.kinds)
        and _is_any(file.root, wanted.roots)
        and _is_any(file.module, wanted.modules)
        and _is_any(file.service, wanted.services)
        and _is_any(file.language, wanted.languages)
        and _is_any(node.flags >> VISIBILITY_SHIFT & VISIBILITY_MASK, wanted.visibilities)
        and (not wanted.beginnings or _begins(node, file, tuple(wanted.beginnings)))
        and all(not values.isdisjoint(attributes.get(name, ())) for name, values in wanted.attributes.items())
        and all(values.isdisjoint(attributes.get(name, ())) for name, values in wanted.without.items())
        and all(
            any(value.startswith(tuple(values)) for value in attributes.get(name, ()))
            for name, values in wanted.attribute_beginnings.items()
        )
    )


def _is_any(value: object, wanted: frozenset[str] | frozenset[int]) -> bool:
    return not wanted or value in wanted


def _begins(node: StoredNode, file: FileRow, beginnings: tuple[str, ...]) -> bool:
    whole = f"{file.module}.{node.qualified_name}"
    return node.qualified_name.startswith(beginnings) or whole.startswith(beginnings)
