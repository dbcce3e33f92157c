"""Every verb as a method. Made by `make docs` from the operations; not edited by hand.

Answers are the records of the operations. At run time the methods are found by `verbs.py`, those of guests too.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from keel.checking.edge_explanations import OfEdges
from keel.checking.finding_explanations import OfFinding
from keel.operations import accept as _accept
from keel.operations import check as _check
from keel.operations import compile as _compile
from keel.operations import deinit as _deinit
from keel.operations import describe as _describe
from keel.operations import discover as _discover
from keel.operations import export as _export
from keel.operations import find as _find
from keel.operations import fix as _fix
from keel.operations import impact as _impact
from keel.operations import init as _init
from keel.operations import map as _map
from keel.operations import neighbors as _neighbors
from keel.operations import resolve as _resolve
from keel.operations import review as _review
from keel.operations import search as _search
from keel.operations import stats as _stats
from keel.operations import status as _status
from keel.operations import sync as _sync
from keel.operations import where as _where
from keel.operations import where_to_put as _where_to_put
from keel.operations.tools import chain as _tools_chain
from keel.operations.tools import check as _tools_check
from keel.operations.tools import list as _tools_list
from keel.operations.tools import lock as _tools_lock
from keel.operations.tools import new as _tools_new
from keel.operations.tools import run as _tools_run
from keel.operations.tools import show as _tools_show

class Verbs:
    """What can be asked of a workspace. Each method is a command, takes what it takes, and answers the same."""

    def ask(self, verb: str, **given: object) -> Any:
        """The answer of a verb that is named."""
    def accept(self) -> _accept.Result:
        """Accept the files as they are, as the base that `keel compile` compares later edits with, where there is no
        commit.
        """
    def check(
        self, symbol: str, *, limit: int = 50, offset: int = 0, min_confidence: float = 0.0, depth: int = 3
    ) -> _check.Result:
        """Look before an edit: what calls a symbol, how far it reaches, which tests reach it, and what changes would
        break.
        """
    def compile(
        self,
        *files: str,
        since: str | None = None,
        all: bool = False,
        suppress: Sequence[str] = (),
        batch_start: bool = False,
        batch_end: bool = False,
        session: str = "",
    ) -> _compile.Result:
        """Check an edit: which callers it breaks, and what the changed code lacks."""
    def deinit(self, *, yes: bool = False, purge: bool = False) -> _deinit.Result:
        """Remove everything that keel wrote for a workspace, and nothing else."""
    def describe(self, symbol: str, *, max_lines: int = 200) -> _describe.Result:
        """Describe one symbol: what it is, its source, and how many edges it has."""
    def discover(
        self, symbol: str, *, depth: int = 1, min_confidence: float = 0.0, limit: int = 50, offset: int = 0
    ) -> _discover.Result:
        """Show what calls a symbol and what it calls, and the module around it."""
    def explain(self, caller: str, callee: str, *, since: str | None = None) -> OfFinding | OfEdges:
        """Explain a finding, or the edges between two symbols: the evidence, line by line."""
    def export(
        self,
        *,
        kind: Sequence[str] = (),
        language: Sequence[str] = (),
        path: Sequence[str] = (),
        min_confidence: float = 0.0,
    ) -> _export.Result:
        """Write the whole graph, or a part of it, in a form that other programs read."""
    def find(
        self, kind: str, filter: Mapping[str, str | Sequence[str]] = {}, *, limit: int = 50, offset: int = 0
    ) -> _find.Result:
        """List the nodes that match a structured filter: a set, such as all classes of a module."""
    def fix(self, *files: str, since: str | None = None, apply: bool = False, diff: bool = False) -> _fix.Result:
        """Fix what an edit broke: a plan for each open finding, applied where only one change makes sense."""
    def impact(
        self,
        symbol: str,
        *,
        limit: int = 50,
        offset: int = 0,
        min_confidence: float = 0.0,
        depth: int = 3,
        tests: bool = False,
    ) -> _impact.Result:
        """Show what a change of a symbol affects: what calls, reads, inherits or is typed by it, near and far, and the
        tests.
        """
    def init(
        self, *, yes: bool = False, strict: bool = False, agents: Sequence[str] = (), hooks: bool = True
    ) -> _init.Result:
        """Set keel up: look at the code, build the graph, and write a configuration that fits it."""
    def map(
        self,
        *,
        fresh: bool = False,
        no_ty: bool = False,
        no_tier3: bool = False,
        depth: int = 0,
        scope: str = "",
        limit: int = 500,
        offset: int = 0,
    ) -> _map.Result:
        """Build the graph of the workspace from all its files, and show it as a map."""
    def neighbors(
        self,
        *ids: str,
        limit: int = 50,
        offset: int = 0,
        min_confidence: float = 0.0,
        direction: str,
        edge_types: Sequence[str],
        filter: Mapping[str, str | Sequence[str]] = {},
    ) -> _neighbors.Result:
        """List what is exactly one edge away from nodes, of the edge types that are named."""
    def resolve(self, identifier: str, *, hint_kind: str | None = None) -> _resolve.Result:
        """Resolve an identifier to one node, several candidates, or none."""
    def review(self, *, base: str, strict: bool = False, verbose: bool = False) -> _review.Result:
        """Review a branch: what its changes break, compared with where it left another one."""
    def search(
        self,
        query: str,
        *,
        limit: int = 10,
        offset: int = 0,
        kinds: Sequence[str] = (),
        language: Sequence[str] = (),
        root: Sequence[str] = (),
        path: str = "",
        foreign: bool = False,
    ) -> _search.Result:
        """Find symbols by free text: words of their names, signatures, docstrings and paths."""
    def stats(self, *, differing: bool = False) -> _stats.Result:
        """Count what is in the graph, and why references have no edge."""
    def status(self, *, limit: int = 20) -> _status.Result:
        """Say whether the graph exists and is fresh, and what it does not cover."""
    def sync(self) -> _sync.Result:
        """Bring the graph up to date with the files, and say what changed."""
    def tools_chain(self, item_id: str) -> _tools_chain.Result:
        """Show the chain of a tool: what runs it, down to the primitive, and whether that is allowed."""
    def tools_check(self, *item_ids: str) -> _tools_check.Result:
        """Check tools without running them: their manifests, chains, spaces, versions, schemas and locks."""
    def tools_list(self, *, space: str = "") -> _tools_list.Result:
        """List the tools that can be asked for, with the space that each comes from."""
    def tools_lock(self, item_id: str) -> _tools_lock.Result:
        """Lock a tool to its chain as it is: it runs only while nothing in the chain differs."""
    def tools_new(
        self, item_id: str, *, space: str = "project", type: str = "python", description: str = ""
    ) -> _tools_new.Result:
        """Make a new tool, which runs as it is and is meant to be changed."""
    def tools_run(
        self, item_id: str, *, param: Sequence[str] = (), params: str = "", frozen: bool = False
    ) -> _tools_run.Result:
        """Run a tool with parameters."""
    def tools_show(self, item_id: str) -> _tools_show.Result:
        """Show one tool: where it is, its manifest, what runs it, what it shadows, and what is wrong with it."""
    def where(self, symbol: str) -> _where.Result:
        """Show where a symbol is defined: its path and line."""
    def where_to_put(self, what: str) -> _where_to_put.Result:
        """Say where something belongs: the three modules that fit best, with the reasons."""
