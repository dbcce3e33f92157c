"""Serve this workspace to coding agents over the Model Context Protocol.

Speaks over standard input and output, as agents start it; or, with `--http`, over streamable HTTP, to clients of this
machine only. The tools are the commands that an agent asks: `resolve`, `search`, `find`, `describe`, `neighbors`,
`impact`, `compile` and `explain`; with `--all`, every other as well. Their answers are those of the command line.

    keel mcp
    keel mcp --workspace ~/src/shop
    keel mcp --http --port 7411

Answers are about the files as they are: there is nothing to run after an edit. When the workspace was never mapped, the
first request starts that in the background; until it is done, answers report its progress. The server ends when the
client leaves.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from keel.errors import UsageError
from keel.model.record import Record, field

if TYPE_CHECKING:
    from typing import Any, ClassVar

GROUP = "share"
PORT = 7411


class Params(Record):
    """What `mcp` can be told."""

    http: bool = field("Serve streamable HTTP on 127.0.0.1 instead of standard input and output.", default=False)
    port: int = field("With --http: the port to listen on; 0 is any that is free.", default=PORT, least=0, most=65535)
    all: bool = field("Offer every command as a tool, not only the eight that agents need.", default=False)
    workspace: str | None = field("The workspace to serve; otherwise that of the current folder.", default=None)


class Result(Record):
    """Empty: all answers went over the protocol."""

    LAYOUT: ClassVar = ()


def run(params: Params) -> Result:
    """Serves until the client leaves, or until it is interrupted."""
    from importlib.util import find_spec

    if find_spec("mcp") is None:
        raise UsageError(
            "the package `mcp`, which comes with keel, is missing",
            "install keel again: pip install --force-reinstall keel-graph",
        )
    from keel.surfaces.cli.log import note
    from keel.surfaces.cli.streams import complain
    from keel.surfaces.mcp.calls import Asking

    asking = Asking(os.curdir, params.workspace, note)

    def server() -> Any:
        from keel.surfaces.mcp.catalogue import tools
        from keel.surfaces.mcp.server import server_of

        return server_of(asking, tools(params.all))

    if params.http:
        from keel.surfaces.mcp import http

        folder = asking.workspace.folder
        http.serve(server(), params.port, lambda address: complain(f"serving {folder} at {address}", "keel: "))
    else:
        from keel.surfaces.mcp import stdio

        stdio.serve(server)
    _leave()
    return Result()


def _leave() -> None:
    """Ends at once: calls still being answered have no client any more, and an unfinished write is rolled back."""
    import threading

    if threading.active_count() > 1:
        os._exit(0)
