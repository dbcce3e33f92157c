"""Look before an edit: what calls a symbol, how far it reaches, which tests reach it, and what changes would break.

For a function, method or class, every call is bound to the signature as it is: which parameters it gives by name and
which by place. From that follows what renaming, removing or adding a parameter would break, before it is done.

    keel check Session.get
    keel check src/app.py:120 --json
    keel check Session.get --min-confidence 0.7

The answer says how sure it is: what the calls were found by, how many calls of that name could not be resolved, and
whether the symbol can be used from outside the workspace, which keel does not see. After the edit, `keel compile` says
what did break.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from keel.checking.consequences import Bound, Call, bound
from keel.graph.lookup.handles import Match, PathScope, find
from keel.graph.naming import id_of, kind_of, written
from keel.graph.reach import Reached, by_distance, is_test_case, reach
from keel.graph.views import full_form
from keel.graph.walks import with_everything_inside
from keel.graph.workspace_map import CLASSES, FUNCTIONS
from keel.model.facts import decode_interface
from keel.model.hashing import to_text
from keel.model.kinds import EdgeKind
from keel.model.record import Record, field
from keel.model.rows import EXPORTED
from keel.model.text.plain import in_plain_words
from keel.model.text.wording import counted
from keel.querying.bounds import Listing, PageOfEdges, freshest_graph, listing_fields, page_of

if TYPE_CHECKING:
    from typing import ClassVar

    from keel.model.rows import FileRow, StoredNode
    from keel.model.syntax import Syntax
    from keel.ports.store import GraphReader
    from keel.ports.workspace import Workspace

GROUP = "check"
QUICK = True
DEPTH = 3
MAX_TESTS = 20
"""Tests that are named; all of them are counted."""
CHECKED = (*FUNCTIONS, *CLASSES)


class Params(PageOfEdges):
    """What `check` can be asked."""

    symbol: str = field("A hash, id, path:line, path, qualified, dotted or bare name.", positional=True)
    depth: int = field("How many steps away to look.", default=DEPTH, least=1, most=10)


class Test(Record):
    """A test that reaches the symbol."""

    LAYOUT: ClassVar = ("{path}:{line}  {name}  {hash}  {distance} away  {confidence:.2f}",)
    LLM: ClassVar = "{path}:{line} {name} {hash}"

    path: str = field("The file it is in.")
    line: int = field("Its line.")
    name: str = field("Its name within the file.")
    hash: str = field("Its short handle.")
    distance: int = field("How many steps away it is.")
    confidence: float = field("How sure the weakest edge on the way is.")


class Result(Listing):
    """What is to be known before the symbol is edited."""

    LAYOUT: ClassVar = (
        "{path}:{line}  {kind} {qualified_name}  {hash}",
        "{signature}",
        "{summary}",
        "by_distance",
        "calls",
        "{unshown}",
        "{changes}",
        "broken_by",
        "overrides",
        "tests",
        "{more_tests}",
        "how_sure",
        "{freshness}",
    )

    id: str = field("The stable name of the symbol.")
    hash: str = field("Its short handle.")
    kind: str = field("What it is.")
    qualified_name: str = field("Its name with its module.")
    path: str = field("The file it is in.")
    line: int = field("The line of its name.")
    signature: str = field("How it is called; empty for what is not.")
    calls: tuple[Call, ...] = field("Calls of it, those of tests last; `total` counts all.")
    by_distance: dict[str, dict[str, int]] = field("How many symbols, tests and files are reached, by distance.")
    broken_by: dict[str, dict[str, int]] = field(
        "How many calls break, parameter by parameter, when it is renamed, removed, or has to be given."
    )
    broken_by_new: int = field("How many calls break when there is one more parameter that has to be given.")
    hidden: int = field("Calls that hide what they give behind a star, or are not certain: any change may break them.")
    overrides: tuple[str, ...] = field("Methods that it overrides or that override it: they change together.")
    tests: tuple[Test, ...] = field("Tests that reach it, the nearest first.")
    tests_total: int = field("How many tests reach it.")
    complete: bool = field("Whether everything within the depth was found.")
    how_sure: tuple[str, ...] = field("What the answer rests on, and what it cannot know.")

    @property
    def summary(self) -> str:
        """The calls and the reach in words."""
        reached = sum(level["symbols"] for level in self.by_distance.values())
        least = "" if self.complete else "at least "
        far = f"reaches {least}{counted(reached, 'symbol')}" if reached else "reaches nothing known"
        return f"{counted(self.total, 'call')}; {far}, {counted(self.tests_total, 'test')} among them"

    @property
    def changes(self) -> str:
        """What a change that every call feels would do, and which calls may be broken by any."""
        if not self.total:
            return ""
        hidden = f"; {self.hidden:,} more may break with any change: what they pass is not known" if self.hidden else ""
        return f"one more required parameter breaks {counted(self.broken_by_new, 'call')}{hidden}"

    @property
    def more_tests(self) -> str:
        """How many tests are not named."""
        more = self.tests_total - len(self.tests)
        return f"… and {more:,} more tests; `keel impact {self.hash} --tests` lists them" if more > 0 else ""


def run(workspace: Workspace, params: Params) -> Result:
    """Finds the symbol, binds its calls, and walks to whoever feels a change."""
    with freshest_graph(workspace) as (reader, as_of):
        match = find(reader, params.symbol, PathScope(workspace.roots, workspace.here))
        node, file, _ = match
        is_checked = node.kind in CHECKED
        found = bound(workspace, reader, node, file, params.min_confidence) if is_checked else Bound([], {})
        starts, syntaxes = with_everything_inside(reader, node), workspace.syntaxes
        walk = reach(reader, starts, params.depth, syntaxes, params.min_confidence)
        tests = [one for one in walk.met if is_test_case(one.node, one.file, syntaxes)]
        shown = page_of(found.calls, params)
        interface = decode_interface(reader.interface(file.id) or b"")
        view = full_form(node, file, interface, syntaxes[file.language])
        return Result(
            id=id_of(node, file),
            hash=to_text(node.hash),
            kind=kind_of(node),
            qualified_name=written(node, file, syntaxes[file.language]),
            path=file.path,
            line=node.line,
            signature=view.signature.text if view.signature is not None else "",
            calls=tuple(shown),
            by_distance=by_distance(walk.met, syntaxes),
            broken_by=found.broken_by,
            broken_by_new=sum(not call.is_open for call in found.calls),
            hidden=sum(call.is_open for call in found.calls),
            overrides=tuple(_overrides(reader, node)),
            tests=tuple(_test(one) for one in tests[:MAX_TESTS]),
            tests_total=len(tests),
            complete=walk.is_whole,
            how_sure=tuple(_how_sure(reader, match, found, syntaxes[file.language])),
            **listing_fields(params, len(shown), len(found.calls), as_of),
        )


def _test(one: Reached) -> Test:
    return Test(
        path=one.file.path,
        line=one.node.line,
        name=one.node.qualified_name,
        hash=to_text(one.node.hash),
        distance=one.distance,
        confidence=one.confidence / 100,
    )


def _overrides(reader: GraphReader, node: StoredNode) -> Iterator[str]:
    for words, edges, is_out in (
        ("overrides", reader.edges_from(node.number), True),
        ("overridden by", reader.edges_to(node.number), False),
    ):
        for edge in edges:
            other = reader.node(edge.target if is_out else edge.source) if edge.kind == EdgeKind.OVERRIDES else None
            file = reader.file(other.file) if other is not None else None
            if other is not None and file is not None:
                yield f"{words} {file.path}:{other.line}  {other.qualified_name}"


def _how_sure(reader: GraphReader, match: Match, found: Bound, syntax: Syntax) -> Iterator[str]:
    """What the calls rest on, and why there may be more."""
    calls = found.calls
    if not found.is_checked:
        language = syntax.title or match.file.language
        yield f"keel cannot check calls in {language} yet: what a change of a parameter would break is not known"
    node: StoredNode = match.node
    file: FileRow = match.file
    tiers = Counter(call.resolution_tier for call in calls)
    if tiers:
        said = ", ".join(f"{count:,} {in_plain_words(tier)}" for tier, count in sorted(tiers.items()))
        yield f"calls found: {said}; lowest confidence {min(call.confidence for call in calls):.2f}"
    namesakes = reader.open_calls(node.name) if node.kind in CHECKED else 0
    if namesakes:
        yield f"there may be more: {counted(namesakes, 'call')} of a `{node.name}` could not be resolved"
    if node.flags & EXPORTED and syntax.is_public(node.name):
        yield "it is public: uses outside the workspace are not seen"
    if match.by_old_hash:
        yield f"found by an old hash; it is {to_text(node.hash)} now, in {file.path}"
