"""Watching with inotify: which paths were touched since the last call, by any process; or that this is not known.

A write that was over before `changed` is called is always in its answer: the kernel queues a notice before the write
returns, and the queue is emptied here, by the caller. Hence inotify itself, without a library: those empty it in a
thread of their own, and can only promise to report a change some time later.

What the kernel does not report is not seen: writes through a memory mapping, through another name of the same file (a
hard link) in a folder that is not watched, and by other machines; network disks are not watched at all. Which files
therefore have to be checked in any case is left to `notices.py`, which folders to watch to `indexing/watch_set.py`.
"""

from __future__ import annotations

import os
import select
import struct
import sys
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import ctypes


MODIFY, ATTRIB, CLOSED, MOVED_FROM, MOVED_TO = 0x2, 0x4, 0x8, 0x40, 0x80
CREATE, DELETE, DELETE_SELF, MOVE_SELF = 0x100, 0x200, 0x400, 0x800
UNMOUNT, OVERFLOW, IGNORED, ONLY_FOLDER = 0x2000, 0x4000, 0x8000, 0x0100_0000
TOUCHED = MODIFY | ATTRIB | CLOSED | MOVED_FROM | MOVED_TO | CREATE | DELETE | DELETE_SELF | MOVE_SELF
NOTICE = struct.Struct("iIII")
"""The kernel's record: which watch, which event, a cookie, and the length of the name that follows."""
MAX_BYTES = 1 << 16

LOCAL = frozenset(
    {"bcachefs", "btrfs", "ext2", "ext3", "ext4", "f2fs", "jfs", "overlay", "ramfs", "tmpfs", "xfs", "zfs"}
)
"""File systems of which every change goes through this kernel."""
MOUNTS = "/proc/self/mountinfo"


class Watch:
    """The watched folders of some roots; none before the first call of `follow`.

    `follow` the folders of a listing (`indexing/watch_set.py` has those of a graph), call `changed` as often as wanted,
    and `follow` again after a new listing.
    """

    def __init__(self, roots: Iterable[str]) -> None:
        self.problem = ""
        """Why it cannot watch, if so; `changed` then always returns None."""
        self._roots = tuple(roots)
        self._identities: list[tuple[int, int]] = []
        self._queue = -1
        self._paths: dict[int, str] = {}
        self._numbers: dict[str, int] = {}
        self._covered: frozenset[str] | None = None
        self._deciding: set[str] = set()
        self._new: set[str] = set()
        self._is_lost = True
        self._begin()

    @property
    def count(self) -> int:
        """How many folders and files are watched."""
        return len(self._numbers)

    @property
    def covered(self) -> frozenset[str]:
        """The folders and files of which every change is reported, by the name that it is reported under."""
        if self._covered is None:
            self._covered = frozenset(self._paths.values())
        return self._covered

    def follow(self, folders: Iterable[str], deciding: Iterable[str] = ()) -> None:
        """Watches exactly these folders, each without its subfolders, and files that decide which files count.

        What was not watched before is in the next answer, since its changes until now are not known.
        """
        if self.problem:
            return
        self._identities = list(map(_identity, self._roots))
        self._deciding = set(deciding)
        wanted = dict.fromkeys(folders, TOUCHED | ONLY_FOLDER) | dict.fromkeys(self._deciding, TOUCHED)
        for path in self._numbers.keys() - wanted.keys():
            self._drop(path)
        for path in wanted.keys() - self._numbers.keys():
            if not self._add(path, wanted[path]):
                return

    def changed(self) -> set[str] | None:
        """The paths touched since the last call, a folder for anything in it; None for "check everything"."""
        if self.problem:
            return None
        for notice in _notices(self._queue):
            self._take(notice)
        if self._identities != list(map(_identity, self._roots)):
            self._lose()  # a root is another folder now; changes above it are not reported
        touched, self._new = self._new, set()
        is_lost, self._is_lost = self._is_lost, False
        return None if is_lost or touched & self._deciding else touched

    def fileno(self) -> int:
        """A descriptor to wait on; -1 when nothing is watched."""
        return self._queue

    def wait(self, seconds: float) -> bool:
        """Waits until there is an event, at most so long; returns whether there was one."""
        return self._queue >= 0 and bool(select.select([self._queue], [], [], seconds)[0])

    def close(self) -> None:
        """Ends the watch."""
        self._give_up(self.problem or "it was closed")

    def _begin(self) -> None:
        problem = _unwatchable(self._roots)
        if problem:
            self._give_up(problem)
            return
        self._queue = _system().inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
        if self._queue < 0:
            self._give_up("this user has as many watches as the system allows (fs.inotify.max_user_instances)")

    def _give_up(self, problem: str) -> None:
        self.problem = problem
        if self._queue >= 0:
            os.close(self._queue)
        self._queue = -1
        self._paths.clear()
        self._numbers.clear()
        self._covered = None

    def _lose(self) -> None:
        """Notices were lost, and with them perhaps which folder is which: everything is watched anew."""
        os.close(self._queue)
        self._paths.clear()
        self._numbers.clear()
        self._covered = None
        self._is_lost = True
        self._begin()

    def _add(self, path: str, what: int) -> bool:
        """Watches a path; returns whether more can be added."""
        import errno

        number = _system().inotify_add_watch(self._queue, os.fsencode(path), what)
        if number >= 0:
            # One folder by two names is one watch; the first name is kept, and the other is no folder of a root.
            self._paths.setdefault(number, path)
            self._numbers[path] = number
            self._covered = None
            self._new.add(path)
            return True
        problem = _last_error()
        if problem in (errno.ENOSPC, errno.ENOMEM):
            self._give_up("there are more folders than the system allows watches (fs.inotify.max_user_watches)")
            return False
        return True  # it does not exist, or may not be read: a scan will tell

    def _drop(self, path: str) -> None:
        number = self._numbers.pop(path)
        self._covered = None
        if self._paths.get(number) == path:
            del self._paths[number]
        _system().inotify_rm_watch(self._queue, number)

    def _take(self, notice: _Notice) -> None:
        if notice.what & (OVERFLOW | UNMOUNT):
            self._lose()
            return
        watched = self._paths.get(notice.number)
        if watched is None:
            return
        path = os.path.join(watched, notice.name) if notice.name else watched
        self._new.add(path)
        if notice.what & (MOVED_FROM | MOVE_SELF) and path in self._numbers:
            # Its content has another name now, and would be reported under the old one.
            inside = f"{path}/"
            for each in [each for each in self._numbers if each == path or each.startswith(inside)]:
                self._drop(each)
        elif notice.what & IGNORED:
            self._paths.pop(notice.number, None)
            self._numbers.pop(watched, None)
            self._covered = None


class _Notice(NamedTuple):
    number: int
    what: int
    name: str


def _notices(queue: int) -> Iterator[_Notice]:
    """Everything that is in the queue, which is then empty."""
    while True:
        try:
            data = os.read(queue, MAX_BYTES)
        except (BlockingIOError, OSError):  # the latter when the queue was closed on the way
            return
        at = 0
        while at < len(data):
            number, what, _, length = NOTICE.unpack_from(data, at)
            at += NOTICE.size
            name = data[at : at + length].rstrip(b"\0")
            at += length
            yield _Notice(number, what, os.fsdecode(name))


def _identity(folder: str) -> tuple[int, int]:
    try:
        status = os.stat(folder)
    except OSError:
        return (0, 0)
    return status.st_dev, status.st_ino


def _unwatchable(roots: Iterable[str]) -> str:
    """Why not all changes in the roots would be reported, or nothing."""
    if sys.platform != "linux":
        return "this system has no inotify"
    try:
        with open(MOUNTS, encoding="utf-8", errors="surrogateescape") as file:
            mounts = [_mount(line) for line in file]
    except OSError:
        return f"{MOUNTS} cannot be read, which says what lies on other machines"
    for root in roots:
        around = [each for each in mounts if f"{root}/".startswith(f"{each[0].rstrip('/')}/")]
        inside = [each for each in mounts if each[0].startswith(f"{root}/")]
        for place, kind in [*sorted(around, key=lambda each: len(each[0]))[-1:], *inside]:
            if kind not in LOCAL:
                return f"{place} is a disk of the kind {kind}, of which not every change is told"
    return ""


def _mount(line: str) -> tuple[str, str]:
    """The mount point of a disk, and its file system."""
    words = line.split()
    place = words[4]
    for code, sign in (("\\040", " "), ("\\011", "\t"), ("\\012", "\n"), ("\\134", "\\")):
        place = place.replace(code, sign)
    return place, words[words.index("-") + 1]


def _system() -> ctypes.CDLL:
    import ctypes

    global _library
    if _library is None:
        _library = ctypes.CDLL(None, use_errno=True)
    return _library


_library: ctypes.CDLL | None = None


def _last_error() -> int:
    import ctypes

    return ctypes.get_errno()
