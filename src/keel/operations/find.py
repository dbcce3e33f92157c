"""List the nodes that match a structured filter: a set, such as all classes of a module.

`kind` is `symbol`, `route` or `client`. A filter is `key=value`; a key may be repeated: a node matches with any of its
values, and must match all keys. Values match exactly, those of keys that end in `_prefix` by their beginning. An
unknown key is refused with the list of known ones.

    keel find symbol symbol_kind=class module=shop.cart
    keel find symbol qualified_name_prefix=shop. visibility=public --limit 20
    keel find route http_method=GET path_prefix=/carts

Keys of `symbol`: root, module, service, role, exclude_roles, annotation, capability, qualified_name_prefix, symbol_kind
(or symbol_kinds), language, visibility. Of `route`: service, module, http_method, path_prefix, framework. Of `client`:
service, module, client_kind, target_service, path_prefix, http_method.

To find the node behind a name, ask `resolve`; words in names and docs are for `search`. The graph is brought up to date
before answering. When nothing matches, the answer says whether that is proven, and which filter excludes everything.
"""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING

from keel.model.record import field
from keel.model.rows import NodeFilter
from keel.querying.bounds import AsOf, Listing, Page, absence_of, freshest_graph, listing_fields
from keel.querying.entries import Entry, entries_of
from keel.querying.filters import CLIENT, ROUTE, SYMBOL, filter_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import ClassVar

    from keel.ports.store import GraphReader
    from keel.ports.workspace import Workspace
    from keel.querying.bounds import Absence

GROUP = "ask"
QUICK = True


class Params(Page):
    """Parameters of `find`."""

    kind: str = field("What kind of nodes: symbol, route or client.", positional=True, choices=(SYMBOL, ROUTE, CLIENT))
    filter: dict[str, str | tuple[str, ...]] = field(
        "Keys and values that nodes must have: any value of a key, all keys.", positional=True, default={}
    )


class Result(Listing):
    """The nodes that match."""

    LAYOUT: ClassVar = ("{count}", "{nothing}", "{freshness}", "{unshown}", "nodes")

    nodes: tuple[Entry, ...] = field("The nodes, by root, path and place in the file.")

    @property
    def count(self) -> str:
        """The number of nodes, as text."""
        return f"{self.total:,} found" if self.total else ""


def run(workspace: Workspace, params: Params) -> Result:
    """Queries the current graph."""
    wanted = filter_of(params.kind, params.filter)
    with freshest_graph(workspace) as (reader, as_of):
        total, nodes = reader.found_by(wanted, params.limit, params.offset)
        absence = None if total else _absence(reader, params, as_of)
        return Result(nodes=entries_of(reader, nodes), **listing_fields(params, len(nodes), total, as_of, absence))


def _absence(reader: GraphReader, params: Params, as_of: AsOf) -> Absence:
    near = tuple(dict.fromkeys(_nearest(reader, params)))
    because = list(_refusing(reader, params))
    kinds = filter_of(params.kind, {}).kinds
    # No language extracts routes and clients yet: that the graph has none says nothing about the source.
    unread = params.kind != SYMBOL and not reader.found_by(NodeFilter(kinds=kinds), 1, 0)[0]
    doubts = [f"{params.kind}s are not read from source yet"] if unread else []
    return absence_of(reader, f"{params.kind}s that match the filter", as_of, near, doubts, because)


def _refusing(reader: GraphReader, params: Params) -> Iterator[str]:
    """The filters that exclude everything by themselves."""
    for key, value in params.filter.items():
        if not reader.found_by(filter_of(params.kind, {key: value}), 1, 0)[0]:
            yield f"no {params.kind} has {key}={value if isinstance(value, str) else '|'.join(value)}"


def _nearest(reader: GraphReader, params: Params) -> Iterator[str]:
    """Existing values that are similar to those that were given."""
    files = reader.files()
    known = {
        "module": {file.module for file in files},
        "root": {file.root for file in files},
        "service": {file.service for file in files if file.service},
        "language": {file.language for file in files},
    }
    for key, value in params.filter.items():
        for each in (value,) if isinstance(value, str) else value:
            if key in known and each not in known[key]:
                yield from (f"{key}={near}" for near in get_close_matches(each[:200], known[key], n=3))
