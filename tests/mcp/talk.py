"""A client of few words: JSON-RPC over the standard streams of `keel mcp`, without the SDK, so that it can misbehave.

What is asked is each test's own business; `examples.py` has a sensible call of every tool.
"""

from __future__ import annotations

import json
import queue
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.workspaces import PATIENCE

VERSION = "2025-11-25"
HELLO = {"protocolVersion": VERSION, "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
SECONDS = PATIENCE

Message = dict[str, Any]


class Talk:
    """One conversation with a server of its own."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process = process
        self.aside: list[Message] = []
        """What came that was no answer to a question."""
        self._last = 0
        self._lines: queue.Queue[bytes] = queue.Queue()
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._lines.put(line)
        self._lines.put(b"")

    def hello(self) -> Message:
        """Greets the server; its answer."""
        answer = self.ask("initialize", HELLO)
        self.tell({"jsonrpc": "2.0", "method": "notifications/initialized"})
        return answer

    def ask(self, method: str, params: object = None) -> Message:
        """Asks, and waits for the answer."""
        return self.answer_to(self.begin(method, params))

    def begin(self, method: str, params: object = None) -> int:
        """Asks without waiting; the number of the question."""
        self._last += 1
        self.tell(
            {"jsonrpc": "2.0", "id": self._last, "method": method, "params": params if params is not None else {}}
        )
        return self._last

    def answer_to(self, number: int) -> Message:
        """The answer to a question; what comes before it is put aside."""
        while (message := self.hear()).get("id") != number:
            self.aside.append(message)
        return message

    def call(self, tool: str, /, **arguments: object) -> Message:
        """The result of a tool."""
        answer = self.ask("tools/call", {"name": tool, "arguments": arguments})
        assert "result" in answer, answer
        result: Message = answer["result"]
        return result

    def tell(self, message: object) -> None:
        """Sends a message, or a text that is none."""
        self.send((message if isinstance(message, str) else json.dumps(message)).encode() + b"\n")

    def send(self, data: bytes) -> None:
        """Sends bytes as they are."""
        assert self.process.stdin is not None
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def hear(self) -> Message:
        """The next message of the server."""
        line = self._lines.get(timeout=SECONDS)
        assert line, "the server has left"
        message: Message = json.loads(line)
        return message

    def leave(self) -> int:
        """Ends the conversation; the exit code of the server."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        return self.process.wait(SECONDS)


@contextmanager
def talking(folder: Path, *words: str) -> Iterator[Talk]:
    """A conversation with `keel mcp` in a folder; the server is gone at the end of the block."""
    command = [sys.executable, "-m", "keel", "mcp", *words]
    with subprocess.Popen(
        command, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        try:
            yield Talk(process)
        finally:
            process.kill()


def text_of(result: Message) -> str:
    """The text of a tool's result."""
    [content] = result["content"]
    assert content["type"] == "text"
    text: str = content["text"]
    return text
