"""A survey of the workspace for `init`: languages, projects, source roots, and what the code complies with already.

It reads a graph that was just brought up to date; what follows for the configuration is left to `proposal.py`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from keel.graph.compliance import Compliance, compliance
from keel.indexing.pipeline import bring_up_to_date
from keel.indexing.scan.manifests import remembered
from keel.indexing.stored_tree import stored_tree
from keel.ports.language import conventions_of, manifests_of
from keel.querying.current_graph import index_context
from keel.setup.proposal import is_exempt

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from keel.indexing.context import IndexContext
    from keel.model.rows import FileRow
    from keel.ports.store import GraphReader, Store
    from keel.ports.workspace import Workspace


class Survey(NamedTuple):
    """What there is in a workspace."""

    languages: dict[str, int]
    """Files by language."""
    projects: tuple[str, ...]
    """Each project with its manifest, and the packages that it names."""
    source_roots: tuple[str, ...]
    paths: list[str]
    """The files that were read."""
    found: Compliance
    warnings: tuple[str, ...]


def survey(workspace: Workspace, store: Store, roots: Mapping[str, str]) -> Survey:
    """Brings the graph in a store up to date, and looks at it."""
    context = index_context(workspace)._replace(store=store, roots=roots)
    if store is not workspace.store:
        context = context._replace(helpers={})  # a plan needs none
    report = bring_up_to_date(context, workspace.progress)
    broken = [f"{place}: has text that is not valid code" for place in report.broken]
    unreadable = [f"{place}: could not be opened" for place in report.unreadable]
    with store.reading() as reader:
        files = reader.files()
        asking = {each.name for each in workspace.languages if conventions_of(each) is not None}

        def counts(row: FileRow) -> bool:
            return row.language in asking and not is_exempt(row.path)

        return Survey(
            languages=reader.counts()["files"],
            projects=tuple(_projects(context, reader)),
            source_roots=tuple(_source_roots(context, reader)),
            paths=[row.path for row in files],
            found=compliance(reader, counts, workspace.syntaxes),
            warnings=(*report.warnings, *unreadable, *broken, *report.lost),
        )


def _projects(context: IndexContext, reader: GraphReader) -> Iterator[str]:
    for language in context.languages:
        for manifest in remembered(reader, language) or ():
            packages = f"  packages {', '.join(manifest.packages)}" if manifest.packages else ""
            yield f"{_shown(context, manifest.root, manifest.path)}  {manifest.name or '(no name)'}{packages}"


def _source_roots(context: IndexContext, reader: GraphReader) -> Iterator[str]:
    """The folders that imports start from and that hold something to import."""
    files = reader.files()
    for language in context.languages:
        tree = stored_tree(context, reader, language, files)
        manifests = manifests_of(language)
        for root, sources in manifests.sources(tree).items() if manifests is not None else ():
            for source in sources:
                named = f"  as {source.package}" if source.package else ""
                yield f"{_shown(context, root, source.folder or '.')}{named}"


def _shown(context: IndexContext, root: str, path: str) -> str:
    """A path by itself where there is one root, else with the name of its root."""
    return path if len(context.roots) == 1 else f"{root}/{path}"
