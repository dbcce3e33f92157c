"""The workspace: which folder a command is about, and which folders its roots are.

Reading the configuration is left to `config.py`; checking that the roots exist, to `indexing/scan/scan.py`.
"""

from __future__ import annotations

import os

from keel.config import FILE, FOLDER, Config
from keel.errors import UsageError, WorkspaceError
from keel.indexing.git.repository import git_top, repository_above

GRAPH = "graph.db"


def find_workspace(start: str, explicit: str | None = None) -> str:
    """The workspace folder: the one that was named, else the nearest above that has a configuration or a graph.

    The search goes no further up than the git top level, which is also the answer when nothing is found; outside
    git, the answer is then the start itself.
    """
    if explicit == "":
        raise UsageError("--workspace names no folder; an empty name is no folder")
    if explicit is not None:
        return _folder(explicit, "--workspace: ")
    start = _folder(start)
    top = git_top(start)
    return _configured(start, top) or top or start


def workspace_around(folder: str) -> str | None:
    """The workspace that a workspace folder is inside of, in the same repository if there is one."""
    top = git_top(folder)
    above = os.path.dirname(folder)
    return None if folder in (top, above) else _configured(above, top)


def shared_name(folder: str) -> str:
    """The name of a folder in every clone and working tree: that of the repository's own folder, if it is its top."""
    repository = repository_above(folder)
    if repository is None or repository.top != folder or repository.own == repository.common:
        return _root_name(folder)
    common = repository.common
    return _root_name((os.path.dirname(common) if common.endswith("/.git") else common).removesuffix(".git"))


def roots_of(folder: str, config: Config) -> dict[str, str]:
    """The roots of a workspace: absolute folders by name, in the order of the configuration."""
    named = config.workspace.roots or ((shared_name(folder), "."),)
    return {name: os.path.realpath(os.path.join(folder, path)) for name, path in named}


def workspace_name(folder: str, config: Config) -> str:
    """The name of the graph."""
    return config.workspace.name or shared_name(folder)


def _folder(path: str, given: str = "") -> str:
    # One folder, one workspace, by whatever name it was reached.
    try:
        real = os.path.realpath(path)
    except FileNotFoundError:
        raise WorkspaceError("the current folder is gone; change to one that is there") from None
    if not os.path.isdir(real):
        raise WorkspaceError(f"{given}there is no folder {path}{'; that is a file' if os.path.exists(real) else ''}")
    return real


def has_graph(folder: str) -> bool:
    """Whether a folder is a workspace with a graph."""
    return os.path.isfile(f"{folder}/{FOLDER}/{GRAPH}")


def _configured(folder: str, top: str | None) -> str | None:
    while True:
        if any(os.path.isfile(f"{folder}/{FOLDER}/{name}") for name in (FILE, GRAPH)):
            return folder
        above = os.path.dirname(folder)
        if folder == top or above == folder:
            return None
        folder = above


def _root_name(folder: str) -> str:
    """The folder's own name, made valid for ids: printable, without `:` and `/`."""
    name = os.path.basename(folder).replace(":", "_")
    if not name.isprintable():
        from keel.model.ids import escape_path

        name = escape_path(name)
    return name or "root"
