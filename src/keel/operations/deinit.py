"""Remove everything that keel wrote for a workspace, and nothing else.

The graph, its cache and the log are removed; code is never touched. Files of coding agents that `keel init` changed are
restored; where they were changed since, only keel's entries are taken out. Shows what is removed, what is kept and why.
On a terminal it asks first; elsewhere it removes only with `--yes`. The configuration is kept, since it may have been
edited by hand; `--purge` removes it too.

    keel deinit
    keel deinit --yes
    keel deinit --yes --purge

The graph can be rebuilt from source with `keel map`. The cache of facts in the git folder is kept while another working
tree of the repository has a graph.

To repair a damaged graph, use `keel map --fresh` instead.
"""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from keel.config import FILE
from keel.errors import StoreDamaged, StoreNewer
from keel.indexing.git.repository import working_trees
from keel.model.record import Record, field
from keel.setup.agent_files import Plan, place_of, shown, take_out, to_take_out
from keel.setup.footprint import everything, is_file, take_away, text_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import ClassVar

    from keel.model.footprint import Footprint
    from keel.ports.workspace import Workspace

GROUP = "set up"

PLANNED, REMOVED, UNCHANGED = "planned", "removed", "unchanged"


class Params(Record):
    """Parameters of `deinit`."""

    yes: bool = field("Do it without asking.", default=False)
    purge: bool = field("Remove the configuration too.", default=False)


class Result(Record):
    """What `deinit` removed or would remove."""

    LAYOUT: ClassVar = ("{headline}", "goes", "loses", "stays", "{advice}")

    outcome: str = field("What it came to.", choices=(PLANNED, REMOVED, UNCHANGED))
    applied: bool = field("Whether there is nothing left to remove.")
    folder: str = field("The workspace folder.")
    purge: bool = field("Whether the configuration was to be removed too.")
    goes: tuple[str, ...] = field("Files that are removed, relative to the workspace where they are in it.")
    loses: tuple[str, ...] = field("Files of agents that lose keel's part.")
    stays: tuple[str, ...] = field("Files that stay, each with the reason.")

    @property
    def headline(self) -> str:
        """The outcome in one line."""
        said = {
            PLANNED: "everything that keel wrote would be removed",
            REMOVED: f"everything that keel wrote was removed{' but the configuration' if self._keeps_config else ''}",
            UNCHANGED: "nothing to remove",
        }
        return f"{self.folder}  {said[self.outcome]}"

    @property
    def _keeps_config(self) -> bool:
        return any(os.path.basename(each.partition("  ")[0]) == FILE for each in self.stays)

    @property
    def since_plan(self) -> Result:
        """What is new to a reader of the plan."""
        return self.replace(goes=(), loses=(), stays=())

    @property
    def advice(self) -> str:
        """What to do next."""
        words = "deinit --purge" if self.purge else "deinit"
        return f"nothing was removed; run `keel {words} --yes` to remove it" if self.outcome == PLANNED else ""

    @property
    def question(self) -> str:
        """The question that is asked before it is done."""
        return "" if self.applied else "Remove this?"


def run(workspace: Workspace, params: Params) -> Result:
    """Looks at what exists; with `yes`, removes what keel wrote."""
    plan = _plan(workspace.footprint, workspace.folder, params.purge)
    parts = to_take_out(workspace, place_of(workspace))
    if not plan.goes and not parts.changes:
        return _result(workspace, params, plan, parts, UNCHANGED)
    if not params.yes:
        return _result(workspace, params, plan, parts, PLANNED)
    workspace.end_daemon()
    _wait_for_writers(workspace)
    take_out(parts.changes)  # while the record of what they were still exists
    take_away(plan.goes)
    return _result(workspace, params, plan, parts, REMOVED)


class _Plan(NamedTuple):
    goes: list[str]
    stays: list[tuple[str, str]]


def _plan(place: Footprint, folder: str, purge: bool) -> _Plan:
    known = everything(place)
    reasons = dict(_reasons(place, folder, purge))
    # In this order an attempt that is cut short leaves what is left hidden from git, and so can be made again.
    goes = [path for path in known if is_file(path) and path not in reasons]
    stays = [(path, why) for path, why in reasons.items() if os.path.lexists(path)]
    stays += [(path, "keel did not write it") for path in _inside(place.folder) if path not in {*goes, *reasons}]
    return _Plan(goes, sorted(stays))


def _reasons(place: Footprint, folder: str, purge: bool) -> Iterator[tuple[str, str]]:
    """Files that stay although keel may have written them, and why."""
    if not purge:
        yield place.config, "it may be edited by hand; `--purge` removes it too"
    if text_of(place.ignore) != place.ignore_text:
        yield place.ignore, "it is not as keel wrote it"
    user = _other_user(folder)
    if user:
        for path in place.shared:
            yield path, f"the working tree {user} uses it"


def _other_user(folder: str) -> str:
    """Another working tree of the repository that has a graph, if any."""
    from keel.indexing.workspace import has_graph

    return next((top for top in working_trees(folder) if top != folder and has_graph(top)), "")


def _inside(folder: str) -> list[str]:
    try:
        return sorted(entry.path for entry in os.scandir(folder))
    except OSError:
        return []


def _wait_for_writers(workspace: Workspace) -> None:
    """Waits until no process is writing the graph; raises StoreBusy when that takes too long."""
    if is_file(workspace.footprint.graph[0]):
        with suppress(StoreDamaged, StoreNewer), workspace.store.writing():
            pass


def _result(workspace: Workspace, params: Params, plan: _Plan, parts: Plan, outcome: str) -> Result:
    folder = workspace.folder
    created = [change.path for change in parts.changes if change.after is None]
    kept = [(shown(path, folder), why) for path, why in plan.stays] + list(parts.refused)
    return Result(
        outcome=outcome,
        applied=outcome != PLANNED,
        folder=folder,
        purge=params.purge,
        goes=tuple(shown(path, folder) for path in (*created, *plan.goes)),
        loses=tuple(shown(change.path, folder) for change in parts.changes if change.after is not None),
        stays=tuple(f"{path}  {why}" for path, why in kept),
    )
