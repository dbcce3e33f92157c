"""A client for language servers, as small as asking for definitions allows.

Which servers there are is left to `servers`, what to ask to `truth`. Requests are pipelined; whatever the server asks
in turn is answered by the reading thread, so that neither side waits for the other.
"""

from __future__ import annotations

import json
import subprocess
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from queue import Empty, Queue
from typing import IO, Any, Self
from urllib.parse import unquote, urlsplit

from benchmarks.accuracy.sites import SourceSpan

IN_FLIGHT = 64
PATIENCE_SECONDS = 300.0
OUTSIDE = SourceSpan("", 0, 0)
"""Means every place outside the folder that the server was shown."""

Json = Any
"""What a server sends; it is looked into with care."""


class ServerGone(Exception):
    """A server ended, failed a request or said nothing for too long."""


class Client:
    """A running server that is shown one folder; use it as a context manager."""

    def __init__(self, command: Sequence[str], room: Path, options: Json, settings: Mapping[str, Json]) -> None:
        self._room = room.resolve()
        self._settings = settings
        self._process = subprocess.Popen(
            command, cwd=room, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        self._writing = threading.Lock()
        self._arrived: Queue[Json] = Queue()
        self._number = 0
        self._lines: dict[str, list[bytes]] = {}
        threading.Thread(target=self._read, daemon=True).start()
        self._utf8 = self._initialize(options)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        with suppress(OSError, ServerGone):
            self._answers([self._ask("shutdown", None)])
            self._tell("exit", None)
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(timeout=5)
        self._process.kill()
        self._process.wait()

    def definitions(self, path: str, places: Sequence[SourceSpan]) -> list[list[SourceSpan]]:
        """Where the server says that the names at some places of one file are defined."""
        uri = self._uri(path)
        text = (self._room / path).read_text(encoding="utf-8")
        document = {"uri": uri, "languageId": "python", "version": 1, "text": text}
        self._tell("textDocument/didOpen", {"textDocument": document})
        landings: list[list[SourceSpan]] = []
        waiting: list[int] = []
        for begin in range(0, len(places), IN_FLIGHT):
            for place in places[begin : begin + IN_FLIGHT]:
                position = {"line": place.line - 1, "character": self._to_server(place)}
                waiting.append(
                    self._ask("textDocument/definition", {"textDocument": {"uri": uri}, "position": position})
                )
            landings.extend(self._landings(result) for result in self._answers(waiting))
            waiting.clear()
        self._tell("textDocument/didClose", {"textDocument": {"uri": uri}})
        return landings

    def _initialize(self, options: Json) -> bool:
        """Shakes hands; whether columns are bytes of UTF-8 from now on."""
        uri = self._room.as_uri()
        capabilities = {
            "general": {"positionEncodings": ["utf-8", "utf-16"]},
            "textDocument": {"definition": {"linkSupport": True}, "diagnostic": {"dynamicRegistration": False}},
            "workspace": {"configuration": True, "workspaceFolders": True},
        }
        params = {
            "processId": None,
            "rootUri": uri,
            "workspaceFolders": [{"uri": uri, "name": self._room.name}],
            "capabilities": capabilities,
            "initializationOptions": options,
        }
        [result] = self._answers([self._ask("initialize", params)])
        self._tell("initialized", {})
        self._tell("workspace/didChangeConfiguration", {"settings": self._settings})
        return bool(result["capabilities"].get("positionEncoding") == "utf-8")

    def _ask(self, method: str, params: Json) -> int:
        self._number += 1
        self._send({"id": self._number, "method": method, "params": params})
        return self._number

    def _tell(self, method: str, params: Json) -> None:
        self._send({"method": method, "params": params})

    def _send(self, message: dict[str, Json]) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        out = _pipe(self._process.stdin)
        with self._writing:
            out.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
            out.flush()

    def _answers(self, numbers: Sequence[int]) -> list[Json]:
        """The results of requests, in their order."""
        results: dict[int, Json] = {}
        while any(number not in results for number in numbers):
            try:
                message = self._arrived.get(timeout=PATIENCE_SECONDS)
            except Empty:
                raise ServerGone(f"no answer in {PATIENCE_SECONDS:.0f} s") from None
            if message is None:
                raise ServerGone("the server ended")
            if "error" in message:
                raise ServerGone(f"the server failed: {message['error'].get('message')}")
            results[message["id"]] = message.get("result")
        return [results[number] for number in numbers]

    def _read(self) -> None:
        """Everything the server sends: answers are handed on, its own questions answered, the rest dropped."""
        stream = _pipe(self._process.stdout)
        with suppress(OSError, ValueError):
            while (length := _content_length(stream)) is not None:
                message = json.loads(stream.read(length))
                if "method" not in message:
                    self._arrived.put(message)
                elif "id" in message:
                    self._send({"id": message["id"], "result": self._reply(message)})
        self._arrived.put(None)

    def _reply(self, message: Json) -> Json:
        if message["method"] != "workspace/configuration":
            return None
        return [self._settings.get(item.get("section", "")) for item in message["params"]["items"]]

    def _landings(self, result: Json) -> list[SourceSpan]:
        listed = result if isinstance(result, list) else [result] if result else []
        return list(dict.fromkeys(self._landing(item) for item in listed))

    def _landing(self, item: Json) -> SourceSpan:
        uri = item.get("targetUri") or item["uri"]
        start = (item.get("targetSelectionRange") or item["range"])["start"]
        path = Path(unquote(urlsplit(uri).path))
        if not path.is_relative_to(self._room):
            return OUTSIDE
        name = path.relative_to(self._room).as_posix()
        return SourceSpan(name, start["line"] + 1, self._from_server(name, start["line"], start["character"]))

    def _to_server(self, place: SourceSpan) -> int:
        before = self._line(place.path, place.line - 1)[: place.column - 1]
        return len(before) if self._utf8 else len(before.decode().encode("utf-16-le")) // 2

    def _from_server(self, path: str, line: int, character: int) -> int:
        if self._utf8:
            return character + 1
        before = self._line(path, line).decode().encode("utf-16-le")[: 2 * character]
        return len(before.decode("utf-16-le").encode()) + 1

    def _line(self, path: str, line: int) -> bytes:
        if path not in self._lines:
            self._lines[path] = (self._room / path).read_bytes().splitlines()
        lines = self._lines[path]
        return lines[line] if line < len(lines) else b""

    def _uri(self, path: str) -> str:
        return (self._room / path).as_uri()


def _content_length(stream: IO[bytes]) -> int | None:
    """The length that the head of a message says, or None at the end."""
    length = None
    while line := stream.readline():
        if line == b"\r\n":
            return length
        name, _, value = line.partition(b":")
        if name.lower() == b"content-length":
            length = int(value)
    return None


def _pipe(stream: IO[bytes] | None) -> IO[bytes]:
    assert stream is not None, "the process was started with pipes"
    return stream
