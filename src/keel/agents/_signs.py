"""Detects that an agent is used, by files and folders that it or its users leave behind.

Which files those are is left to each agent.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from keel.ports.agent import AgentFolders


def found(place: AgentFolders, in_project: Iterable[str], at_home: Iterable[str] = ()) -> tuple[str, ...]:
    """The names that exist, as people write them: those of the project, and `~/` before those at home."""
    here = [name for name in in_project if os.path.lexists(os.path.join(place.folder, name))]
    home = [f"~/{name}" for name in at_home if place.home and os.path.lexists(os.path.join(place.home, name))]
    return (*here, *home)
