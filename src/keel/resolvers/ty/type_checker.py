"""ty as a type checker: the TypeChecker socket over one server a root, kept open between requests.

A server that fails is restarted, once a request; one that keeps failing is not used for a while, since the daemon may
run for days and the cause may be gone by then. Diagnostics of base are cached for as long as base is the same, so that
an edit costs one check of each caller. Talking to a server is left to `session`, finding new diagnostics to
`difference`.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from keel.errors import HelperEnded, HelperError, HelperUnfit
from keel.model.kinds import Tier
from keel.ports.definitions import Position
from keel.ports.type_checker import Complaint, Knowledge, Scene
from keel.resolvers.ty.difference import new_complaints
from keel.resolvers.ty.find import Ty, find_ty
from keel.resolvers.ty.installed import Mark, installed
from keel.resolvers.ty.session import Session
from keel.resolvers.ty.settings import settings_of

SECONDS = 10.0
"""Seconds that a request may take."""
MAX_FAILURES = 3
"""Requests in a row that fail before it is not used for a while."""
REST = 60.0
"""Seconds for which it is not used."""
MAX_LAID_OVER = 400
"""Files that may differ from base; beyond, showing them costs more than it is worth."""
MAX_REMEMBERED = 2_000
"""Files of a root whose diagnostics in base are cached."""
MAX_QUESTIONS = 5_000
"""After so many a server is replaced by a new one, so that it cannot grow for ever."""

T = TypeVar("T")


class TyTypeChecker:
    """ty, asked for the new diagnostics of an edit; nothing is started before the first request."""

    name = "ty"
    tier = int(Tier.TIER2_TY)

    def __init__(
        self, find: Callable[[], Ty] = find_ty, seconds: float = SECONDS, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._find, self._seconds, self._clock = find, seconds, clock
        self._ty: Ty | None = None
        self._roots: dict[str, _Root] = {}
        self._failures = 0
        self._failed_at = 0.0
        self._trouble: HelperError | None = None
        self._asking = threading.Lock()

    @property
    def trouble(self) -> HelperError | None:
        """Why there was no answer last time."""
        return self._trouble

    def complaints(self, scene: Scene, paths: Sequence[str]) -> Sequence[Complaint] | None:
        """The diagnostics of files that base does not have."""
        return self._asked(scene, lambda root: root.complaints(scene, paths))

    def knowledge(self, scene: Scene, callees: Sequence[Position]) -> Sequence[Knowledge] | None:
        """What is known of callees."""
        return self._asked(scene, lambda root: root.knowledge(scene, callees))

    def close(self) -> None:
        """Ends the servers."""
        with self._asking:
            for root in self._roots.values():
                root.close()
            self._roots.clear()

    def _asked(self, scene: Scene, question: Callable[[_Root], T]) -> T | None:
        """An answer, if need be from a second server; None when there is none."""
        with self._asking:
            if len(scene.before) > MAX_LAID_OVER:  # no failure: it can well be asked about the next edit
                self._trouble = HelperUnfit("ty", f"is not asked about more than {MAX_LAID_OVER} files that differ")
                return None
            if self._failures >= MAX_FAILURES and self._clock() < self._failed_at + REST:
                return None
            try:
                answer = self._answer(scene, question)
            except HelperError as error:
                self._failures += 1
                self._failed_at = self._clock()
                self._trouble = error
                self._dropped(scene)
                return None
            except BaseException:  # Ctrl-C too: the texts it sees are not known any more
                self._dropped(scene)
                raise
            self._failures, self._trouble = 0, None
            return answer

    def _answer(self, scene: Scene, question: Callable[[_Root], T]) -> T:
        try:
            return question(self._root(scene))
        except HelperEnded:  # a crash; one that hangs is not tried again, since that would take as long again
            self._dropped(scene)
            return question(self._root(scene))

    def _root(self, scene: Scene) -> _Root:
        """The server of a root, notified of changed files."""
        self._ty = self._ty or self._find()
        settings = settings_of(scene.folder, scene.sources, scene.files)
        packages = installed(scene.folder, self._ty.path, settings)
        root = self._roots.get(scene.folder)
        if root is not None and not root.is_as_it_should_be(settings, packages):
            self._dropped(scene)
            root = None
        if root is None:
            session = Session(self._ty, scene.folder, settings, scene.files)
            root = self._roots[scene.folder] = _Root(session, packages, self._seconds)
        else:
            root.session.tell(scene.files)
        root.questions += 1
        return root

    def _dropped(self, scene: Scene) -> None:
        root = self._roots.pop(scene.folder, None)
        if root is not None:
            root.close()


class _Root:
    """A server, and its diagnostics of base."""

    def __init__(self, session: Session, packages: Mark, seconds: float) -> None:
        self.session = session
        self.questions = 0
        self._packages = packages
        self._seconds = seconds
        self._base: Mapping[str, object] = {}
        self._before: OrderedDict[str, list[Complaint]] = OrderedDict()
        """Its diagnostics of files of that base."""

    def is_as_it_should_be(self, settings: str, packages: Mark) -> bool:
        """Whether it still fits: it was started with these settings, with these packages in place, and is not old."""
        return (self.session.settings, self._packages) == (settings, packages) and self.questions < MAX_QUESTIONS

    def complaints(self, scene: Scene, paths: Sequence[str]) -> list[Complaint]:
        self._learn(scene, paths)
        now = self.session.complaints(paths, self._seconds)
        found: list[Complaint] = []
        for path in paths:
            before = self._before.get(path, [])
            if not before or not now[path]:
                found += now[path]
                continue
            lines = _lines(_content(path))
            was = scene.before.get(path)
            found += new_complaints(before, now[path], lines if was is None else _lines(was), lines)
        return found

    def knowledge(self, scene: Scene, callees: Sequence[Position]) -> list[Knowledge]:
        return self.session.knowledge(callees, self._seconds)

    def close(self) -> None:
        self.session.close()

    def _learn(self, scene: Scene, paths: Sequence[str]) -> None:
        """Shows the server base, and gets the diagnostics of files that are not cached."""
        # what is gone cannot be shown at all: another base is seen once a file of it is deleted, or there again
        shown = {path: mark for path, mark in scene.base.items() if path in scene.files}
        if self._base != shown:
            self._before.clear()
            self._base = shown
        wanted = [path for path in paths if path in scene.base and path not in self._before]
        if wanted:
            # what was not there cannot be hidden, but it can be shown empty
            texts = {path: _text(data) for path, data in scene.before.items() if path in scene.files}
            with self.session.laid_over(texts):
                self._before.update(self.session.complaints(wanted, self._seconds))
        for path in paths:
            if path in self._before:
                self._before.move_to_end(path)
        while len(self._before) > max(MAX_REMEMBERED, len(paths)):
            self._before.popitem(last=False)


def _text(data: bytes | None) -> str:
    return (data or b"").decode("utf-8", "replace")


def _content(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError:
        return b""


def _lines(data: bytes) -> list[bytes]:
    return data.split(b"\n")
