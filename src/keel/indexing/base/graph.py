"""The accepted graph, in memory: the stored one with the files that differ linked as they were.

It is an update in the other direction, from now to base, of which nothing is written: the same files are linked again
for the same reasons, so that the result equals a fresh map of the accepted tree. Judging the difference is left to
`checking`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

from keel.indexing.base.facts import Encoded
from keel.indexing.flows import AcceptedFlows, StoredFlows
from keel.indexing.helper_runs import helpers_of
from keel.indexing.scan.manifests import read_manifests
from keel.indexing.tree import WorkspaceTree, places
from keel.model.facts import Interface
from keel.model.refs import FileKey
from keel.model.rows import FileLinks, FileRow
from keel.ports.language import Change, ConfirmingLinker, Language, Linker, manifest_names, manifests_of

if TYPE_CHECKING:
    from keel.indexing.base.sources import Accepted
    from keel.indexing.cache.base_links import BaseLinks
    from keel.indexing.context import IndexContext
    from keel.model.manifests import Manifest
    from keel.ports.store import GraphReader


class AcceptedGraph:
    """The accepted graph of one language; it is linked on first use of its links, which is rare."""

    def __init__(
        self, tree: WorkspaceTree, facts: dict[int, Encoded], reaches: bool, reader: GraphReader, link: Link
    ) -> None:
        self.tree = tree
        self.facts = facts
        """Of the files that differ."""
        self.reaches = reaches
        """Whether names may resolve differently beyond the definitions that differ."""
        self._reader, self._link = reader, link

    @cached_property
    def links(self) -> dict[int, FileLinks]:
        """Of the files that were linked again; all others have their current edges."""
        return self._link(self)

    def references(self, file: int) -> bytes:
        """The encoded references of a file."""
        return self.facts[file][1] if file in self.facts else self._reader.references(file) or b""


Link = Callable[[AcceptedGraph], dict[int, FileLinks]]


def link_accepted(
    context: IndexContext,
    reader: GraphReader,
    now: WorkspaceTree,
    language: Language,
    facts: Mapping[FileKey, Encoded | None],
    accepted: Accepted,
) -> AcceptedGraph:
    """The files of a language, as they were accepted; those that do not differ are as in `now`."""
    manifest_files = accepted.manifest_files
    rows = now.files
    numbers = now.layout(places)
    known = {place: rows[numbers[place]] for place in facts if place in numbers}
    files, encoded, gone = _files(rows, known, language, facts)
    moved = any(place[1].rpartition("/")[2] in manifest_names(language) for place in manifest_files)
    decoded = {place: context.decode(language, held[0]) for place, held in facts.items() if held is not None}
    own = {file: decoded[files[file].root, files[file].path] for file in encoded}
    tree = _BaseTree(
        context.roots,
        files,
        _manifests(context, language, now.manifests, manifest_files) if moved else now.manifests,
        own,
        now,
        has_same_files=not moved and files.keys() == rows.keys(),
    )
    changes = []
    for (root, path), held in facts.items():
        row = known.get((root, path))
        then = decoded[root, path] if held is not None else None
        changes.append(Change(root, path, now.interface(row.id) if row is not None else None, then))
    keys = language.changed_keys(changes, context.graph_cache.answers if context.graph_cache is not None else None)

    def link(before: AcceptedGraph) -> dict[int, FileLinks]:
        graph_cache = context.graph_cache if accepted.key and files.keys() == rows.keys() else None
        base = graph_cache.base(language, accepted.key) if graph_cache is not None else None
        helpers = helpers_of(context, reader, language)
        if base is not None and base.holds(encoded, is_helped=bool(helpers)):
            return _stored_answers(language, base, before, reader) if helpers else base.links
        linker = language.linker(tree)
        for file, interface in own.items():
            linker.learn(file, interface)
        again = set(encoded) | reader.dependents(keys)
        if moved and linker.settings() != language.linker(now).settings():
            again = set(files)
        wanted = sorted((file for file in again if file in files), key=lambda file: files[file][1:3])
        flows = StoredFlows(reader, gone, remembers=True)
        links = {found.file: found for found in linker.link(wanted, before.references, flows)}
        for helper in helpers:
            _confirm(before, links, linker, helper.tier, reader)
        if graph_cache is not None:
            graph_cache.begin_base(language, _base_of(accepted, links, files, encoded))
        return links

    return AcceptedGraph(tree, encoded, bool(keys) or moved, reader, link)


class _BaseTree(WorkspaceTree):
    """The tree of base: files that differ with their former interface, the others with their current one."""

    def __init__(
        self,
        roots: Collection[str],
        files: Mapping[int, FileRow],
        manifests: Sequence[Manifest],
        own: Mapping[int, Interface],
        now: WorkspaceTree,
        has_same_files: bool,
    ) -> None:
        super().__init__(roots, files, manifests, lambda file: b"", now.decode, now if has_same_files else None)
        self._own, self._now = own, now

    def interface(self, file: int) -> Any:
        """The interface that a file had."""
        own = self._own.get(file)
        return self._now.interface(file) if own is None else own


def _base_of(
    accepted: Accepted, links: Mapping[int, FileLinks], files: Mapping[int, FileRow], differing: Collection[int]
) -> BaseLinks:
    """The links of the accepted tree, for the next run."""
    from keel.indexing.cache.base_links import BaseLinks

    rows = {file: files[file] for file in links}
    was = accepted.sources.contents
    base = BaseLinks(accepted.key)
    contents = {file: was.get((row.root, row.path)) or row.content for file, row in rows.items()}
    base.begin(links, contents, differing)
    return base


def _stored_answers(
    language: Language, base: BaseLinks, before: AcceptedGraph, reader: GraphReader
) -> dict[int, FileLinks]:
    """Links that are known from before; for files that differ, without the helpers' former answers."""
    amended = base.amended & before.facts.keys()
    wanted = sorted(amended - base.own.keys())
    if wanted:
        linker = language.linker(before.tree)
        for file in wanted:
            linker.learn(file, before.tree.interface(file))
        flows = AcceptedFlows(reader, base.links)
        base.own.update({found.file: found for found in linker.link(wanted, before.references, flows)})
    return {**base.links, **{file: base.own[file] for file in amended}}


def _confirm(
    before: AcceptedGraph, links: dict[int, FileLinks], linker: Linker, tier: int, reader: GraphReader
) -> None:
    """Merges helpers' answers into the links of files that do not differ; for the others they are no longer known."""
    from keel.indexing.helpers.confirm import Landing, stored_answers

    def ordinals(file: int) -> dict[tuple[str, int], int]:
        interface = before.tree.interface(file)
        return {
            (interface.text(each.qualified_name), each.occurrence): ordinal
            for ordinal, each in enumerate(interface.defs)
        }

    landing = Landing(before.tree.files.values(), ordinals)
    for file, found in links.items():
        answers = None if file in before.facts else stored_answers(reader, tier, before.tree.files[file])
        if answers is not None:
            made = (
                cast("ConfirmingLinker", linker)
                .confirm(found, before.references(file), landing.targets(answers), tier)
                .amendment
            )
            links[file] = found._replace(edges=made.edges, reasons=made.reasons, candidates=made.candidates)


def _files(
    rows: Mapping[int, FileRow],
    known: Mapping[FileKey, FileRow],
    language: Language,
    facts: Mapping[FileKey, Encoded | None],
) -> tuple[dict[int, FileRow], dict[int, Encoded], list[int]]:
    """The files as they were, the facts of those that differ, and the numbers of those that did not exist."""
    files = dict(rows)
    encoded: dict[int, Encoded] = {}
    gone: list[int] = []
    number = max(rows, default=0)
    for (root, path), held in sorted(facts.items()):
        row = known.get((root, path))
        if held is None:
            if row is not None:
                del files[row.id]
                gone.append(row.id)
            continue
        if row is None:
            number += 1
            row = files[number] = FileRow(number, root, path, language.name, "", b"", 0, 0, 0)
        encoded[row.id] = held
    return files, encoded, gone


def _manifests(
    context: IndexContext, language: Language, now: Sequence[Manifest], manifest_files: Mapping[FileKey, bytes | None]
) -> list[Manifest]:
    """What the manifests declared: those that differ as they were, the others as they are."""
    same = [(each.root, each.path) for each in now if (each.root, each.path) not in manifest_files]
    kept = read_manifests(context.roots, language, same).manifests
    was = {place: data for place, data in manifest_files.items() if data is not None}
    manifests = manifests_of(language)
    return [*kept, *(manifests.parse_manifests(was).manifests if manifests is not None else ())]
