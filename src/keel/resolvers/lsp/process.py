"""A server as a process: bytes in, messages out, and an end that is guaranteed.

Three threads belong to a process: one starts it, reads its output and reaps it; one writes, so that a server which does
not read cannot block keel; one drains its error output, so that a server which floods it goes on. The meaning of
messages is left to `client`.

No server outlives keel. It is asked to exit, sent a signal, and at last killed. Should keel itself be killed, whatever
the signal, the pipes from it close: most servers exit then, and a guard ends the others (a shell that waits for the end
of its input and then kills the server's process group, with all that the server started). A shell and not a signal that
the kernel sends at the parent's death: that one is tied to the thread that started the server, knows nothing of
grandchildren, and is found on Linux alone. Where there is no shell, the closed pipe has to do.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from queue import SimpleQueue
from typing import IO

from keel.errors import HelperEnded, HelperError, HelperGarbled, HelperMissing
from keel.resolvers.lsp.framing import Frames, Json, NoMessage

CHUNK = 65_536
LINES_KEPT = 50
MAX_LINE = 500
"""Characters of a line of error output that are kept."""
TERMINATE_SECONDS = 2.0
KILL_SECONDS = 5.0
"""How long a killed process may take to vanish before its threads are left to themselves."""

KILL = signal.SIGTERM if sys.platform == "win32" else signal.SIGKILL
SHELL = "/bin/sh"
GUARD = 'read -r _; kill -s KILL -- "-$1"'


class ServerProcess:
    """A server that runs from `start` on.

    `hears` gets the messages as they come, several at a time; `ends` is called once, last, with the reason why there
    will be no more. Both are called by a thread of the process and return at once.
    """

    def __init__(
        self,
        name: str,
        command: Sequence[str],
        folder: str,
        hears: Callable[[list[dict[str, Json]]], None],
        ends: Callable[[HelperError], None],
    ) -> None:
        self.name = name
        self.error_lines: deque[str] = deque(maxlen=LINES_KEPT)
        """The last lines of the server's error output."""
        self._command = list(command)
        self._folder = folder
        self._hears = hears
        self._ends = ends
        self._outgoing: SimpleQueue[bytes | None] = SimpleQueue()
        self._process: subprocess.Popen[bytes] | None = None
        self._killing = threading.Lock()
        self._buried = False
        self._gone = threading.Event()
        self._started = threading.Event()

    def start(self) -> None:
        """Starts the server; when that fails, `ends` is called."""
        # The thread that reads also starts the process: Ctrl-C, which Python gives to the main thread only, cannot
        # strike between the start and the moment it is noted.
        self._thread("reader", self._live)

    def send(self, data: bytes) -> None:
        """Queues bytes for the server; never waits, whatever the server does."""
        self._outgoing.put(data)

    def wait(self, seconds: float) -> bool:
        """Whether the process is gone within so many seconds."""
        return self._gone.wait(seconds)

    def end(self) -> None:
        """Ends the process: its input is closed, it gets a signal, and at last it is killed."""
        self._started.wait()
        self._outgoing.put(None)
        self._signal(signal.SIGTERM)
        if not self.wait(TERMINATE_SECONDS):
            self.kill()
            self.wait(KILL_SECONDS)

    def kill(self) -> None:
        """Kills the process and all that it started."""
        self._signal(KILL)

    def _signal(self, number: signal.Signals) -> None:
        """Sends a signal to the server's process group, unless it was reaped and its process id may be another's."""
        with self._killing:
            if self._process is not None and not self._buried:
                send_to_group(self._process, number)

    def _thread(self, what: str, target: Callable[..., None], *args: IO[bytes]) -> threading.Thread:
        # A daemon, so that a client that was not closed does not keep keel from exiting.
        thread = threading.Thread(target=target, args=args, name=f"{self.name} {what}", daemon=True)
        thread.start()
        return thread

    # From here on: in the threads of the process.

    def _live(self) -> None:
        """The whole life of a server: it is started, read from, and reaped."""
        process = self._start()
        if process is None:
            return
        guard = _start_guard(process.pid)
        errors = self._thread("errors", self._take_errors, _pipe(process.stderr))
        self._thread("writer", self._write, _pipe(process.stdin))
        trouble = self._listen(_pipe(process.stdout))
        code = self._bury(process)
        if guard is not None:
            _dismiss(guard)
        errors.join(1.0)  # its last output has arrived by now, unless another process holds the pipe open
        self._outgoing.put(None)
        self._gone.set()
        self._ends(trouble or HelperEnded(self.name, _how(code), self.error_lines[-1] if self.error_lines else ""))

    def _start(self) -> subprocess.Popen[bytes] | None:
        try:
            self._process = subprocess.Popen(
                self._command,
                cwd=self._folder,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                # A group of its own: Ctrl-C is for keel, which ends the server in good order.
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            problem = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
            self._gone.set()
            self._ends(HelperMissing(self.name, problem))
        self._started.set()
        return self._process

    def _listen(self, stdout: IO[bytes]) -> HelperError | None:
        """Hands on all messages, up to the end of the output or to what is no message."""
        frames = Frames()
        with suppress(OSError), stdout:
            while data := stdout.read1(CHUNK):  # type: ignore[attr-defined]  # a BufferedReader, whatever IO says
                messages: list[dict[str, Json]] = []
                try:
                    messages.extend(frames.feed(data))
                except NoMessage as error:
                    return HelperGarbled(self.name, str(error))
                finally:
                    if messages:
                        self._hears(messages)
        return None

    def _bury(self, process: subprocess.Popen[bytes]) -> int:
        """Ends what is left of the server, and says how it ended.

        One that crashed keeps the code that it crashed with: a signal no longer reaches it.
        """
        with self._killing:
            send_to_group(process, KILL)
        if sys.platform != "win32":
            # Waited for, but not yet taken note of: its process id stays its own while a signal may be sent to it.
            os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
        with self._killing:
            self._buried = True
            return process.wait()

    def _write(self, stdin: IO[bytes]) -> None:
        # A server that is gone is seen by the reader; here it only means that writing is over.
        with suppress(OSError, ValueError), stdin:
            while (data := self._outgoing.get()) is not None:
                stdin.write(data)
                if self._outgoing.empty():
                    stdin.flush()

    def _take_errors(self, stderr: IO[bytes]) -> None:
        with suppress(OSError, ValueError), stderr:
            while line := stderr.readline(CHUNK):
                text = line.decode("utf-8", "replace").strip()
                if text:
                    self.error_lines.append(text[:MAX_LINE])


def send_to_group(process: subprocess.Popen[bytes], number: signal.Signals) -> None:
    """A signal to a process in a session of its own and all that it started; without groups, to the process."""
    with suppress(ProcessLookupError, PermissionError):
        if sys.platform == "win32":
            process.send_signal(number)
        else:
            os.killpg(process.pid, number)


def _start_guard(group: int) -> subprocess.Popen[bytes] | None:
    """A process that kills the group once keel is gone; None where there is no shell."""
    if sys.platform == "win32":
        return None
    try:
        return subprocess.Popen(
            [SHELL, "-c", GUARD, "keel-guard", str(group)],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            # Neither Ctrl-C nor a signal to keel's whole group may reach it, or no guard would be left.
            start_new_session=True,
        )
    except OSError:
        return None


def _dismiss(guard: subprocess.Popen[bytes]) -> None:
    """The guard goes first by a signal: the end of its input is what it acts on."""
    guard.kill()
    guard.wait()
    with suppress(OSError):
        _pipe(guard.stdin).close()


def _how(code: int) -> str:
    return f"signal {-code}" if code < 0 else f"exit code {code}"


def _pipe(stream: IO[bytes] | None) -> IO[bytes]:
    assert stream is not None, "the process was started with pipes"
    return stream
