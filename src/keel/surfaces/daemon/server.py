"""The daemon itself: listens, hands requests to its one worker, keeps the graph up to date, and ends when idle.

Answering a request is left to the function it is given, watching to `background.py`, the open workspace to
`open_workspaces.py`.
"""

from __future__ import annotations

import os
import select
import signal
import socket
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Future
from contextlib import contextmanager, suppress

from keel import __version__, config
from keel.bootstrap import SESSION
from keel.errors import KeelError
from keel.surfaces.daemon.background import Background
from keel.surfaces.daemon.batches import Batches
from keel.surfaces.daemon.client import HOOK, peer_of
from keel.surfaces.daemon.code import is_same, stamps
from keel.surfaces.daemon.listening import listening
from keel.surfaces.daemon.open_workspaces import Elsewhere, OpenWorkspace
from keel.surfaces.daemon.protocol import ALIVE, ALONE, ANSWER, ASIDE, ASK, STATUS, frame, identity, pack, receive
from keel.surfaces.daemon.question import Answer, Question, in_place_of, question_in
from keel.surfaces.daemon.tidying import Tidying
from keel.surfaces.daemon.worker import Worker

Answers = Callable[[Question, OpenWorkspace], Answer | None]
"""Answers a request with the open workspace; None when the client must run the command itself."""
Say = Callable[[str], None]

TICK = 2.0
"""Seconds between polls of what sends no event."""
PULSE = 0.5
"""Seconds between heartbeats."""
HEARING = 5.0
"""Seconds that a client may take to send a request, or to read the answer."""
COULD_NOT = 2
"""Exit codes from this one on mean that the command did not finish."""
ENDINGS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
"""Signals that end the daemon."""
LAST_SECONDS = 10.0
"""Seconds that running work gets when the daemon ends."""


def serve(folder: str, answers: Answers, say: Say, idle_seconds: float | None) -> None:
    """Serves a workspace folder until there is a reason to end; Taken when another process does."""
    with listening(folder) as listener:
        _Daemon(folder, answers, say, idle_seconds).run(listener)


class _Daemon:
    def __init__(self, folder: str, answers: Answers, say: Say, idle_seconds: float | None) -> None:
        self._folder = folder
        self._answers = answers
        self._say = say
        self._idle = idle_seconds
        self._identity = identity()
        self._code = stamps()
        self._kept = OpenWorkspace(folder)
        self._worker = Worker()
        self._background = Background(self._kept, self._worker, say, self._wake)
        self._tidying = Tidying(self._worker)
        self._batches = Batches(os.path.join(folder, config.FOLDER, SESSION), say)
        self._since = time.time()
        self._last = time.monotonic()
        self._served = 0
        self._why = ""
        self._waking, self._waker = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)

    def run(self, listener: socket.socket) -> None:
        self._say(f"serves {self._folder}")
        with self._signals():
            self._background.begin()
            self._tidying.begin()
            while not self._why:
                self._wait(listener)
                self._look_around()
        self._say(f"ends: {self._why}")
        listener.close()
        self._background.close()
        if not self._worker.end(self._kept.close, LAST_SECONDS):
            self._say("ends although work is still running")

    def _wait(self, listener: socket.socket) -> None:
        """Waits for a client, a file event, a wake-up, or the end of a time-out."""
        watched = self._background.fileno()
        sources: list[socket.socket | int] = [listener, self._waking, *([watched] if watched >= 0 else [])]
        ready, _, _ = select.select(sources, [], [], self._tidying.pause(self._background.pause(TICK)))
        if self._waking in ready:
            os.read(self._waking, 100)
        if listener in ready:
            with suppress(OSError):
                connection, _ = listener.accept()
                threading.Thread(target=self._hear, args=(connection,), daemon=True).start()
        self._background.go_on()
        self._tidying.go_on()

    def _look_around(self) -> None:
        if not self._kept.has_same_graph():
            self._end("the graph is gone, or another one")
        self._batches.look()
        if self._idle is not None and time.monotonic() - self._last > self._idle:
            self._end(f"no request for {self._idle / 60:g} minutes")

    def _end(self, why: str) -> None:
        self._why = self._why or why
        self._wake()

    def _wake(self) -> None:
        with suppress(OSError):
            os.write(self._waker, b".")

    @contextmanager
    def _signals(self) -> Iterator[None]:
        """Ends on a signal, but not on one that is ignored, as in the background or under nohup."""

        def told(number: int, _: object) -> None:
            self._end(f"was signalled ({signal.Signals(number).name})")

        heeded = [each for each in ENDINGS if signal.getsignal(each) != signal.SIG_IGN]
        before = {each: signal.signal(each, told) for each in heeded}
        try:
            yield
        finally:
            for number, how in before.items():
                signal.signal(number, how)

    def _hear(self, connection: socket.socket) -> None:
        """One client, from its request to its answer."""
        with connection, suppress(OSError, EOFError, ValueError, CancelledError):
            connection.settimeout(HEARING)
            if peer_of(connection)[1] != os.getuid():
                self._say("refused another user")
                return
            line = _Connection(connection)
            kind, data = receive(connection)
            if kind == STATUS:
                line.send(ANSWER, pack(self._status()))
            elif kind == ASK:
                self._last = time.monotonic()
                line.send(*self._answer(line, question_in(data, lambda text: line.send(ASIDE, text))))

    def _answer(self, line: _Connection, question: Question) -> tuple[bytes, bytes]:
        if question.identity != self._identity:
            self._end("another keel asked")
        if self._why:
            return ALONE, b""
        future = self._worker.do(lambda: self._work(question))
        try:
            return _result(line, future)
        except (OSError, EOFError):
            future.cancel()  # the client is gone
            raise

    def _work(self, question: Question) -> tuple[bytes, bytes]:
        """Answers a request; run by the worker."""
        if not is_same(self._code):
            self._end("keel has changed on disk")
        if self._why or not self._kept.has_same_graph():
            return ALONE, b""
        begun = time.monotonic()
        try:
            with in_place_of(question):
                answer = self._answers(question, self._kept)
        except (Elsewhere, FileNotFoundError):
            return ALONE, b""
        except Exception as trouble:
            # The client's own run may succeed; if not, it reports what is wrong.
            self._kept.close()
            self._say(f"could not answer: {_format_trouble(trouble)}")
            return ALONE, b""
        finally:
            self._last = time.monotonic()
            self._tidying.owe()
            self._wake()
        if answer is None or not self._kept.has_same_graph():
            return ALONE, b""
        self._served += 1
        self._heed_configuration()
        if question.words[0] == HOOK or (question.words[0] == "compile" and answer.code < COULD_NOT):
            self._background.is_done_since(begun)
        return ANSWER, pack([b"%d" % answer.code, *answer.pieces])

    def _heed_configuration(self) -> None:
        """Reads `[daemon]` again, since it may have changed; in the foreground it does not apply."""
        if self._idle is None:
            return
        with suppress(KeelError):
            said = self._kept.open_for_itself().config.daemon
            self._idle = said.idle_minutes * 60.0
            if not said.enabled:
                self._end("the configuration turns it off")

    def _status(self) -> list[bytes]:
        return [
            self._identity,
            b"%d" % os.getpid(),
            b"%f" % self._since,
            b"%d" % self._served,
            b"%d" % _memory(),
            self._background.state.encode(),
            __version__.encode(),
        ]


class _Connection:
    """The connection to a client, shared by the worker and the thread that sends heartbeats."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._turn = threading.Lock()

    def send(self, kind: bytes, data: bytes = b"") -> None:
        """Sends a frame; EOFError when the client is gone."""
        with self._turn:
            self._connection.sendall(frame(kind, data))


def _result(line: _Connection, future: Future[tuple[bytes, bytes]]) -> tuple[bytes, bytes]:
    """Waits for the result of a request, sending heartbeats."""
    while True:
        try:
            return future.result(PULSE)
        except TimeoutError:
            if future.done():
                raise
            line.send(ALIVE)


def _format_trouble(trouble: Exception) -> str:
    from traceback import format_exception

    return "".join(format_exception(trouble)).rstrip()


def _memory() -> int:
    """The resident memory of this process, in bytes."""
    with suppress(OSError), open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    return 0
