"""Candidates: every node that an identifier may name, each with the reason why.

One small generator for each kind of node; several may yield the same node. Choosing and ranking, and text that is not
an identifier at all, are left to `operations/resolve.py`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from keel.graph.lookup.endpoints import METHOD, TARGET, TEMPLATE, TOPIC, Endpoint, endpoint_of, template_of
from keel.graph.lookup.handles import Match, PathScope, by_hash, by_id, is_text, without_companions
from keel.graph.lookup.re_exports import re_exports
from keel.graph.naming import FILE_KIND, MODULE_KIND, dotted
from keel.graph.workspace_map import CLASSES
from keel.model.ids import SYMBOL
from keel.model.kinds import NodeKind, ResolveReason
from keel.model.text.qualified import neutral

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from keel.model.rows import StoredNode
    from keel.ports.store import GraphReader

SYMBOLS, ROUTES, CLIENTS, PRODUCERS, PACKAGES = "symbol", "route", "client", "producer", "package"
LOOKED_AT = 200
"""Nodes of one bare name that are considered, the best first."""
NOWHERE = PathScope({}, "")
BY_LAST_NAME = frozenset((MODULE_KIND, *map(int, CLASSES)))
"""Types and modules: their last name counts as the end of a qualified one, that of a member only as a short name."""
NO_SYMBOLS = frozenset(map(int, (NodeKind.ROUTE, NodeKind.CLIENT, NodeKind.PRODUCER, NodeKind.PACKAGE, NodeKind.TOOL)))


class Candidate(NamedTuple):
    """A node that may be meant, and why."""

    match: Match
    reason: ResolveReason
    unmatched: int = 0
    """How many leading segments of its name the identifier leaves out."""


def candidates(reader: GraphReader, identifier: str, kinds: Iterable[str]) -> Iterator[Candidate]:
    """The candidates among nodes of these kinds."""
    if is_text(identifier):  # no node is named by anything else
        for kind in kinds:
            for generate in GENERATORS[kind]:
                yield from generate(reader, identifier)


# Symbols


def _symbols_by_id(reader: GraphReader, identifier: str) -> Iterator[Candidate]:
    return _by_id(reader, identifier, lambda kind: kind not in NO_SYMBOLS)


def _by_id(reader: GraphReader, identifier: str, fits: Callable[[int], bool]) -> Iterator[Candidate]:
    for way in (by_hash, by_id):
        for match in way(reader, identifier, NOWHERE):
            if fits(match.node.kind):
                yield Candidate(match, ResolveReason.EXACT_ID)


def _symbols_by_name(reader: GraphReader, identifier: str) -> Iterator[Candidate]:
    """By the whole dotted name, or the end of one; a prefix `sym:` is accepted, a suffix `#2` selects an occurrence.

    Where no definition has that name, it is looked up as a re-export.
    """
    name = identifier.removeprefix(f"{SYMBOL}:")
    name, mark, number = name.rpartition("#")
    if not mark or not number.isdecimal():
        name, number = identifier.removeprefix(f"{SYMBOL}:"), ""
    found = [match for match in _ending_with(reader, name) if match.node.kind not in NO_SYMBOLS]
    if number:
        found = [match for match in found if str(match.node.occurrence) == number]
    for match in found if number else without_companions(found):
        yield _named(match, name)
    if not found and not number:
        for node in re_exports(reader, name):
            file = reader.file(node.file)
            if file is not None:
                yield Candidate(Match(node, file), ResolveReason.EXACT_FQN)


def _ending_with(reader: GraphReader, name: str) -> Iterator[Match]:
    """Nodes whose dotted name is this or ends with it; those that are not modules are found by the segment before the
    last."""
    name, said = neutral(name), name
    owner, _, last = name.rpartition(".")
    if not owner:
        # at most ten can be shown, and `__init__` can be a twentieth of the graph
        nodes: list[StoredNode] = reader.best_named(last, sorted(BY_LAST_NAME), LOOKED_AT) if last else []
    else:
        nodes = reader.with_name_and_kind(last, MODULE_KIND) + reader.with_owner(owner.rpartition(".")[2], last)
        nodes += reader.with_qualified_name(said)
    for node in nodes:
        file = reader.file(node.file)
        if file is not None and node.kind != FILE_KIND and f".{dotted(node, file)}".endswith(f".{name}"):
            yield Match(node, file)


def _named(match: Match, name: str) -> Candidate:
    whole, name = dotted(match.node, match.file), neutral(name)
    unmatched = whole.count(".") - name.count(".")
    if whole == name:
        return Candidate(match, ResolveReason.EXACT_FQN)
    is_suffix = "." in name or match.node.kind in BY_LAST_NAME
    return Candidate(match, ResolveReason.FQN_SUFFIX if is_suffix else ResolveReason.SHORT_NAME, unmatched)


def _files_by_path(reader: GraphReader, identifier: str) -> Iterator[Candidate]:
    """A file's qualified name is its path."""
    for node in reader.with_name_and_kind(identifier.rpartition("/")[2], FILE_KIND):
        file = reader.file(node.file)
        if file is not None and f"/{file.path}".endswith(f"/{identifier}"):
            unmatched = file.path.count("/") - identifier.count("/")
            is_whole = file.path == identifier
            reason = ResolveReason.EXACT_FQN if is_whole else ResolveReason.FQN_SUFFIX
            yield Candidate(Match(node, file), reason, unmatched)


# Routes and clients


def _routes_by_id(reader: GraphReader, identifier: str) -> Iterator[Candidate]:
    return _by_id(reader, identifier, lambda kind: kind == NodeKind.ROUTE)


def _routes(reader: GraphReader, identifier: str) -> Iterator[Candidate]:
    """By method and path, by the path alone, or by a word that is the path without its slash, or the topic."""
    endpoint = endpoint_of(identifier)
    if endpoint is None and " " not in identifier:
        endpoint = Endpoint(f"/{identifier}")
        yield from _having(reader, NodeKind.ROUTE, TOPIC, identifier, ResolveReason.ROUTE_TEMPLATE)
    if endpoint is None or (endpoint.service and not endpoint.method):
        return
    reason = ResolveReason.ROUTE_METHOD_PATH if endpoint.method else ResolveReason.ROUTE_TEMPLATE
    for found in _having(reader, NodeKind.ROUTE, TEMPLATE, template_of(endpoint.path), reason):
        methods = reader.attributes(found.match.node.number).get(METHOD, []) if endpoint.method else []
        if endpoint.method and endpoint.method not in methods:
            continue
        if endpoint.service in ("", found.match.file.service):
            yield found


def _clients_by_id(reader: GraphReader, identifier: str) -> Iterator[Candidate]:
    return _by_id(reader, identifier, lambda kind: kind == NodeKind.CLIENT)


def _clients(reader: GraphReader, identifier: str) -> Iterator[Candidate]:
    """By the service that they call, with the path or without."""
    endpoint = endpoint_of(identifier)
    if endpoint is None:
        yield from _having(reader, NodeKind.CLIENT, TARGET, identifier, ResolveReason.CLIENT_TARGET)
    elif endpoint.service and not endpoint.method:
        template = template_of(endpoint.path)
        reason = ResolveReason.CLIENT_TARGET_PATH
        for found in _having(reader, NodeKind.CLIENT, TARGET, endpoint.service, reason):
            if template in reader.attributes(found.match.node.number).get(TEMPLATE, ()):
                yield found


# What is searched only on request


def _producers(reader: GraphReader, identifier: str) -> Iterator[Candidate]:
    yield from _by_id(reader, identifier, lambda kind: kind == NodeKind.PRODUCER)
    yield from _having(reader, NodeKind.PRODUCER, TOPIC, identifier, ResolveReason.PRODUCER_TOPIC)


def _packages(reader: GraphReader, identifier: str) -> Iterator[Candidate]:
    yield from _by_id(reader, identifier, lambda kind: kind == NodeKind.PACKAGE)
    for node in reader.with_name_and_kind(identifier, NodeKind.PACKAGE):
        file = reader.file(node.file)
        if file is not None:
            yield Candidate(Match(node, file), ResolveReason.PACKAGE_NAME)


def _having(reader: GraphReader, kind: NodeKind, name: str, value: str, reason: ResolveReason) -> Iterator[Candidate]:
    for node in reader.with_attribute(name, value):
        file = reader.file(node.file)
        if node.kind == kind and file is not None:
            yield Candidate(Match(node, file), reason)


GENERATORS: Mapping[str, tuple[Callable[[GraphReader, str], Iterable[Candidate]], ...]] = {
    SYMBOLS: (_symbols_by_id, _symbols_by_name, _files_by_path),
    ROUTES: (_routes_by_id, _routes),
    CLIENTS: (_clients_by_id, _clients),
    PRODUCERS: (_producers,),
    PACKAGES: (_packages,),
}
