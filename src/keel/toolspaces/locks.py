"""Locks: a tool's chain as it was approved, and whether it is unchanged.

A lock is a small file in the project's space, made to be committed. A locked tool runs only while its chain has the
same ids, spaces, versions and bytes. A lock that cannot be read stops the run too. Resolving chains is left to
`chain.py`.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

import msgspec
from msgspec import Struct

from keel.errors import LockError, ToolOutside, ToolUnreadable
from keel.toolspaces.chain import ARROW, Chain, Element
from keel.toolspaces.reading import read_inside
from keel.toolspaces.spaces import FOLDER
from keel.toolspaces.writing import write_inside

LOCKS = "locks"
FORMAT = 1
RELOCK = "if the change is intended, run `keel tools lock {item_id}`"
SHOWN = 12
"""Characters of a hash that messages show."""


class Locked(Struct, frozen=True, forbid_unknown_fields=True):
    """One element of a chain, as it was locked."""

    item_id: str
    space: str
    version: str
    sha256: str


class Lock(Struct, frozen=True, forbid_unknown_fields=True):
    """The whole chain of a tool, as it was locked."""

    format: int
    item_id: str
    chain: list[Locked]


def lock_path(item_id: str, project: str) -> str:
    """Where the lock of a tool is, if it has one."""
    return os.path.join(project, FOLDER, LOCKS, *item_id.split("/")) + ".json"


def is_locked(item_id: str, project: str) -> bool:
    """Whether there is a lock, good or not."""
    return os.path.lexists(lock_path(item_id, project))


def lock_of(chain: Chain) -> Lock:
    """A chain as a lock keeps it."""
    held = [Locked(each.item_id, each.space, each.manifest.version, each.sha256) for each in chain.elements]
    return Lock(FORMAT, chain.tool.item_id, held)


def write_lock(chain: Chain) -> str:
    """Locks a tool to its current chain; the path of the lock, which is replaced atomically."""
    path = lock_path(chain.tool.item_id, chain.project)
    text = msgspec.json.format(msgspec.json.encode(lock_of(chain)), indent=2) + b"\n"
    write_inside(chain.tool.item_id, path, os.path.join(chain.project, FOLDER), text)
    return path


def check_lock(chain: Chain, frozen: bool = False) -> None:
    """Raises a LockError for a chain that differs from its lock; with `frozen`, also for one without a lock."""
    item_id = chain.tool.item_id
    if not is_locked(item_id, chain.project):
        if frozen:
            raise LockError(item_id, ["it is not locked"], f"`keel tools lock {item_id}` locks it as it is")
        return
    different = list(differences(_read(item_id, chain.project), chain))
    if different:
        raise LockError(item_id, different, RELOCK.format(item_id=item_id))


def _read(item_id: str, project: str) -> Lock:
    path = lock_path(item_id, project)
    root = os.path.join(project, FOLDER)
    try:
        lock = msgspec.json.decode(read_inside(item_id, path, root, os.path.realpath(root)), type=Lock)
    except (ToolUnreadable, ToolOutside, msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        reason = error.message() if isinstance(error, ToolUnreadable | ToolOutside) else str(error)
        raise _damaged(item_id, path, reason) from error
    if lock.format != FORMAT:
        raise _damaged(item_id, path, f"it has the format {lock.format}, this keel knows {FORMAT}")
    if lock.item_id != item_id:
        raise _damaged(item_id, path, f"it is that of '{lock.item_id}'")
    return lock


def _damaged(item_id: str, path: str, reason: str) -> LockError:
    hint = f"restore it; or, when the tool is as it should be, `keel tools lock {item_id}` makes a new one"
    return LockError(item_id, [f"its lock {path} cannot be used ({reason})"], hint)


def differences(lock: Lock, chain: Chain) -> Iterator[str]:
    """What of a chain is not as it was locked."""
    was, now = [each.item_id for each in lock.chain], [each.item_id for each in chain.elements]
    if was != now:
        yield f"its chain is {ARROW.join(now)}, locked was {ARROW.join(was)}"
    held = {each.item_id: each for each in lock.chain}
    for element in chain.elements:
        if element.item_id in held:
            yield from _changes(held[element.item_id], element)


def _changes(was: Locked, now: Element) -> Sequence[str]:
    if was.space != now.space:
        return [f"'{now.item_id}' comes from the {now.space} space now ({now.path}), locked was the {was.space} one"]
    if was.sha256 != now.sha256:
        version = f"version {was.version or 'none'}, now {now.manifest.version or 'none'}; "
        told = version if was.version != now.manifest.version else ""
        return [
            f"'{now.item_id}' ({now.path}) has changed: {told}"
            f"SHA-256 {was.sha256[:SHOWN]}… was locked, {now.sha256[:SHOWN]}… is there"
        ]
    return [] if was.version == now.manifest.version else [f"the lock of '{now.item_id}' says another version"]
