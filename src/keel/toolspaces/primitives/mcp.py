"""One call of a tool of an MCP server that is started for it: a conversation over standard input and output.

Messages are JSON-RPC, a line each. The server is initialized, called once, and ended. Starting and ending it is left to
`groups.py`.
"""

from __future__ import annotations

import json
import queue
import subprocess
import threading
import time
from contextlib import suppress
from io import BufferedReader
from typing import IO, Any

from keel.toolspaces.jobs import Job, Outcome
from keel.toolspaces.manifests.plain_values import read_json
from keel.toolspaces.primitives.groups import MAX_TIMEOUT, TIMEOUT, Tap, send, started

PROTOCOL = "2025-06-18"
CLIENT = "1.0.0"
"""The version of this side of the conversation."""
NO_SUCH_METHOD = -32601
GREETING, CALL = 1, 2


class Broken(Exception):
    """The conversation failed; the message says how."""


def converse(job: Job) -> Outcome:
    """Calls the tool that the settings name (`mcp_tool`) with the parameters of the job."""
    name = job.text("mcp_tool")
    if not name:
        raise job.problem("CONFIG names no mcp_tool")
    timeout, most = job.number("timeout", TIMEOUT, MAX_TIMEOUT), job.limit
    with started(job) as server:
        heard = Tap(server.stderr, most)
        talk = _Talk(server, most, time.monotonic() + timeout)
        try:
            talk.ask(GREETING, "initialize", _hello())
            talk.tell({"method": "notifications/initialized"})
            answer = talk.ask(CALL, "tools/call", {"name": name, "arguments": dict(job.params)})
            outcome = _outcome(answer)
        except queue.Empty:
            outcome = Outcome(success=False, error=f"not done after {timeout:g} s, and ended")
        except Broken as problem:
            outcome = Outcome(success=False, error=str(problem))
    warnings = heard.finish("error output")
    return outcome._replace(messages=heard.text, warnings=tuple(warnings))


class _Talk:
    """Both directions of a conversation, with an end that does not move."""

    def __init__(self, server: subprocess.Popen[bytes], most: int, deadline: float) -> None:
        self._server, self._deadline = server, deadline
        self._lines: queue.Queue[bytes | None] = queue.Queue()
        threading.Thread(target=_listen, args=(server.stdout, most, self._lines), daemon=True).start()

    def tell(self, message: dict[str, Any]) -> None:
        """Sends a message."""
        pipe = self._server.stdin
        line = json.dumps({"jsonrpc": "2.0", **message}, ensure_ascii=False).encode() + b"\n"
        # A server that does not read must not hold up the deadline.
        writer = threading.Thread(target=send, args=(pipe, line), daemon=True)
        writer.start()
        writer.join(max(0.0, self._deadline - time.monotonic()))
        if writer.is_alive():
            raise queue.Empty

    def ask(self, number: int, method: str, params: dict[str, Any]) -> Any:
        """Sends a request and waits for its answer; what the server asks meanwhile is declined."""
        self.tell({"id": number, "method": method, "params": params})
        while True:
            message = self._hear(method)
            if "method" in message:
                if "id" in message:
                    self.tell(_declined(message))
            elif message.get("id") == number:
                if "error" in message:
                    raise Broken(f"the server refused {method}: {_format_error(message['error'])}")
                return message.get("result")

    def _hear(self, method: str) -> dict[str, Any]:
        line = self._lines.get(timeout=max(0.0, self._deadline - time.monotonic()))
        if line is None:
            raise Broken(f"the server ended, or said too much, before it answered {method}")
        try:
            message = read_json(line)
        except ValueError as error:
            raise Broken(f"the server does not speak JSON: {line[:80]!r}") from error
        if not isinstance(message, dict):
            raise Broken(f"the server does not speak JSON-RPC: {line[:80]!r}")
        return message


def _listen(pipe: IO[bytes] | None, most: int, lines: queue.Queue[bytes | None]) -> None:
    """Hands on the lines of a server; None when there are no more, or more than are taken."""
    left = most
    if pipe is not None:
        with suppress(OSError, ValueError), BufferedReader(pipe) as reader:  # type: ignore[type-var]  # it is a raw file
            while left > 0 and (line := reader.readline(left)):
                left -= len(line)
                if line.strip():
                    lines.put(line)
    lines.put(None)


def _hello() -> dict[str, Any]:
    return {"protocolVersion": PROTOCOL, "capabilities": {}, "clientInfo": {"name": "keel", "version": CLIENT}}


def _declined(message: dict[str, Any]) -> dict[str, Any]:
    if message["method"] == "ping":
        return {"id": message["id"], "result": {}}
    return {"id": message["id"], "error": {"code": NO_SUCH_METHOD, "message": "keel offers nothing of its own"}}


def _format_error(error: object) -> str:
    return str(error.get("message", error)) if isinstance(error, dict) else str(error)


def _outcome(answer: object) -> Outcome:
    """A tool's answer: what it says in structure, else its text, else everything it sent."""
    if not isinstance(answer, dict):
        raise Broken("the server answered without a result")
    content = answer.get("content")
    pieces = [piece for piece in content if isinstance(piece, dict)] if isinstance(content, list) else []
    is_text = bool(pieces) and all(piece.get("type") == "text" for piece in pieces)
    text = "\n".join(str(piece.get("text", "")) for piece in pieces) if is_text else ""
    data = answer.get("structuredContent", text if is_text else content)
    failed = bool(answer.get("isError"))
    return Outcome(success=not failed, data=data, error=(text or "the tool says that it failed") if failed else "")
