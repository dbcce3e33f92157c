"""A client of one running language server: many requests in flight, their responses, and a clean shutdown.

Every failure is a `HelperError`, and every wait has a limit. Which requests to send is left to callers such as
`definitions`, the process and its threads to `process`.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple, Self

from keel.errors import HelperEnded, HelperError, HelperGarbled, HelperRefused, HelperSilent, HelperUnfit
from keel.resolvers.lsp.columns import OFFERED, UTF16, Columns
from keel.resolvers.lsp.framing import Json, framed
from keel.resolvers.lsp.notifications import Notifications
from keel.resolvers.lsp.process import ServerProcess
from keel.resolvers.lsp.replies import reply
from keel.resolvers.lsp.uris import uri_of

START_SECONDS = 30.0
SHUTDOWN_SECONDS = 2.0


class Launch(NamedTuple):
    """How a server is started and configured."""

    name: str
    """The name that messages use."""
    command: Sequence[str]
    folder: str
    """The workspace folder of the server, absolute."""
    options: Mapping[str, Json] = {}
    """Its `initializationOptions`."""
    settings: Mapping[str, Json] = {}
    """Its settings by section, for `workspace/configuration` requests."""
    start_seconds: float = START_SECONDS
    opens: str = ""
    """The language id for opening files before requests about them; empty: they are not opened."""
    pulls: bool = False
    """Whether diagnostics are pulled, so that the server need not publish any."""


class _Request(NamedTuple):
    method: str
    sent: float


class Client:
    """A server that has been started and initialized; use it as a context manager.

    Several threads may ask; each request is taken by one of them.
    """

    def __init__(self, launch: Launch) -> None:
        """Starts the server and shakes hands; a HelperError when that fails, with nothing left behind."""
        self.name = launch.name
        self.notifications = Notifications()
        self._settings = launch.settings
        self._folders = [{"uri": uri_of(launch.folder), "name": os.path.basename(launch.folder)}]
        self._changed = threading.Condition()
        self._number = 0
        self._asked: dict[int, _Request] = {}
        self._answered: dict[int, dict[str, Json]] = {}
        self._failure: HelperError | None = None
        self._last_sign = time.monotonic()
        self._process = ServerProcess(launch.name, launch.command, launch.folder, self._hear, self._fail)
        try:
            self._process.start()
            self.capabilities, self.columns = self._introduce(launch)
        except BaseException:  # Ctrl-C too: no other code knows of the process yet
            self._process.end()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self.close(politely=kind is None)

    @property
    def error_lines(self) -> list[str]:
        """The last lines of the server's error output."""
        return list(self._process.error_lines)

    @property
    def quiet_for(self) -> float:
        """How many seconds ago the server last sent anything."""
        return time.monotonic() - self._last_sign

    def call(self, method: str, params: Json, seconds: float) -> Json:
        """Asks and waits for the answer."""
        return self.take(self.ask(method, params), seconds)

    def ask(self, method: str, params: Json) -> int:
        """Sends a request without waiting; the number is what its answer is taken by."""
        with self._changed:
            self._number += 1
            number = self._number
            self._asked[number] = _Request(method, time.monotonic())
        self._process.send(framed({"id": number, "method": method, "params": params}))
        return number

    def take(self, number: int, seconds: float) -> Json:
        """The result of a request, waited for until so many seconds after it was sent.

        HelperSilent when it does not come (the request is cancelled then), HelperRefused when it is an error, another
        HelperError when the server is gone. An answer that came before the server went is still given.
        """
        with self._changed:
            request = self._asked[number]
            until = request.sent + seconds
            while number not in self._answered:
                if self._failure is not None:
                    del self._asked[number]
                    raise self._failure.with_traceback(None)
                left = until - time.monotonic()
                if left <= 0:
                    self.cancel(number)
                    raise HelperSilent(self.name, request.method, seconds)
                self._changed.wait(left)
            del self._asked[number]
            answer = self._answered.pop(number)
        error = answer.get("error")
        if error is not None:
            raise _refused(self.name, request.method, error)
        return answer.get("result")

    def cancel(self, number: int) -> None:
        """Cancels a request; a response that comes all the same is dropped."""
        with self._changed:
            if self._asked.pop(number, None) is None:
                return
            if self._answered.pop(number, None) is None:
                self.tell("$/cancelRequest", {"id": number})

    def tell(self, method: str, params: Json) -> None:
        """Sends a notification."""
        self._process.send(framed({"method": method, "params": params}))

    def close(self, politely: bool = True) -> None:
        """Shuts the server down: by the protocol if it responds, else by force. Later requests fail."""
        if politely and self._failure is None:
            with suppress(HelperError):
                self.call("shutdown", None, SHUTDOWN_SECONDS)
                self.tell("exit", None)
                self._process.wait(SHUTDOWN_SECONDS)
        self._process.end()
        self._fail(HelperEnded(self.name, "closed"))

    def _introduce(self, launch: Launch) -> tuple[Json, Columns]:
        """Sends `initialize`; the server's capabilities, and its position encoding."""
        result = self.call("initialize", _introduction(self._folders, launch), launch.start_seconds)
        capabilities = result.get("capabilities") if isinstance(result, dict) else None
        if not isinstance(capabilities, dict):
            raise HelperGarbled(self.name, "an `initialize` response without capabilities")
        encoding = capabilities.get("positionEncoding") or UTF16
        if encoding not in OFFERED:
            raise HelperUnfit(self.name, f"counts columns in {encoding}, which was not offered")
        self.tell("initialized", {})
        return capabilities, Columns(encoding)

    # From here on: called by the thread that reads.

    def _hear(self, messages: Sequence[Mapping[str, Json]]) -> None:
        with self._changed:
            self._last_sign = time.monotonic()
            for message in messages:
                self._hear_one(message)
            self._changed.notify_all()

    def _hear_one(self, message: Mapping[str, Json]) -> None:
        method, number = message.get("method"), message.get("id")
        if isinstance(method, str):
            if number is None:
                self.notifications.take(method, message.get("params"))
            else:
                self._process.send(framed(reply(message, self._settings, self._folders)))
        elif isinstance(number, int) and number in self._asked:
            self._answered[number] = dict(message)

    def _fail(self, why: HelperError) -> None:
        with self._changed:
            if self._failure is None:
                self._failure = why
            self._changed.notify_all()


def _introduction(folders: list[dict[str, str]], launch: Launch) -> Json:
    about_files: dict[str, Json] = {"definition": {"linkSupport": True}}
    if launch.pulls:
        about_files["diagnostic"] = {"relatedDocumentSupport": False}
    return {
        "processId": os.getpid(),  # many servers watch it and exit when it is gone
        "clientInfo": {"name": "keel"},
        "rootUri": folders[0]["uri"],
        "workspaceFolders": folders,
        "initializationOptions": dict(launch.options),
        "capabilities": {
            "general": {"positionEncodings": list(OFFERED)},
            "textDocument": about_files,
            # Without registered watchers some servers watch, or walk, the whole tree themselves.
            "workspace": {
                "configuration": True,
                "workspaceFolders": True,
                "didChangeWatchedFiles": {"dynamicRegistration": True},
            },
            "window": {"workDoneProgress": True},
        },
    }


def _refused(name: str, method: str, error: Json) -> HelperRefused:
    fields = error if isinstance(error, dict) else {"message": error}
    code = fields.get("code")
    problem = " ".join(str(fields.get("message", "no reason given")).split())
    return HelperRefused(name, method, code if isinstance(code, int) else 0, problem)
