"""Streamable HTTP as the transport, for this machine only: it listens on the loopback address.

Requests must name this server in `Host`, and, when a browser sends them, in `Origin`: pages of other sites, and DNS
names that were made to point here, are refused. Answering is left to `server.py`.
"""

from __future__ import annotations

import socket
from typing import TYPE_CHECKING, Any

import uvicorn
from mcp.server.transport_security import TransportSecuritySettings

from keel.errors import WorkspaceError

if TYPE_CHECKING:
    from collections.abc import Callable

    from mcp.server.lowlevel import Server

HOST = "127.0.0.1"
NAMES = (HOST, "localhost")
PATH = "/mcp"
GRACE = 2
"""Seconds that clients have when the server ends."""


def serve(server: Server[Any], port: int, tell: Callable[[str], None]) -> None:
    """Serves until it is interrupted; `tell` is called with the address; port 0 is any that is free."""
    with _listening(port) as listening:
        port = listening.getsockname()[1]
        allowed = TransportSecuritySettings(
            allowed_hosts=[f"{name}:{port}" for name in NAMES],
            allowed_origins=[f"http://{name}:{port}" for name in NAMES],
        )
        app = server.streamable_http_app(streamable_http_path=PATH, transport_security=allowed, host=HOST)
        tell(f"http://{HOST}:{port}{PATH}")
        settings = uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=GRACE, lifespan="on")
        uvicorn.Server(settings).run(sockets=[listening])


def _listening(port: int) -> socket.socket:
    found = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        found.bind((HOST, port))
        found.listen(socket.SOMAXCONN)
    except (OSError, OverflowError) as error:
        found.close()
        raise WorkspaceError(f"cannot listen on {HOST}:{port}: {getattr(error, 'strerror', '') or error}") from error
    return found
