"""The workspace that the daemon keeps open, for as long as its configuration is unchanged.

Everything cached in a workspace is kept from one request to the next. It is reopened when the configuration, the roots,
the repository, or the environment that chooses helpers changes; with another graph file the daemon ends. Detecting
changed files is left to the operations, which use the watch or scan all files.
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
    """The request is about another workspace: no failure, and nothing that a command should catch."""


class _Ground(NamedTuple):
    """What an open workspace was made from."""

    config: bytes | None
    repository: Repository | None
    environment: Mapping[str, str]


class OpenWorkspace:
    """One workspace, kept open between requests; for one thread."""

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self._graph = os.path.join(folder, config.FOLDER, GRAPH)
        # Held without being opened: as long as it is, no other file can get its number. (Opening and closing it would
        # take the locks from SQLite.)
        self._held = os.open(self._graph, os.O_PATH | os.O_CLOEXEC)
        self.notices = Notices()
        """The changes that the watch has seen."""
        self._workspace: Workspace | None = None
        self._ground: _Ground | None = None

    def open(self, folder: str, here: str, progress: Progress) -> Workspace:
        """The workspace as seen from a client's folder; Elsewhere when that belongs to another one."""
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
        """The workspace, for background work."""
        return self.open(self.folder, self.folder, _silent)

    def close(self) -> None:
        """Closes everything."""
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
    """An open workspace as one request sees it: with the client's folder and progress."""

    def __init__(self, workspace: Workspace, here: str, progress: Progress) -> None:
        self._workspace = workspace
        self.here = here
        self.progress = progress

    def close(self) -> None:
        """Does nothing: it stays open for the next request, and the daemon closes it."""

    def __getattr__(self, name: str) -> object:
        return getattr(self._workspace, name)


def _has_same_roots(workspace: Workspace) -> bool:
    """Links on the way to a root can lead elsewhere although the configuration is the same."""
    try:
        return dict(workspace.roots) == roots_of(workspace.folder, workspace.config)
    except KeelError:  # reported by the request that meets it
        return False


def _bytes(path: str) -> bytes | None:
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError:
        return None


def _silent(stage: str, done: int, total: int) -> None:
    """Ignores progress."""
