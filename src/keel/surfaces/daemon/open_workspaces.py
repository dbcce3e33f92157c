"""The workspace that is kept open, as long as what it was opened from is as it was.

Everything cached in a workspace stays warm from one question to the next. It is opened anew when the configuration, the
roots, the repository, or the environment that chooses helpers differ; with another graph the daemon ends. Whether the
files changed is seen by the operations themselves, which look at what a watch has seen, or at all of them.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple, cast

from keel import config
from keel.bootstrap import GRAPH, Workspace
from keel.errors import KeelError
from keel.indexing.git.repository import Repository, repository_above
from keel.indexing.watch.notices import Notices
from keel.indexing.workspace import roots_of
from keel.surfaces.daemon.protocol import CHOOSING

if TYPE_CHECKING:
    from collections.abc import Mapping

OF_ONE_CALL = ("KEEL_SESSION",)

Progress = Callable[[str, int, int], None]


class Elsewhere(BaseException):
    """The question is about another workspace: no failure, and nothing that a command should catch."""


class _Ground(NamedTuple):
    """What an open workspace was made from."""

    config: bytes | None
    repository: Repository | None
    environment: Mapping[str, str]


class OpenWorkspace:
    """One workspace, open from one question to the next; for one thread."""

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self._graph = os.path.join(folder, config.FOLDER, GRAPH)
        # Held without being opened: as long as it is, no other file can get its number. (Opening and closing it would
        # take the locks from SQLite.)
        self._held = os.open(self._graph, os.O_PATH | os.O_CLOEXEC)
        self.notices = Notices()
        """What whoever watches the files has seen."""
        self._workspace: Workspace | None = None
        self._ground: _Ground | None = None

    def open(self, folder: str, here: str, progress: Progress) -> Workspace:
        """The workspace, for whoever stands in a folder; Elsewhere when another one is meant."""
        if folder != self.folder:
            raise Elsewhere
        ground = self._now()
        if self._workspace is None or ground != self._ground or not _has_same_roots(self._workspace):
            self.close()
            self._workspace, self._ground = Workspace(folder, folder, _silent, persistent=True), ground
            assert self._workspace.graph_cache is not None, "it stays"
            self._workspace.graph_cache.notices = self.notices
            self.notices.lose()
        return cast("Workspace", _View(self._workspace, here, progress))

    def open_for_itself(self) -> Workspace:
        """The workspace, for work that nobody asked for."""
        return self.open(self.folder, self.folder, _silent)

    def close(self) -> None:
        """Lets go of everything."""
        workspace, self._workspace = self._workspace, None
        if workspace is not None:
            workspace.close()

    def has_same_graph(self) -> bool:
        """Whether the graph is still the one that there was at the beginning."""
        try:
            return os.path.samestat(os.fstat(self._held), os.stat(self._graph))
        except OSError:
            return False

    def _now(self) -> _Ground:
        environment = {
            name: value
            for name, value in os.environ.items()
            if name in CHOOSING or (name.startswith(("KEEL_", "TY_")) and name not in OF_ONE_CALL)
        }
        text = _bytes(os.path.join(self.folder, config.FOLDER, config.FILE))
        return _Ground(text, repository_above(self.folder), environment)


class _View:
    """An open workspace as one question sees it: from a folder of its own, and telling its own progress."""

    def __init__(self, workspace: Workspace, here: str, progress: Progress) -> None:
        self._workspace = workspace
        self.here = here
        self.progress = progress

    def close(self) -> None:
        """Commands close what they opened; this stays open for the next question, and is closed by who keeps it."""

    def __getattr__(self, name: str) -> object:
        return getattr(self._workspace, name)


def _has_same_roots(workspace: Workspace) -> bool:
    """Links on the way to a root can lead elsewhere although the configuration is the same."""
    try:
        return dict(workspace.roots) == roots_of(workspace.folder, workspace.config)
    except KeelError:  # told to whoever asks
        return False


def _bytes(path: str) -> bytes | None:
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError:
        return None


def _silent(stage: str, done: int, total: int) -> None:
    """For whoever does not want to hear."""
