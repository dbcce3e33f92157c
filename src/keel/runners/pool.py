"""Runs the work in a pool of processes on this machine, and survives the death of any of them.

What a worker does with one item is left to `inline`, machines beyond this one to other runners.

The parent gives each worker up to two chunks of items and takes one message back a chunk. When a worker dies, every
chunk it had not answered is under suspicion. Suspects wait until all the rest is done and are then worked one at a
time, with no other worker running: so it is known exactly which item kills a worker, and items that only shared a
worker with it, or lost theirs for lack of memory, succeed.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
import pickle
import signal
import sys
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from queue import SimpleQueue
from threading import Thread
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import msgspec

from keel.ports.runner import Lost
from keel.runners.inline import attempt, described

if TYPE_CHECKING:
    from multiprocessing.context import ForkContext, SpawnContext

T = TypeVar("T")
R = TypeVar("R")

_READ_AHEAD = 2  # chunks a worker: one in work, one waiting, so that it is never idle
_TRIES_ALONE = 2  # deaths, alone, that prove an item guilty


class PoolRunner(msgspec.Struct, frozen=True):
    """A `Runner` over `workers` processes (one a CPU by default), `chunk` items a message."""

    workers: int | None = None
    chunk: int = 40

    def __post_init__(self) -> None:
        if self.chunk < 1 or (self.workers is not None and self.workers < 1):
            raise ValueError(f"workers and chunk must be at least 1: {self}")

    def run(self, work: Callable[[T], R], items: Sequence[T]) -> Generator[R | Lost[T], None, None]:
        """Work the items in chunks by all workers, then what is under suspicion one by one."""
        workers = self.workers or _cpus()
        chunks = _chunks(items, self.chunk, workers)
        suspects: list[T] = []
        crew = _Crew(work)
        try:
            for chunk, outcome in crew.process(chunks, workers, _READ_AHEAD):
                if isinstance(outcome, str):
                    suspects.extend(chunk)
                else:
                    yield from outcome
            for item in suspects:
                yield crew.process_alone(item)
        finally:
            crew.shrink(0)


def _cpus() -> int:
    """The CPUs this process may use, which in a container are fewer than the machine has."""
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1


def _chunks(items: Sequence[T], most: int, workers: int) -> deque[Sequence[T]]:
    """Chunks that get smaller towards the end, so that all workers finish together."""
    chunks: deque[Sequence[T]] = deque()
    at = 0
    while at < len(items):
        size = min(most, max(1, (len(items) - at) // (4 * workers)))
        chunks.append(items[at : at + size])
        at += size
    return chunks


@dataclass(slots=True, eq=False)
class _Worker(Generic[T]):
    """One process as the parent sees it, with the chunks it has not answered yet."""

    process: BaseProcess
    pipe: Connection[Any, Any]
    ready: bool = False
    out: deque[Sequence[T]] = field(default_factory=deque)

    def hand(self, chunk: Sequence[T]) -> None:
        message = pickle.dumps(chunk, pickle.HIGHEST_PROTOCOL)
        self.out.append(chunk)
        with suppress(OSError):  # it is dead; the chunk is in `out` and its sentinel will say so
            self.pipe.send_bytes(message)

    def hear(self) -> bytes | None:
        """Its next message, or None when it is dead and has left no further one."""
        try:
            return self.pipe.recv_bytes() if self.pipe.poll() else None
        except (EOFError, OSError):  # the end, or the end in the middle of a message
            return None

    def bury(self) -> str:
        """Wait for one that is ending or killed (which also accounts its CPU time to the parent),
        and say how it ended."""
        self.process.join(5)  # seconds, for one that has closed its pipe and still lives
        self.process.kill()
        self.process.join()
        code = self.process.exitcode or 0
        self.process.close()
        self.pipe.close()
        return f"signal {-code}" if code < 0 else f"exit code {code}"


# What became of a chunk: an answer an item, or why there is none.
Outcome = list[R | Lost[T]] | str


class _Crew(Generic[T, R]):
    """The living workers. They hold no state worth keeping, so they are ended by killing them: at once, and without
    running destructors of what a fork has copied from the parent."""

    def __init__(self, work: Callable[[T], R]) -> None:
        self._work = work
        self._workers: list[_Worker[T]] = []
        self._stillborn = 0

    def process(
        self, chunks: deque[Sequence[T]], workers: int, ahead: int
    ) -> Iterator[tuple[Sequence[T], Outcome[R, T]]]:
        """Each chunk with what became of it, by `workers` workers with `ahead` chunks each."""
        self.shrink(workers)
        while chunks or any(worker.out for worker in self._workers):
            self._grow(min(workers, len(chunks)))
            self._hand_out(chunks, ahead)
            for worker in self._speaking():
                outcomes = self._hear(worker, workers)
                self._hand_out(chunks, ahead)  # before the caller takes its time
                yield from outcomes

    def process_alone(self, item: T) -> R | Lost[T]:
        """A suspect's result, with nothing else running, or the proof of its guilt."""
        why = ""
        for _ in range(_TRIES_ALONE):
            for _, outcome in self.process(deque([[item]]), workers=1, ahead=1):
                if not isinstance(outcome, str):
                    return outcome[0]
                why = outcome
        return Lost(item, why)

    def shrink(self, size: int) -> None:
        """End all workers but `size`."""
        for worker in self._workers[size:]:
            worker.process.kill()
        while len(self._workers) > size:
            self._workers[-1].bury()
            self._workers.pop()

    def _grow(self, size: int) -> None:
        while len(self._workers) < size:
            with _interrupts_held():
                self._workers.append(_hired(self._work))

    def _hand_out(self, chunks: deque[Sequence[T]], ahead: int) -> None:
        for full in range(1, ahead + 1):  # no worker gets a second chunk before all have a first
            for worker in self._workers:
                if chunks and worker.ready and len(worker.out) < full:
                    worker.hand(chunks.popleft())

    def _speaking(self) -> list[_Worker[T]]:
        """The workers that have sent something or died; waits for one."""
        signs = [sign for w in self._workers for sign in (w.pipe, w.process.sentinel)]
        given = wait(signs)
        return [w for w in self._workers if w.pipe in given or w.process.sentinel in given]

    def _hear(self, worker: _Worker[T], workers: int) -> list[tuple[Sequence[T], Outcome[R, T]]]:
        message = worker.hear()
        if message is None:
            self._workers.remove(worker)
            end = worker.bury()
            self._stillborn = 0 if worker.ready else self._stillborn + 1
            if self._stillborn > 2 * workers + 1:  # not the items' fault, and it would never end
                raise ChildProcessError(f"worker processes end before they begin ({end})")
            return [(chunk, f"killed its worker ({end})") for chunk in worker.out]
        if not worker.ready:  # the first message says no more than that it lives
            worker.ready = True
            return []
        return [(worker.out.popleft(), _unpacked(message))]


def _hired(work: Callable[[T], R]) -> _Worker[T]:
    context = _context()
    ours, theirs = context.Pipe()
    # A daemon, so that a generator that was not closed does not keep keel from exiting.
    process = context.Process(target=_serve, args=(theirs, work), daemon=True)
    process.start()
    theirs.close()  # then the worker's death closes the pipe
    return _Worker(process, ours)


def _context() -> ForkContext | SpawnContext:
    """Fork where it is safe (and 0.3 s faster): while no thread, Python's or not, holds a lock."""
    with suppress(OSError):  # a system may hide the threads
        if sys.platform == "linux" and len(os.listdir("/proc/self/task")) == 1:
            return multiprocessing.get_context("fork")
    return multiprocessing.get_context("spawn")


@contextmanager
def _interrupts_held() -> Iterator[None]:
    """Ctrl-C waits, so that it finds no worker half started: that one would never be ended."""
    if sys.platform == "win32":
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _unpacked(message: bytes) -> Outcome[R, T]:
    try:
        return list(pickle.loads(message))
    except Exception as error:
        return f"its result cannot be read ({described(error)})"


# From here on: inside a worker.


def _serve(pipe: Connection[Any, Any], work: Callable[[T], R]) -> None:
    """A worker's life. Two threads do the talking, so that neither side waits for the other to
    read while it writes (a deadlock), and a worker goes on while the parent is busy."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent, which ends us
    signal.signal(signal.SIGTERM, signal.SIG_DFL)  # not the parent's handler, copied by a fork
    todo: SimpleQueue[bytes] = SimpleQueue()
    done: SimpleQueue[bytes] = SimpleQueue()
    Thread(target=_die_with_parent, daemon=True).start()
    Thread(target=_take_in, args=(pipe, todo), daemon=True).start()
    Thread(target=_give_out, args=(pipe, done), daemon=True).start()
    done.put(b"ready")
    # Collecting between chunks, with what came by fork or import left out, costs next to nothing
    # and bounds the garbage to one chunk's.
    gc.disable()
    gc.freeze()
    while True:
        done.put(_answered(work, todo.get()))
        gc.collect()


def _die_with_parent() -> None:
    """Ends this worker when the parent has gone, even if killed: a thread of its own, since the others can be blocked
    in the middle of a message. (Forked siblings hold the sentinels of the older ones: they go one after the other, the
    youngest first.)"""
    parent = multiprocessing.parent_process()
    assert parent is not None
    wait([parent.sentinel])
    os._exit(1)


def _take_in(pipe: Connection[Any, Any], todo: SimpleQueue[bytes]) -> None:
    with suppress(EOFError, OSError):
        while True:
            todo.put(pipe.recv_bytes())
    os._exit(1)


def _give_out(pipe: Connection[Any, Any], done: SimpleQueue[bytes]) -> None:
    with suppress(OSError):
        while True:
            pipe.send_bytes(done.get())
    os._exit(1)


def _answered(work: Callable[[T], R], message: bytes) -> bytes:
    chunk: Sequence[T] = pickle.loads(message)
    answers = [attempt(work, item) for item in chunk]
    try:
        return pickle.dumps(answers, pickle.HIGHEST_PROTOCOL)
    except Exception:
        kept = [_portable(item, answer) for item, answer in zip(chunk, answers, strict=True)]
        return pickle.dumps(kept, pickle.HIGHEST_PROTOCOL)


def _portable(item: T, answer: R | Lost[T]) -> R | Lost[T]:
    try:
        pickle.dumps(answer, pickle.HIGHEST_PROTOCOL)
    except Exception as error:
        return Lost(item, f"its result cannot be sent ({described(error)})")
    return answer
