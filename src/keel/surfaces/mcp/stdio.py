"""Standard input and output as the transport, with `initialize` answered at once.

The SDK takes a second to import, and a client's first line is nearly always `initialize`, whose answer is known without
it. So that line is read and answered here while the SDK is imported in a thread; then the SDK is given the same line,
takes over with everything behind it, and its own answer to it, which is the same, is left out. Any other first line
waits for the SDK. While it serves, what anything else prints goes to standard error, and cannot garble the protocol.
"""

from __future__ import annotations

import json
import os
import sys
import threading
from importlib import import_module
from typing import IO, TYPE_CHECKING, Any, NamedTuple, cast

from keel import __version__
from keel.surfaces.mcp.catalogue import INSTRUCTIONS

if TYPE_CHECKING:
    from collections.abc import Callable

    from mcp.server.lowlevel import Server

VERSIONS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
"""Protocol versions with an `initialize` request. An unknown one is left to the SDK, which may be newer."""
NAME = "keel"


def serve(server: Callable[[], Server[Any]]) -> None:
    """Serves the client until it leaves; `server` makes the server, and is called in a thread."""
    incoming, outgoing = _wire()
    prepared = _Prepared(server)
    line = incoming.readline()
    greeted = greeting(line)
    if greeted is not None:
        outgoing.write(greeted.answer)
        outgoing.flush()
    if not line:
        return  # the client is gone
    made = prepared.result()
    import_module("anyio").run(_run, made, _Replayed(line, incoming), _Filtered(greeted, outgoing))


class Greeting(NamedTuple):
    """An `initialize` that was answered."""

    id: object
    answer: bytes


def greeting(line: bytes | str) -> Greeting | None:
    """The answer to a client's first line, when it is a valid `initialize`; anything else is left to the SDK."""
    try:
        said = json.loads(line)
    except (ValueError, RecursionError):
        return None
    match said:
        case {
            "jsonrpc": "2.0",
            "id": int() | str() as number,
            "method": "initialize",
            "params": {
                "protocolVersion": str() as version,
                "capabilities": dict() as capabilities,
                "clientInfo": {"name": str(), "version": str()},
            },
        } if version in VERSIONS and all(isinstance(value, dict) for value in capabilities.values()):
            answer = {"jsonrpc": "2.0", "id": number, "result": welcome(version)}
            return Greeting(number, json.dumps(answer, ensure_ascii=False, separators=(",", ":")).encode() + b"\n")
    return None


def welcome(version: str) -> dict[str, Any]:
    """The SDK's answer to `initialize`, made without it; a test compares the two."""
    return {
        "protocolVersion": version,
        "capabilities": {
            "prompts": {"listChanged": False},
            "resources": {"subscribe": False, "listChanged": False},
            "tools": {"listChanged": False},
        },
        "serverInfo": {"name": NAME, "title": NAME, "version": __version__},
        "instructions": INSTRUCTIONS,
    }


class _Prepared:
    """A value that is made in a thread, before it is needed."""

    def __init__(self, make: Callable[[], Server[Any]]) -> None:
        self._made: list[Server[Any]] = []
        self._trouble: list[BaseException] = []
        self._thread = threading.Thread(target=self._run, args=(make,), daemon=True)
        self._thread.start()

    def _run(self, make: Callable[[], Server[Any]]) -> None:
        try:
            self._made.append(make())
        except BaseException as trouble:
            self._trouble.append(trouble)

    def result(self) -> Server[Any]:
        """What was made, once it is; or what went wrong."""
        self._thread.join()
        if self._trouble:
            raise self._trouble[0]
        return self._made[0]


class _Replayed:
    """The lines of a stream as text, one of which was read already."""

    def __init__(self, line: bytes, rest: IO[bytes]) -> None:
        self._line, self._rest = line, rest

    def readline(self) -> str:
        """The next line; empty at the end."""
        line, self._line = self._line or self._rest.readline(), b""
        return line.decode("utf-8", "replace")


class _Filtered:
    """A stream of lines that leaves out the answer to what was answered already."""

    def __init__(self, greeted: Greeting | None, stream: IO[bytes]) -> None:
        self._greeted, self._stream = greeted, stream

    def write(self, text: str) -> int:
        """Writes a line, unless it is that answer."""
        if self._greeted is not None:
            said = json.loads(text)
            if said.get("id") == self._greeted.id and "method" not in said:
                self._greeted = None
                return len(text)
        self._stream.write(text.encode("utf-8", "replace"))
        return len(text)

    def flush(self) -> None:
        """Sends what was written."""
        self._stream.flush()


def _wire() -> tuple[IO[bytes], IO[bytes]]:
    """The two ends of the protocol; standard input is empty from now on, standard output goes to standard error."""
    incoming = os.fdopen(os.dup(sys.stdin.fileno()), "rb")
    outgoing = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, sys.stdin.fileno())
    os.close(nothing)
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    return incoming, outgoing


async def _run(server: Server[Any], incoming: _Replayed, outgoing: _Filtered) -> None:
    import anyio
    from mcp.server.stdio import stdio_server

    reading = anyio.wrap_file(cast("IO[str]", incoming))
    writing = anyio.wrap_file(cast("IO[str]", outgoing))
    async with stdio_server(reading, writing) as (requests, answers):
        await server.run(requests, answers, server.create_initialization_options())
