"""Show where a symbol is defined: its path and line.

A symbol is a hash, an old hash, an id, a `path:line`, a path, a qualified name (`Class.method`), a dotted name with its
module (`pkg.mod.Class.method`), or a bare name. When it names more than one symbol, all are listed and none is chosen.
An old hash still finds its symbol, and the answer says that it was an old one.

    keel where Session.get
    keel where 1gHsK93bQxT
    keel where src/app.py:120
    keel where tool:system:python_runtime

A tool of the tool spaces is named by `tool:<space>:<id>`, or by its id alone where nothing in the graph has that name.
The line is that of the current file: the file is looked at, and when it changed, the graph is brought up to date before
answering; so it is when the name is unknown or names several. Only a namesake in another file, written since the last
command, can go unmentioned.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from keel.graph.lookup.handles import Match, PathScope, find, find_all
from keel.graph.naming import id_of, kind_of
from keel.model.hashing import to_text
from keel.model.record import Record, field
from keel.querying.single_file import is_as_stored, stored_graph
from keel.querying.symbol_or_tool import symbol_or_tool

if TYPE_CHECKING:
    from typing import ClassVar

    from keel.ports.workspace import Workspace
    from keel.querying.tool_nodes import ToolNode

GROUP = "ask"
QUICK = True


class Params(Record):
    """Parameters of `where`."""

    symbol: str = field("A hash, id, path:line, path, qualified, dotted or bare name.", positional=True)


class Result(Record):
    """Where the symbol is defined."""

    LAYOUT: ClassVar = ("{path}:{line}  {kind} {qualified_name}  {hash}", "{note}")

    path: str = field("The file, relative to its root.")
    line: int = field("The line of its name.")
    root: str = field("The root the file is in.")
    id: str = field("The stable name of the symbol.")
    hash: str = field("Its short handle, which changes with its content.")
    kind: str = field("What it is.")
    qualified_name: str = field("Its name within the file.")
    by_old_hash: bool = field("Whether the hash that was asked for is one it had before.")
    note: str = field("A remark about the answer; usually empty.", default="")


def run(workspace: Workspace, params: Params) -> Result:
    """Finds the symbol."""
    return symbol_or_tool(workspace, params.symbol, lambda: _symbol(workspace, params.symbol), _tool)


def _symbol(workspace: Workspace, symbol: str) -> Result:
    places = PathScope(workspace.roots, workspace.here)
    node, file, by_old_hash = _settled(workspace, symbol, places) or _current(workspace, symbol, places)
    now = to_text(node.hash)
    return Result(
        path=file.path,
        line=node.line,
        root=file.root,
        id=id_of(node, file),
        hash=now,
        kind=kind_of(node),
        qualified_name=node.qualified_name,
        by_old_hash=by_old_hash,
        note=f"found by an old hash; it is {now} now" if by_old_hash else "",
    )


def _tool(found: ToolNode) -> Result:
    return Result(
        path=found.node.path,
        line=found.node.start_line,
        root=found.node.root,
        id=found.node.id,
        hash=found.node.hash,
        kind=found.node.kind,
        qualified_name=found.node.qualified_name,
        by_old_hash=False,
        note=found.note,
    )


def _settled(workspace: Workspace, symbol: str, places: PathScope) -> Match | None:
    """The answer of the stored graph, when it has one and its file is unchanged."""
    with stored_graph(workspace) as reader:
        matches = find_all(reader, symbol, places)
    return matches[0] if len(matches) == 1 and is_as_stored(workspace, matches[0].file) else None


def _current(workspace: Workspace, symbol: str, places: PathScope) -> Match:
    from keel.querying.current_graph import current_graph  # looking at all files takes longer than the usual answer

    with current_graph(workspace) as reader:
        return find(reader, symbol, places)
