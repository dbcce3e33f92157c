"""A language server that misbehaves on demand: what tests of the client talk to.

It is run as a script with one argument, a JSON object (`Script` says what can be in it). It finds `def NAME` and
`class NAME` in the folder that it is shown, and knows nothing else about the language. Standard library only.
"""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypedDict
from urllib.parse import unquote

FOREVER = 600  # seconds; tests end long before


class Script(TypedDict, total=False):
    """What the server is to do; without a word about it, it behaves."""

    start: str
    """Before anything is read: crash, garbage, hang, endless head, flood, deaf, child."""
    encoding: str | None
    """The position encoding it chooses; None says nothing about it."""
    heads: str
    """Further lines in the heads of its messages."""
    asks: list[dict[str, Any]]
    """Requests it sends once it is initialized; what is answered is in `fake/heard`."""
    tells: list[dict[str, Any]]
    """Notifications it sends once it is initialized."""
    chatter: float
    """It says something every so many seconds, whatever else happens."""
    backwards: int
    """So many answers are held back, and then sent last one first."""
    lines: dict[str, str]
    """By the line (from 1) that a definition is asked of: crash, half, hang, garbage, too long, not utf-8, not json,
    refuse, odd, `nobody`, elsewhere, or `once PATH`, which crashes unless the file is there, and makes it."""
    only_open: bool
    """It answers only about files that are open, as they were when they were opened."""
    shutdown: str
    """Its end: ignore (the shutdown request, signals that can be, and the end of input), linger (after exit)."""


def main() -> None:
    script: Script = json.loads(sys.argv[1])
    begin(script)
    Server(script).serve()


def begin(script: Script) -> None:
    """What happens before the first message is read."""
    if script.get("shutdown") == "ignore":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    match script.get("start"):
        case "crash":
            sys.stderr.write("no configuration\n")
            sys.exit(3)
        case "garbage":
            write(b"Welcome to the server!\n")
        case "endless head":
            write(b"x" * 100_000)
        case "hang":
            time.sleep(FOREVER)
        case "deaf":
            time.sleep(FOREVER)
        case "flood":
            for _ in range(50):
                sys.stderr.buffer.write(b"something went wrong\n" * 1_000 + b"y" * 100_000)
        case "child":
            subprocess.Popen([sys.executable, "-c", f"import time; time.sleep({FOREVER})", sys.argv[-1]])


class Server:
    """The loop, and what is answered."""

    def __init__(self, script: Script) -> None:
        self.script = script
        self.root = Path()
        self.held: list[dict[str, Any]] = []
        self.notifications: list[dict[str, Any]] = []
        self.open: dict[str, str] = {}
        self.encoding = script.get("encoding", "utf-8") or "utf-16"

    def serve(self) -> None:
        for message in messages():
            self.notifications.append(message)
            if "method" in message:
                self.take(message)
        if self.script.get("shutdown") == "ignore":
            time.sleep(FOREVER)

    def take(self, message: dict[str, Any]) -> None:
        params: Any = message.get("params")
        match message["method"]:
            case "initialize":
                self.root = path_of(params["rootUri"])
                chosen = self.script.get("encoding", "utf-8")
                said = {} if chosen is None else {"positionEncoding": chosen}
                self.answer(message, {"capabilities": {"definitionProvider": True, **said}, "heard": params})
            case "initialized":
                for number, request in enumerate(self.script.get("asks", [])):
                    self.send({"id": f"mine {number}", **request})
                for notification in self.script.get("tells", []):
                    self.send(notification)
                if "chatter" in self.script:
                    threading.Thread(target=self.chatter, daemon=True).start()
            case "textDocument/didOpen":
                self.open[params["textDocument"]["uri"]] = params["textDocument"]["text"]
            case "textDocument/didClose":
                del self.open[params["textDocument"]["uri"]]
            case "fake/heard":
                self.answer(message, self.notifications)
            case "fake/hang":
                pass
            case "textDocument/definition":
                self.define(message, params)
            case "shutdown" if self.script.get("shutdown") != "ignore":
                self.answer(message, None)
            case "exit" if self.script.get("shutdown") == "linger":
                time.sleep(FOREVER)
            case "exit" if self.script.get("shutdown") != "ignore":
                sys.exit(0)

    def define(self, message: dict[str, Any], params: dict[str, Any]) -> None:
        what, _, rest = self.script.get("lines", {}).get(str(params["position"]["line"] + 1), "").partition(" ")
        if what == "once" and not Path(rest).exists():
            Path(rest).touch()
            what = "crash"
        match what:
            case "crash":
                sys.stderr.write("thread 'main' panicked\n")
                sys.stderr.flush()
                os.kill(os.getpid(), signal.SIGKILL)
            case "half":
                write(b"Content-Length: 500\r\n\r\n{")
                sys.exit(1)
            case "garbage":
                write(b"\x00\xff no head at all\r\n\r\n")
            case "too":  # long
                write(b"Content-Length: 99999999999\r\n\r\n")
            case "not":  # utf-8, json
                body = b'{"id": "\xff"}' if rest == "utf-8" else b"{]"
                write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
            case "refuse":
                self.send({"id": message["id"], "error": {"code": -32603, "message": "a bug\nof mine"}})
            case "odd":
                self.answer(message, [{"uri": "file:///x.py"}, 7])
            case "hang":
                pass
            case "nobody":
                self.answer(message, None)
            case "elsewhere":
                self.answer(message, {"uri": "untitled:1", "range": {"start": {}, "end": {}}})
            case _:
                self.answer(message, self.found(params))

    def found(self, params: dict[str, Any]) -> list[dict[str, Any]]:
        """Where the name at a position is defined, as a server would say it."""
        path = path_of(params["textDocument"]["uri"])
        if self.script.get("only_open") and params["textDocument"]["uri"] not in self.open:
            return []
        line = path.read_text(encoding="utf-8").splitlines()[params["position"]["line"]]
        at = self.letters(line, params["position"]["character"])
        name = re.match(r"\w+", line[at:])
        if name is None:
            return []
        places = []
        for file in sorted(self.root.rglob("*.py")):
            for number, text in enumerate(file.read_text(encoding="utf-8").splitlines()):
                for match in re.finditer(rf"(?:def|class)\s+({name[0]})\b", text):
                    ends = [{"line": number, "character": self.units(text[: match.span(1)[end]])} for end in (0, 1)]
                    places.append({"uri": file.as_uri(), "range": {"start": ends[0], "end": ends[1]}})
        return places

    def units(self, text: str) -> int:
        size = {"utf-8": 1, "utf-16": 2, "utf-32": 4}[self.encoding]
        return len(text.encode(self.encoding if size == 1 else f"{self.encoding}-le")) // size

    def letters(self, line: str, units: int) -> int:
        return next((at for at in range(len(line)) if self.units(line[:at]) == units), len(line))

    def chatter(self) -> None:
        while True:
            time.sleep(self.script["chatter"])
            self.send({"method": "window/logMessage", "params": {"type": 4, "message": "still here"}})

    def answer(self, message: dict[str, Any], result: Any) -> None:
        self.held.append({"id": message["id"], "result": result})
        if message["method"] != "textDocument/definition" or len(self.held) >= self.script.get("backwards", 1):
            while self.held:
                self.send(self.held.pop())

    def send(self, message: dict[str, Any]) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}, ensure_ascii=False).encode()
        write(b"%bContent-Length: %d\r\n\r\n%b" % (self.script.get("heads", "").encode(), len(body), body))


def messages() -> Iterator[dict[str, Any]]:
    """All that the client sends, up to the end of the input."""
    while True:
        length = 0
        while line := sys.stdin.buffer.readline().strip():
            length = int(line.partition(b":")[2])
        if not length:
            return
        yield json.loads(sys.stdin.buffer.read(length))


def write(data: bytes) -> None:
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def path_of(uri: str) -> Path:
    return Path(unquote(uri.removeprefix("file://")))


if __name__ == "__main__":
    main()
