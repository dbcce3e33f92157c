"""Show what a change of a symbol affects: what calls, reads, inherits or is typed by it, near and far, and the tests.

Takes any symbol handle that `where` takes. What is reached is counted by distance first, then listed, the nearest
first: each symbol once, with the last step to it and the confidence of the weakest edge on the way. A class includes
its methods, and a module all that is in it. Callers of a method that the symbol overrides are reached as well, and so
are the clients of a route.

    keel impact Session.get
    keel impact Session.get --tests
    keel impact src/app.py:120 --depth 2 --min-confidence 0.7 --json

`--tests` lists only the tests that reach the symbol: functions of test files, in Python those whose name begins with
`test`. Only references that were resolved are followed, so calls through a value that could not be followed are
missing; `keel discover` says how many calls of that name have no edge.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from keel.graph.list_entry import ListEntry, entry_fields
from keel.graph.lookup.handles import PathScope, find
from keel.graph.naming import id_of, kind_of, written
from keel.graph.reach import MAX_MET, Reached, by_distance, is_test_case, reach
from keel.graph.walks import with_everything_inside
from keel.model.hashing import to_text
from keel.model.kinds import EdgeKind
from keel.model.record import field
from keel.model.text.wording import counted
from keel.querying.bounds import Listing, PageOfEdges, absence_of, freshest_graph, listing_fields, page_of

if TYPE_CHECKING:
    from typing import ClassVar

    from keel.graph.lookup.handles import Match
    from keel.model.rows import StoredNode
    from keel.model.syntax import Syntaxes
    from keel.ports.store import GraphReader
    from keel.ports.workspace import Workspace

GROUP = "ask"
QUICK = True


class Params(PageOfEdges):
    """Parameters of `impact`."""

    symbol: str = field("A hash, id, path:line, path, qualified, dotted or bare name.", positional=True)
    depth: int = field("How many steps away to look.", default=3, least=1, most=10)
    tests: bool = field("List only the tests that reach the symbol.", default=False)


class Affected(ListEntry):
    """A symbol that the change affects."""

    LAYOUT: ClassVar = ("{path}:{line}  {kind} {qualified_name}  {hash}  {step}  {manner}",)
    LLM: ClassVar = "{path}:{line} {qualified_name} {hash} {distance} {manner}"

    distance: int = field("How many steps away it is.")
    edge: str = field("What the last step was, seen from it: it calls, inherits, ….", choices=EdgeKind.words())
    via: str = field("The symbol one step nearer; empty when that is the symbol itself.")
    confidence: float = field("How sure the weakest edge on the way is.")
    is_test: bool = field("Whether it is a test.")

    @property
    def step(self) -> str:
        """Its distance and the last step, as text."""
        via = f" {self.via}" if self.via else ""
        return f"{self.distance}: {self.edge}{via}"

    @property
    def manner(self) -> str:
        """The confidence of the path, and whether it ends in a test."""
        return f"{self.confidence:.2f}{' test' if self.is_test else ''}"


class Result(Listing):
    """The symbols that a change of the symbol affects."""

    LAYOUT: ClassVar = (
        "{target_path}:{target_line}  {target_kind} {target}  {target_hash}",
        "{summary}",
        "by_distance",
        "affected",
        "{note}",
        "{unshown}",
        "{freshness}",
        "{nothing}",
    )

    target: str = field("The symbol that was asked about, with its module.")
    target_id: str = field("Its stable name.")
    target_hash: str = field("Its short handle.")
    target_kind: str = field("What it is.")
    target_path: str = field("The file it is in.")
    target_line: int = field("The line of its name.")
    depth: int = field("How many steps away was looked.")
    by_distance: dict[str, dict[str, int]] = field("How many symbols, tests and files are reached, by distance.")
    tests: int = field("How many tests reach it, shown or not.")
    affected: tuple[Affected, ...] = field("What is reached, the nearest first, source before tests.")
    complete: bool = field("Whether all within the depth was found; a walk stops after 5,000 symbols.")
    note: str = field("A remark about the answer; usually empty.", default="")

    @property
    def summary(self) -> str:
        """The number of symbols, as text."""
        if not self.by_distance:
            return ""
        least = "" if self.complete else "at least "
        found = sum(level["symbols"] for level in self.by_distance.values())
        return f"{least}{counted(found, 'symbol')} within {counted(self.depth, 'step')}, {self.tests:,} of them tests"


def run(workspace: Workspace, params: Params) -> Result:
    """Finds the symbol and everything that depends on it."""
    with freshest_graph(workspace) as (reader, as_of):
        match = find(reader, params.symbol, PathScope(workspace.roots, workspace.here))
        node, file, _ = match
        starts, syntaxes = with_everything_inside(reader, node), workspace.syntaxes
        walk = reach(reader, starts, params.depth, syntaxes, params.min_confidence)
        wanted = [one for one in walk.met if not params.tests or is_test_case(one.node, one.file, syntaxes)]
        shown = page_of(wanted, params)
        name = written(node, file, syntaxes[file.language])
        what = f"{'tests of' if params.tests else 'impact of'} {name}"
        absence = absence_of(reader, what, as_of) if not wanted else None
        return Result(
            target=name,
            target_id=id_of(node, file),
            target_hash=to_text(node.hash),
            target_kind=kind_of(node),
            target_path=file.path,
            target_line=node.line,
            depth=params.depth,
            by_distance=by_distance(walk.met, syntaxes),
            tests=sum(is_test_case(one.node, one.file, syntaxes) for one in walk.met),
            affected=tuple(_affected(reader, node, one, syntaxes) for one in shown),
            complete=walk.is_whole,
            note=_note(match, walk.is_whole),
            **listing_fields(params, len(shown), len(wanted), as_of, absence),
        )


def _affected(reader: GraphReader, target: StoredNode, one: Reached, syntaxes: Syntaxes) -> Affected:
    near = reader.node(one.via) if one.via != target.number else None
    return Affected(
        **entry_fields(one.node, one.file),
        distance=one.distance,
        edge=EdgeKind(one.kind).word,
        via=near.qualified_name if near is not None else "",
        confidence=one.confidence / 100,
        is_test=is_test_case(one.node, one.file, syntaxes),
    )


def _note(match: Match, is_whole: bool) -> str:
    said = [f"found by an old hash; it is {to_text(match.node.hash)} now"] if match.by_old_hash else []
    if not is_whole:
        said.append(
            f"the walk stopped after {MAX_MET:,} symbols; a lower --depth or a higher --min-confidence is whole"
        )
    return "\n".join(said)
