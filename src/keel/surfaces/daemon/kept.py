"""The workspace that is kept open, as long as what it was opened from is as it was.

Everything cached in a workspace stays warm from one question to the next. It is opened anew when the configuration, the
roots, the repository, the database, or the environment that chooses helpers differ. Whether the files changed is seen
by the operations themselves, which look.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from keel import config
from keel.bootstrap import GRAPH, Workspace
from keel.errors import KeelError
from keel.indexing.repository import Repository, repository_above
from keel.indexing.workspace import find_workspace, roots_of

if TYPE_CHECKING:
    from collections.abc import Mapping

CHOOSING = ("PATH", "VIRTUAL_ENV", "CONDA_PREFIX")
"""What decides which programs are found, beside what begins with `KEEL_`."""
OF_ONE_CALL = ("KEEL_SESSION",)

Progress = Callable[[str, int, int], None]
Identity = tuple[int, int]
"""Device and number of a file: another file at the same path has another."""


class Elsewhere(Exception):
    """The question is about another workspace."""


class _Ground(NamedTuple):
    """What an open workspace was made from."""

    config: bytes | None
    repository: Repository | None
    database: Identity | None
    environment: Mapping[str, str]


class Kept:
    """One workspace, open from one question to the next; for one thread."""

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self._workspace: Workspace | None = None
        self._ground: _Ground | None = None

    def open(self, start: str, explicit: str | None = None, progress: Progress | None = None) -> Workspace:
        """The workspace for a command that begins in a folder; Elsewhere when that is not this one."""
        if find_workspace(start, explicit) != self.folder:
            raise Elsewhere
        here, progress = os.path.realpath(start), progress or _silent
        ground = self._now()
        workspace = self._workspace
        if workspace is None or ground != self._ground or not _has_same_roots(workspace):
            self.close()
            workspace = Workspace(self.folder, here, progress)
            self._workspace, self._ground = workspace, ground
        workspace.here, workspace.progress = here, progress
        return workspace

    def close(self) -> None:
        """Lets go of everything."""
        workspace, self._workspace = self._workspace, None
        if workspace is not None:
            workspace.close()

    def database(self) -> Identity | None:
        """Which database is there; None when there is none."""
        return _identity(os.path.join(self.folder, config.FOLDER, GRAPH))

    def _now(self) -> _Ground:
        environment = {
            name: value
            for name, value in os.environ.items()
            if name in CHOOSING or (name.startswith("KEEL_") and name not in OF_ONE_CALL)
        }
        text = _bytes(os.path.join(self.folder, config.FOLDER, config.FILE))
        return _Ground(text, repository_above(self.folder), self.database(), environment)


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


def _identity(path: str) -> Identity | None:
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_dev, status.st_ino


def _silent(stage: str, done: int, total: int) -> None:
    """For whoever does not want to hear."""
