"""The tool spaces of a workspace, and how the paths of its tools are shown.

What is done with them is left to the operations.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from keel.toolspaces.spaces import spaces_of

if TYPE_CHECKING:
    from keel.ports.workspace import Workspace
    from keel.toolspaces.spaces import Spaces


def spaces_in(workspace: Workspace) -> Spaces:
    """The spaces that the tools of a workspace come from."""
    return spaces_of(workspace.folder)


def shown(workspace: Workspace, path: str) -> str:
    """A path as messages show it: relative to the workspace's folder where it is inside."""
    return path.removeprefix(os.path.join(workspace.folder, ""))


def root_of(workspace: Workspace) -> str:
    """The root that the project's space is in; empty when the workspace's own folder is not a root."""
    return next((name for name, folder in workspace.roots.items() if folder == workspace.folder), "")


def below(shadows: tuple[tuple[str, str], ...]) -> str:
    """The spaces whose tools are shadowed, in words."""
    return " and ".join(dict.fromkeys(space for space, _ in shadows))
