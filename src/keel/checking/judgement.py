"""Judgement: links base again, builds the comparison of every language, and has enforcement judge it.

Here `indexing` and `enforcement`, which do not import each other, are connected. What is shown of the findings is left
to the operations.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from keel.checking.run import TOOLS, Judged
from keel.checking.type_checkers import asking_of
from keel.enforcement.case import RunCase, findings_of
from keel.enforcement.comparison import Comparison
from keel.enforcement.delta import Delta, delta_of
from keel.enforcement.graphs import BaseGraph, CurrentGraph, Facts, Same
from keel.enforcement.judge import judge
from keel.enforcement.session.grades import grades
from keel.indexing.base.facts import facts_of
from keel.indexing.stored_tree import stored_tree
from keel.indexing.tree import places
from keel.model.facts import MODULE_DEF
from keel.model.findings import OWN, Finding, order_of
from keel.model.hashing import to_text
from keel.model.ids import unescape_path
from keel.ports.contracts import TreeVersion
from keel.ports.language import contracts_of, conventions_of
from keel.ports.rule import keys_of
from keel.querying.current_graph import index_context

if TYPE_CHECKING:
    from keel.enforcement.session.comments import Comment
    from keel.indexing.base.facts import Encoded
    from keel.indexing.base.graph import AcceptedGraph
    from keel.indexing.base.sources import Accepted
    from keel.model.refs import FileKey
    from keel.model.rows import FileRow
    from keel.model.syntax import Syntaxes
    from keel.ports.language import Language
    from keel.ports.store import GraphReader
    from keel.ports.workspace import Workspace


class Compared(NamedTuple):
    """The comparison of one language."""

    language: Language
    comparison: Comparison
    base: TreeVersion[Any]
    now: TreeVersion[Any]
    known: frozenset[FileKey]
    """Changed files whose facts in base are known."""


def judged_of(
    workspace: Workspace,
    reader: GraphReader,
    files: Sequence[FileRow],
    base: Accepted,
    judged: Collection[FileKey],
    unread: Collection[FileKey] = (),
) -> Judged:
    """The findings about everything that differs, and about the functions of the judged files.

    `unread` are changed files that no language reads: tools that are only configuration.
    """
    findings: list[Finding] = []
    comments: list[Comment] = []
    nodes = 0
    both: list[Comparison] = []
    findings += _about_tools(workspace, {*base.sources, *unread}, judged)
    hashes: list[str] = []
    evidence, evidence_missing = OWN, ""
    for compared in compared_of(workspace, reader, files, base):
        comparison = compared.comparison
        known = comparison.now.facts.tree.layout(places)
        unknown = base.sources.keys() - compared.known
        numbers = [known[place] for place in sorted(judged) if place in known and place not in unknown]
        asking = asking_of(workspace, compared.language, comparison, compared.known, base)
        grade = grades(workspace.enforcement, keys_of(workspace.rules), workspace.config.exclude)
        found, by, trouble = judge(comparison, numbers, workspace.rules, grade, asking)
        evidence = by if by != OWN else evidence
        evidence_missing = str(trouble) if trouble is not None else evidence_missing
        findings += found
        comments += _comments(comparison, found, numbers)
        new = [spot for spot, is_new in comparison.delta.is_new.items() if is_new and spot.ordinal > MODULE_DEF]
        nodes += len(new) + len(comparison.delta.gone)
        both.append(comparison)
        hashes += [to_text(comparison.now.node(spot).hash) for spot in new]
    return Judged(
        sorted(findings, key=order_of),
        nodes,
        lambda: sum(map(_differing_edges, both)),
        tuple(hashes),
        judged,
        comments,
        evidence,
        evidence_missing,
    )


def _comments(comparison: Comparison, findings: Sequence[Finding], judged: Sequence[int]) -> list[Comment]:
    """The suppressions in files that were judged or that findings are about."""
    about = {(each.root, each.file) for each in findings}
    tree = comparison.now.facts.tree
    numbers = tree.layout(places)
    files = {*judged, *(numbers[place] for place in about if place in numbers)}
    if not any(comparison.now.facts.interface(file).suppressions for file in files):
        return []
    from keel.enforcement.session.comments import comments_of

    return list(comments_of(comparison, sorted(files), set(judged)))


def compared_of(
    workspace: Workspace, reader: GraphReader, files: Sequence[FileRow], base: Accepted
) -> Iterator[Compared]:
    """The comparison of every language."""
    facts = facts_of(index_context(workspace), base.sources)
    for language in workspace.languages:
        own = {place: held for place, held in facts.items() if place[1].endswith(language.suffixes)}
        yield _compared(workspace, reader, files, language, own, base)


def _compared(
    workspace: Workspace,
    reader: GraphReader,
    files: Sequence[FileRow],
    language: Language,
    facts: Mapping[FileKey, Encoded | None],
    base: Accepted | None,
) -> Compared:
    tree = stored_tree(index_context(workspace), reader, language, files)
    now_side = TreeVersion(tree, lambda file: reader.references(file) or b"", reader.flows)
    now = CurrentGraph(Facts(tree, now_side.references), reader)
    lines = _lines(workspace, language, tree.files)
    if not facts or base is None:
        return _unchanged(language, now, now_side, lines, workspace.syntaxes)
    from keel.indexing.base.graph import link_accepted

    before = link_accepted(index_context(workspace), reader, tree, language, facts, base)
    base_side = TreeVersion(before.tree, before.references, _given(reader, before, tree.files))
    then = BaseGraph(Facts(before.tree, before.references), before, now)
    numbers = tree.layout(places)
    differing = {*before.facts, *(numbers[place] for place in facts if place in numbers)}
    delta = delta_of(then.facts, now, differing, language.syntax)
    former = _former(language, before.tree.files, base, lines)
    contracts, conventions = contracts_of(language, base_side, now_side), conventions_of(language)
    comparison = Comparison(then, now, delta, contracts, conventions, lines, former, workspace.syntaxes)
    return Compared(language, comparison, base_side, now_side, frozenset(facts))


def unchanged(workspace: Workspace, reader: GraphReader, files: Sequence[FileRow], language: Language) -> Compared:
    """A comparison of a language's current tree with itself: to find out what an edit would do."""
    return _compared(workspace, reader, files, language, {}, None)


def _unchanged(
    language: Language,
    now: CurrentGraph,
    side: TreeVersion[Any],
    lines: Callable[[int], Sequence[str]],
    syntaxes: Syntaxes,
) -> Compared:
    base, delta = BaseGraph(now.facts, Same(), now), Delta(frozenset(), [], [], {})
    contracts, conventions = contracts_of(language, side, side), conventions_of(language)
    comparison = Comparison(base, now, delta, contracts, conventions, lines, lines, syntaxes)
    return Compared(language, comparison, side, side, frozenset())


def _given(
    reader: GraphReader, before: AcceptedGraph, files: Mapping[int, FileRow]
) -> Callable[[int], Mapping[int, bytes]]:
    """The values that the files of base passed to a parameter slot."""

    def given(slot: int) -> Mapping[int, bytes]:
        stored = reader.flows(slot)
        kept = {file: data for file, data in stored.items() if file in before.tree.files and file not in before.links}
        own = {file: links.flows[slot] for file, links in before.links.items() if slot in links.flows}
        return {**kept, **own}

    return given


def _lines(workspace: Workspace, language: Language, files: Mapping[int, FileRow]) -> Callable[[int], Sequence[str]]:
    """The lines of current files; none for one that cannot be read."""

    @cache
    def lines(file: int) -> Sequence[str]:
        row = files[file]
        try:
            with open(os.path.join(workspace.roots[row.root], unescape_path(row.path)), "rb") as source:
                return language.text(source.read()).decode("utf-8", "replace").split("\n")
        except OSError:
            return []

    return lines


def _former(
    language: Language, files: Mapping[int, FileRow], base: Accepted, lines: Callable[[int], Sequence[str]]
) -> Callable[[int], Sequence[str]]:
    """The lines of files in base."""

    @cache
    def former(file: int) -> Sequence[str]:
        row = files[file]
        if (row.root, row.path) not in base.sources:
            return lines(file)
        source = base.sources[row.root, row.path]
        return language.text(source).decode("utf-8", "replace").split("\n") if source is not None else []

    return former


def _differing_edges(comparison: Comparison) -> int:
    """How many edges are in only one of the graphs."""
    count = 0
    for file in {*comparison.base.links, *comparison.delta.changed}:
        before = comparison.base.out_of(file) if comparison.base.facts.has(file) else []
        after = comparison.now.out_of(file) if comparison.now.facts.has(file) else []
        was = {(comparison.base.facts.name(each.target), each.target.file, each.kind, each.source) for each in before}
        now = {(comparison.now.facts.name(each.target), each.target.file, each.kind, each.source) for each in after}
        count += len(was ^ now)
    return count


def _about_tools(workspace: Workspace, changed: Collection[FileKey], judged: Collection[FileKey]) -> list[Finding]:
    """The findings about tools, where the edit changes any; few edits do."""
    if not any(path.startswith(TOOLS) for _, path in (*changed, *judged)):
        return []
    from keel.checking.tool_findings import tool_problems

    return findings_of(workspace.rules, RunCase(tools=tool_problems(workspace, changed, judged)))
