"""The judgement of two trees: base linked as it was, both sides handed to enforcement, for every language.

Here `indexing` and `enforcement`, which do not know each other, meet. What is shown of the findings is left to the
operations.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from keel.enforcement.delta import MODULE, Delta, delta_of
from keel.enforcement.grades import grades
from keel.enforcement.judge import judge
from keel.enforcement.sides import Facts, Now, Then
from keel.enforcement.trees import Trees
from keel.indexing.accepted_facts import facts_of
from keel.indexing.stored import stored_tree
from keel.model.findings import Finding, order_of
from keel.model.hashing import to_text
from keel.model.ids import unescape_path
from keel.operations._line import line_of
from keel.ports.contracts import Side

if TYPE_CHECKING:
    from keel.indexing.accepted_facts import Encoded
    from keel.indexing.backward import Before
    from keel.indexing.sources import Accepted, Place
    from keel.model.rows import FileRow
    from keel.ports.language import Language
    from keel.ports.store import GraphReader
    from keel.ports.workspace import Workspace


class Judged(NamedTuple):
    """Findings, and how much differs."""

    findings: list[Finding]
    nodes: int
    edges: int
    hashes: tuple[str, ...]


def judged_of(
    workspace: Workspace, reader: GraphReader, files: Sequence[FileRow], base: Accepted, judged: Collection[Place]
) -> Judged:
    """The findings about everything that differs, and about the functions of the judged files."""
    line = line_of(workspace)
    facts = facts_of(line, base.sources)
    findings: list[Finding] = []
    nodes = edges = 0
    findings += _tool_findings(workspace, base, judged)
    hashes: list[str] = []
    for language in workspace.languages:
        own = {place: held for place, held in facts.items() if place[1].endswith(language.suffixes)}
        trees = _trees(workspace, reader, files, language, own, base)
        numbers = [
            number
            for number, row in trees.now.facts.tree.files.items()
            if (row.root, row.path) in judged and (row.root, row.path) not in base.sources.keys() - own.keys()
        ]
        findings += judge(trees, numbers, workspace.rules, grades(workspace.config.enforcement))
        new = [spot for spot, is_new in trees.delta.is_new.items() if is_new and spot.ordinal > MODULE]
        nodes += len(new) + len(trees.delta.gone)
        edges += _differing_edges(trees)
        hashes += [to_text(trees.now.node(spot).hash) for spot in new]
    return Judged(sorted(findings, key=order_of), nodes, edges, tuple(hashes))


def _trees(
    workspace: Workspace,
    reader: GraphReader,
    files: Sequence[FileRow],
    language: Language,
    facts: Mapping[Place, Encoded | None],
    base: Accepted,
) -> Trees:
    tree = stored_tree(line_of(workspace), reader, language, files)
    now_side = Side(tree, lambda file: reader.references(file) or b"", reader.flows)
    now = Now(Facts(tree, now_side.references), reader)
    lines = _lines(workspace, language, tree.files)
    if not facts:
        then = Then(now.facts, {}, now)
        return Trees(then, now, Delta(frozenset(), [], [], {}), language.contracts(now_side, now_side), lines)
    from keel.indexing.backward import link_before

    before = link_before(line_of(workspace), reader, tree, language, facts, base.steering)
    base_side = Side(before.tree, before.references, _given(reader, before, tree.files))
    then = Then(Facts(before.tree, before.references), before.links, now)
    numbers = {(row.root, row.path): number for number, row in (*tree.files.items(), *before.tree.files.items())}
    delta = delta_of(then.facts, now, {numbers[place] for place in facts if place in numbers})
    return Trees(then, now, delta, language.contracts(base_side, now_side), lines)


def _given(reader: GraphReader, before: Before, files: Mapping[int, FileRow]) -> Callable[[int], Mapping[int, bytes]]:
    """What the files of base gave to a slot."""

    def given(slot: int) -> Mapping[int, bytes]:
        stored = reader.flows(slot)
        kept = {file: data for file, data in stored.items() if file in before.tree.files and file not in before.links}
        own = {file: links.flows[slot] for file, links in before.links.items() if slot in links.flows}
        return {**kept, **own}

    return given


def _lines(workspace: Workspace, language: Language, files: Mapping[int, FileRow]) -> Callable[[int], Sequence[str]]:
    """The text of files as they are now; none of one that cannot be read."""
    held: dict[int, list[str]] = {}

    def lines(file: int) -> Sequence[str]:
        if file not in held:
            row = files[file]
            try:
                with open(os.path.join(workspace.roots[row.root], unescape_path(row.path)), "rb") as source:
                    held[file] = language.text(source.read()).decode("utf-8", "replace").split("\n")
            except OSError:
                held[file] = []
        return held[file]

    return lines


def _differing_edges(trees: Trees) -> int:
    """How many edges are not in both graphs."""
    count = 0
    for file in {*trees.base.links, *trees.delta.changed}:
        before = trees.base.out_of(file) if trees.base.facts.has(file) else []
        after = trees.now.out_of(file) if trees.now.facts.has(file) else []
        was = {(trees.base.facts.name(each.target), each.target.file, each.kind, each.source) for each in before}
        now = {(trees.now.facts.name(each.target), each.target.file, each.kind, each.source) for each in after}
        count += len(was ^ now)
    return count


def _tool_findings(workspace: Workspace, base: Accepted, judged: Collection[Place]) -> list[Finding]:
    """What is wrong with tools, where the edit is about any; few edits are."""
    if not any(path.startswith(".ai/tools/") for _, path in (*base.sources, *judged)):
        return []
    from keel.operations._tool_findings import tool_findings

    return tool_findings(workspace, base.sources, judged)
