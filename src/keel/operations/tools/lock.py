"""Lock a tool to its chain as it is: it runs only while nothing in the chain differs.

The lock holds the id, space, version and SHA-256 of every element. It is a file in `.ai/locks/` of the project, meant
to be committed. An edited tool, a changed runtime, a new shadow of any element, or a lock that cannot be read stops the
run, and the error says what differs. Locking again accepts the change; deleting the file unlocks.

    keel tools lock greet
    keel tools run greet --frozen
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from keel.model.record import Record, field
from keel.querying.tool_spaces import shown
from keel.toolspaces.chain import ARROW, resolve_chain
from keel.toolspaces.execute import check_chain
from keel.toolspaces.locks import is_locked, write_lock

if TYPE_CHECKING:
    from typing import ClassVar

    from keel.ports.workspace import Workspace

GROUP = "tools"


class Params(Record):
    """Parameters of `tools lock`."""

    item_id: str = field("The id of the tool.", positional=True)


class Result(Record):
    """What was locked."""

    LAYOUT: ClassVar = ("locked {line}", "{path}{note}")

    item_id: str = field("The tool.")
    path: str = field("The lock's file.")
    chain: tuple[str, ...] = field("Everything in the chain, with the space of each.")
    again: bool = field("Whether there was a lock before.")

    @property
    def line(self) -> str:
        """The chain in one line."""
        return ARROW.join(self.chain)

    @property
    def note(self) -> str:
        """Whether it replaces another lock, as text."""
        return " (in the place of the one before)" if self.again else ""


def run(workspace: Workspace, params: Params) -> Result:
    """Resolves and validates the chain, then writes the lock."""
    chain = resolve_chain(params.item_id, workspace.folder)
    check_chain(chain)
    again = is_locked(chain.tool.item_id, workspace.folder)
    path = write_lock(chain)
    return Result(
        item_id=chain.tool.item_id,
        path=shown(workspace, path),
        chain=tuple(f"{each.item_id} ({each.space})" for each in chain.elements),
        again=again,
    )
