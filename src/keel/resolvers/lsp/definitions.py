"""The Definitions socket over any language server: requests are pipelined, answers in order, crashes survived.

A server that crashes is started again, a bounded number of times. The requests in flight at that moment are suspects
and are sent again one by one, so that a request which crashes it costs one answer. A server that hangs, or does not
start, is given up at once: every retry would cost the same wait. Finding and configuring a server is left to its own
folder.
"""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Generator, Iterable, Iterator
from typing import NamedTuple

from keel.errors import HelperError, HelperGarbled, HelperRefused, HelperSilent
from keel.ports.definitions import Answer, Definition, Position
from keel.resolvers.lsp.client import Client, Launch
from keel.resolvers.lsp.framing import Json
from keel.resolvers.lsp.uris import path_of, uri_of

METHOD = "textDocument/definition"
IN_FLIGHT = 64
SECONDS = 30.0
"""How long one answer may take; the first ones wait for the server to look at the whole project."""
MAX_RESTARTS = 2
MAX_LATE = 3
"""Answers that do not come in time before the server is given up, though it answers others."""


class _Asked(NamedTuple):
    position: Position
    client: Client
    number: int


class ServerDefinitions:
    """Asks one server, which is started with the first question; use it as a context manager."""

    def __init__(self, launch: Launch, seconds: float = SECONDS, in_flight: int = IN_FLIGHT) -> None:
        self._launch = launch
        self._seconds = seconds
        self._in_flight = in_flight
        self._client: Client | None = None
        self._shown: OrderedDict[str, None] = OrderedDict()
        """The files that are open at the server, those asked about last at the end."""
        self._starts = 0
        self._late = 0
        self._given_up = False
        self._trouble: HelperError | None = None

    def __enter__(self) -> ServerDefinitions:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self.close(politely=kind is None)

    @property
    def available(self) -> bool:
        """Whether the server has not been given up."""
        return not self._given_up

    @property
    def trouble(self) -> HelperError | None:
        """What cost the first answer, or all."""
        return self._trouble

    def ask(self, questions: Iterable[Position]) -> Generator[tuple[Position, Answer], None, None]:
        """Each question with its definitions, in the order of the questions."""
        flying: deque[_Asked] = deque()
        try:
            for position in questions:
                asked = self._send(position)
                if asked is None:  # no server to send to: what is in flight comes first
                    yield from self._landed(flying)
                    yield position, None
                    continue
                flying.append(asked)
                if len(flying) >= self._in_flight:
                    yield self._land(flying.popleft())
                    # With suspects among them nothing new is sent, or it would fall under suspicion too.
                    while flying and flying[0].client is not self._client:
                        yield self._land(flying.popleft())
            yield from self._landed(flying)
        finally:
            for asked in flying:  # the caller has stopped iterating
                asked.client.cancel(asked.number)

    def close(self, politely: bool = True) -> None:
        """Ends the server: by the protocol, or at once."""
        client, self._client, self._given_up = self._client, None, True
        if client is not None:
            client.close(politely)

    def _landed(self, flying: deque[_Asked]) -> Iterator[tuple[Position, Answer]]:
        while flying:
            yield self._land(flying.popleft())

    def _send(self, position: Position) -> _Asked | None:
        """Sends a request; None when there is no server."""
        client = self._client or self._start()
        if client is None:
            return None
        path, line, column = position
        if self._launch.opens:
            self._show(client, path)
        place = {"line": line - 1, "character": client.columns.to_server(path, line, column)}
        return _Asked(position, client, client.ask(METHOD, {"textDocument": {"uri": uri_of(path)}, "position": place}))

    def _show(self, client: Client, path: str) -> None:
        """Opens a file at the server, as an editor would, and closes one that no question in flight is about."""
        if path in self._shown:
            self._shown.move_to_end(path)
            return
        text = _text(path)
        if text is None:
            return  # deleted, or no UTF-8: the server reads it from disk as it can
        document = {"uri": uri_of(path), "languageId": self._launch.opens, "version": 1, "text": text}
        client.tell("textDocument/didOpen", {"textDocument": document})
        self._shown[path] = None
        if len(self._shown) > self._in_flight + 1:
            oldest, _ = self._shown.popitem(last=False)
            client.tell("textDocument/didClose", {"textDocument": {"uri": uri_of(oldest)}})

    def _land(self, asked: _Asked, again: bool = True) -> tuple[Position, Answer]:
        """The answer to a request that was sent; when the server crashed, it is sent once more, alone."""
        try:
            result = asked.client.take(asked.number, self._seconds)
            return asked.position, _definitions(asked.client, result)
        except (HelperRefused, _Odd) as error:
            self._note(error if isinstance(error, HelperError) else HelperGarbled(asked.client.name, str(error)))
        except HelperSilent as error:
            self._late += 1
            self._note(error)
            if asked.client.quiet_for >= self._seconds or self._late >= MAX_LATE:
                self._give_up(error)
        except HelperError as error:
            self._drop(asked.client, error)
            alone = self._send(asked.position) if again else None
            if alone is not None:
                return self._land(alone, again=False)
            self._note(error)
        return asked.position, None

    def _start(self) -> Client | None:
        if self._given_up:
            return None
        self._starts += 1
        self._shown.clear()
        try:
            self._client = Client(self._launch)
        except HelperError as error:
            self._give_up(error)
        return self._client

    def _drop(self, client: Client, why: HelperError) -> None:
        """Closes a server that crashed; the next request starts another, unless it was restarted too often."""
        if client is not self._client:
            return
        client.close(politely=False)
        self._client = None
        if self._starts > MAX_RESTARTS:
            self._give_up(why)

    def _give_up(self, why: HelperError) -> None:
        """Gives the server up, for this reason."""
        self._trouble = why
        self.close(politely=False)

    def _note(self, why: HelperError) -> None:
        """Records what cost an answer; the first one is reported."""
        if self._trouble is None:
            self._trouble = why


def _text(path: str) -> str | None:
    try:
        with open(path, encoding="utf-8", newline="") as file:
            return file.read()
    except (OSError, ValueError):
        return None


class _Odd(ValueError):
    """An answer that is not what was asked for."""


def _definitions(client: Client, result: Json) -> tuple[Definition, ...]:
    """The places of an answer, which may be nothing, one or several, each in one of two shapes."""
    listed = result if isinstance(result, list) else [result] if result else []
    try:
        found = (_definition(client, item) for item in listed)
        return tuple(dict.fromkeys(one for one in found if one is not None))
    except (AttributeError, KeyError, TypeError) as error:
        raise _Odd(f"an answer that is no place ({type(error).__name__}: {error})") from None


def _definition(client: Client, item: Json) -> Definition | None:
    """One place; None when it is in no file."""
    path = path_of(item.get("targetUri") or item["uri"])
    if path is None:
        return None
    place = item.get("targetSelectionRange") or item["range"]
    start, end = place["start"], place["end"]
    column = client.columns.from_server
    return Definition(
        path,
        start["line"] + 1,
        column(path, start["line"] + 1, start["character"]),
        end["line"] + 1,
        column(path, end["line"] + 1, end["character"]),
    )
