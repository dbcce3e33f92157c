"""Every verb as a method. Made by `make docs` from the operations; not edited by hand.

Answers are the records of the operations; whom the questions go to is left to `workspace.py`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

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
    from keel.operations._explained_edges import OfEdges
    from keel.operations._explained_finding import OfFinding
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
        """The answer of a verb that is named; for those of guests, which have no method here."""
        raise NotImplementedError

    def accept(self) -> _accept.Result:
        """Accept the files as they are: what `keel compile` compares later edits with, where there is no commit to do
        so.
        """
        answer: _accept.Result = self.ask("accept")
        return answer

    def check(
        self, symbol: str, *, limit: int = 50, offset: int = 0, min_confidence: float = 0.0, depth: int = 3
    ) -> _check.Result:
        """Look before an edit: what calls a symbol, how far it reaches, which tests reach it, and what changes would
        break.
        """
        answer: _check.Result = self.ask(
            "check", limit=limit, offset=offset, min_confidence=min_confidence, symbol=symbol, depth=depth
        )
        return answer

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
        answer: _compile.Result = self.ask(
            "compile",
            files=files,
            since=since,
            all=all,
            suppress=suppress,
            batch_start=batch_start,
            batch_end=batch_end,
            session=session,
        )
        return answer

    def deinit(self, *, yes: bool = False, purge: bool = False) -> _deinit.Result:
        """Remove everything that keel wrote for a workspace, and nothing else."""
        answer: _deinit.Result = self.ask("deinit", yes=yes, purge=purge)
        return answer

    def describe(self, symbol: str, *, max_lines: int = 200) -> _describe.Result:
        """Describe one symbol: what it is, its source, and how many edges it has."""
        answer: _describe.Result = self.ask("describe", symbol=symbol, max_lines=max_lines)
        return answer

    def discover(
        self, symbol: str, *, depth: int = 1, min_confidence: float = 0.0, limit: int = 50, offset: int = 0
    ) -> _discover.Result:
        """Show what calls a symbol and what it calls, and the module around it."""
        answer: _discover.Result = self.ask(
            "discover", symbol=symbol, depth=depth, min_confidence=min_confidence, limit=limit, offset=offset
        )
        return answer

    def explain(self, caller: str, callee: str, *, since: str | None = None) -> OfFinding | OfEdges:
        """Explain a finding, or the edges between two symbols: the evidence, line by line."""
        answer: OfFinding | OfEdges = self.ask("explain", caller=caller, callee=callee, since=since)
        return answer

    def export(
        self,
        *,
        kind: Sequence[str] = (),
        language: Sequence[str] = (),
        path: Sequence[str] = (),
        min_confidence: float = 0.0,
    ) -> _export.Result:
        """Write the whole graph, or a part of it, in a form that other programs read."""
        answer: _export.Result = self.ask(
            "export", kind=kind, language=language, path=path, min_confidence=min_confidence
        )
        return answer

    def find(
        self, kind: str, filter: Mapping[str, str | Sequence[str]] = {}, *, limit: int = 50, offset: int = 0
    ) -> _find.Result:
        """List the nodes that a structured filter leaves: a set, such as all classes of a module."""
        answer: _find.Result = self.ask("find", limit=limit, offset=offset, kind=kind, filter=filter)
        return answer

    def fix(self, *files: str, since: str | None = None, apply: bool = False, diff: bool = False) -> _fix.Result:
        """Fix what an edit broke: a plan for each open finding, applied where only one change makes sense."""
        answer: _fix.Result = self.ask("fix", files=files, since=since, apply=apply, diff=diff)
        return answer

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
        answer: _impact.Result = self.ask(
            "impact", limit=limit, offset=offset, min_confidence=min_confidence, symbol=symbol, depth=depth, tests=tests
        )
        return answer

    def init(
        self, *, yes: bool = False, strict: bool = False, agents: Sequence[str] = (), hooks: bool = True
    ) -> _init.Result:
        """Set keel up: look at the code, build the graph, and write a configuration that fits it."""
        answer: _init.Result = self.ask("init", yes=yes, strict=strict, agents=agents, hooks=hooks)
        return answer

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
        answer: _map.Result = self.ask(
            "map", fresh=fresh, no_ty=no_ty, no_tier3=no_tier3, depth=depth, scope=scope, limit=limit, offset=offset
        )
        return answer

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
        answer: _neighbors.Result = self.ask(
            "neighbors",
            limit=limit,
            offset=offset,
            min_confidence=min_confidence,
            ids=ids,
            direction=direction,
            edge_types=edge_types,
            filter=filter,
        )
        return answer

    def resolve(self, identifier: str, *, hint_kind: str | None = None) -> _resolve.Result:
        """Resolve an identifier to one node, several candidates, or none."""
        answer: _resolve.Result = self.ask("resolve", identifier=identifier, hint_kind=hint_kind)
        return answer

    def review(self, *, base: str, strict: bool = False, verbose: bool = False) -> _review.Result:
        """Review a branch: what its changes break, compared with where it left another one."""
        answer: _review.Result = self.ask("review", base=base, strict=strict, verbose=verbose)
        return answer

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
        answer: _search.Result = self.ask(
            "search",
            limit=limit,
            offset=offset,
            query=query,
            kinds=kinds,
            language=language,
            root=root,
            path=path,
            foreign=foreign,
        )
        return answer

    def stats(self, *, differing: bool = False) -> _stats.Result:
        """Count what is in the graph, and why references have no edge."""
        answer: _stats.Result = self.ask("stats", differing=differing)
        return answer

    def status(self, *, limit: int = 20) -> _status.Result:
        """Say whether the graph exists and is fresh, and what it does not cover."""
        answer: _status.Result = self.ask("status", limit=limit)
        return answer

    def sync(self) -> _sync.Result:
        """Bring the graph up to date with the files, and say what changed."""
        answer: _sync.Result = self.ask("sync")
        return answer

    def tools_chain(self, item_id: str) -> _tools_chain.Result:
        """Show the chain of a tool: what runs it, down to the primitive, and whether that is allowed."""
        answer: _tools_chain.Result = self.ask("tools chain", item_id=item_id)
        return answer

    def tools_check(self, *item_ids: str) -> _tools_check.Result:
        """Check tools without running them: their manifests, chains, spaces, versions, schemas and locks."""
        answer: _tools_check.Result = self.ask("tools check", item_ids=item_ids)
        return answer

    def tools_list(self, *, space: str = "") -> _tools_list.Result:
        """List the tools that can be asked for, with the space that each comes from."""
        answer: _tools_list.Result = self.ask("tools list", space=space)
        return answer

    def tools_lock(self, item_id: str) -> _tools_lock.Result:
        """Lock a tool to its chain as it is: it runs only while nothing in the chain differs."""
        answer: _tools_lock.Result = self.ask("tools lock", item_id=item_id)
        return answer

    def tools_new(
        self, item_id: str, *, space: str = "project", type: str = "python", description: str = ""
    ) -> _tools_new.Result:
        """Make a new tool, which runs as it is and is meant to be changed."""
        answer: _tools_new.Result = self.ask(
            "tools new", item_id=item_id, space=space, type=type, description=description
        )
        return answer

    def tools_run(
        self, item_id: str, *, param: Sequence[str] = (), params: str = "", frozen: bool = False
    ) -> _tools_run.Result:
        """Run a tool with parameters."""
        answer: _tools_run.Result = self.ask("tools run", item_id=item_id, param=param, params=params, frozen=frozen)
        return answer

    def tools_show(self, item_id: str) -> _tools_show.Result:
        """Show one tool: where it is, what it says, what runs it, what it shadows, and what is wrong with it."""
        answer: _tools_show.Result = self.ask("tools show", item_id=item_id)
        return answer

    def where(self, symbol: str) -> _where.Result:
        """Show where a symbol is defined: its path and line."""
        answer: _where.Result = self.ask("where", symbol=symbol)
        return answer

    def where_to_put(self, what: str) -> _where_to_put.Result:
        """Say where something belongs: the three modules that fit best, with the reasons."""
        answer: _where_to_put.Result = self.ask("where-to-put", what=what)
        return answer
