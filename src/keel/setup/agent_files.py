"""Files of agents: what `init` would change in them, changing it, and what `deinit` removes again.

A file that is as keel left it is restored byte for byte, by the record that `agent_record.py` keeps. From any other
file only keel's own entries are removed. What those entries are is left to the agents.
"""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from keel.errors import UsageError, WorkspaceError, brief
from keel.ports.agent import AgentFolders, Unfit
from keel.setup.agent_record import Known, Piece, changed, piece_between, remembered, to_keep

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from keel.ports.agent import Agent, Part
    from keel.ports.workspace import Workspace


class Change(NamedTuple):
    """A file as it is and as it is to be; None means that no file exists."""

    path: str
    before: str | None
    after: str | None
    executable: bool = False
    pieces: tuple[Piece, ...] = ()
    folders: tuple[str, ...] = ()
    """Folders that have to be created for it."""
    is_first: bool = False
    """Whether the file has no entry of keel's so far: the record of an earlier state of it does not matter."""


class Plan(NamedTuple):
    """The changes to files of agents."""

    changes: tuple[Change, ...] = ()
    as_wanted: tuple[str, ...] = ()
    """Files that need no change."""
    refused: tuple[tuple[str, str], ...] = ()
    """Files that are left alone, each with the reason."""


def place_of(workspace: Workspace) -> AgentFolders:
    """The folders that agents are looked for in."""
    return AgentFolders(folder=workspace.folder, home=os.path.expanduser("~"), hooks=_git_hooks(workspace.folder))


def _git_hooks(folder: str) -> str:
    """The folder in which git looks for hooks, where it is the repository's own; else empty."""
    from keel.indexing.git.files import git
    from keel.indexing.git.repository import repository_above

    repository = repository_above(folder)
    if repository is None:
        return ""
    said = os.fsdecode(git(repository.top, "rev-parse", "--git-path", "hooks").output).rstrip("\n")
    path = os.path.realpath(os.path.join(repository.top, said)) if said else ""
    return path if any(_is_inside(path, own) for own in (repository.top, repository.common)) else ""


def chosen(workspace: Workspace, names: Sequence[str], place: AgentFolders) -> list[Agent]:
    """The named agents, each of which must exist; without names, those that are used here."""
    if not names:
        return [agent for agent in workspace.agents if agent.signs(place)]
    known = {agent.name: agent for agent in workspace.agents}
    asked = [name.strip() for word in names for name in word.split(",") if name.strip()]
    for name in asked:
        if name not in known:
            raise UsageError(f"unknown agent '{brief(name)}'", f"known: {', '.join(known)}")
    return [known[name] for name in dict.fromkeys(asked)]


def planned(workspace: Workspace, agents: Iterable[Agent], place: AgentFolders) -> Plan:
    """What `init` has to change for some agents."""
    changes, as_wanted, refused = [], [], []
    for path, parts in _by_file(agents, place).items():
        try:
            before = _read(path, _allowed(place))
            change = _merged(path, before, parts)
        except Unfit as problem:
            refused.append((shown(path, workspace.folder), str(problem)))
            continue
        if change.after == before:
            as_wanted.append(path)
        else:
            changes.append(change)
    return Plan(tuple(changes), tuple(as_wanted), tuple(refused))


def _by_file(agents: Iterable[Agent], place: AgentFolders) -> dict[str, list[Part]]:
    files: dict[str, list[Part]] = {}
    for agent in agents:
        for part in agent.parts(place):
            files.setdefault(os.path.join(place.folder, part.path), []).append(part)
    return files


def _merged(path: str, before: str | None, parts: Sequence[Part]) -> Change:
    text, pieces = before, []
    for part in parts:
        merged = part.merged(text)
        pieces.append(piece_between(text or "", merged))
        text = merged
    executable = any(part.executable for part in parts)
    if executable and before is not None and not os.access(path, os.X_OK):
        raise Unfit("it is not executable, and so does not run; keel does not switch it on")
    is_first = before is not None and all(part.without(before) == before for part in parts)
    put_in = tuple(piece for piece in pieces if piece.old != piece.new)
    return Change(path, before, text, executable, put_in, is_first=is_first)


def _allowed(place: AgentFolders) -> tuple[str, ...]:
    return (os.path.realpath(place.folder), *((place.hooks,) if place.hooks else ()))


def _is_inside(path: str, folder: str) -> bool:
    return path.startswith(f"{folder.rstrip(os.sep)}{os.sep}")


def _read(path: str, allowed: Sequence[str]) -> str | None:
    """The text of a file; None when it does not exist. Unfit when it is not text, or a link leads out of the allowed
    folders."""
    if not any(_is_inside(os.path.realpath(path), folder) for folder in allowed):
        raise Unfit("it is a link to outside the workspace")
    try:
        with open(path, encoding="utf-8", newline="") as file:
            return file.read()
    except FileNotFoundError:
        if os.path.lexists(path):
            raise Unfit("it is a link to nothing") from None
        return None
    except UnicodeDecodeError:
        raise Unfit("it is not UTF-8 text") from None
    except OSError as error:
        raise Unfit(f"it cannot be read: {error.strerror}") from None


def shown(path: str, folder: str) -> str:
    """A path as messages show it."""
    return path.removeprefix(f"{folder}{os.sep}")


# Carrying it out


def carry_out(workspace: Workspace, changes: Sequence[Change]) -> None:
    """Changes the files, all or none, and records how; WorkspaceError when one cannot be written."""
    done: list[Change] = []
    try:
        for change in changes:
            folder = os.path.dirname(change.path)
            done.append(change._replace(folders=_missing(folder)))
            os.makedirs(folder, exist_ok=True)
            _write(change.path, change.after, change.executable and change.before is None)
        _remember(workspace, done)
    except BaseException as error:
        for change in reversed(done):
            with suppress(WorkspaceError):
                _write(change.path, change.before)
            _remove_folders(change.folders)
        if isinstance(error, OSError):
            raise WorkspaceError(f"cannot write {error.filename}: {error.strerror}") from error
        raise


def _missing(folder: str) -> tuple[str, ...]:
    """The folders that have to be created for a folder to exist, the outermost first."""
    missing: list[str] = []
    while not os.path.isdir(folder):
        missing.insert(0, folder)
        folder = os.path.dirname(folder)
    return tuple(missing)


def _remove_folders(folders: Iterable[str]) -> None:
    for folder in sorted(folders, key=len, reverse=True):
        with suppress(OSError):  # it has other content
            os.rmdir(folder)


def _write(path: str, text: str | None, as_program: bool = False) -> None:
    """Writes a file atomically, so that no reader sees half of it."""
    real = os.path.realpath(path)
    try:
        if text is None:
            if os.path.lexists(path):
                os.remove(path)
            return
        beside = f"{real}.keel-part"
        with open(beside, "w", encoding="utf-8", newline="") as file:
            file.write(text)
        if os.path.exists(real):
            os.chmod(beside, os.stat(real).st_mode & 0o7777)
        elif as_program:
            os.chmod(beside, 0o755)
        os.replace(beside, real)
    except OSError as error:
        with suppress(OSError):
            os.remove(f"{real}.keel-part")
        raise WorkspaceError(f"cannot write {path}: {error.strerror}") from error


def _remember(workspace: Workspace, changes: Sequence[Change]) -> None:
    known = remembered(workspace.changed_by_setup)
    for change in changes:
        name = shown(change.path, workspace.folder)
        folders = tuple(shown(folder, workspace.folder) for folder in change.folders)
        earlier = None if change.is_first else known.get(name)
        known[name] = changed(earlier, change.before, change.after or "", change.pieces, folders)
    if changes:
        _write(workspace.changed_by_setup, to_keep(known))


# Reverting it


def to_take_out(workspace: Workspace, place: AgentFolders) -> Plan:
    """What `deinit` has to change: every file of every agent that has an entry of keel's."""
    memory = remembered(workspace.changed_by_setup)
    changes, refused = [], []
    for path, parts in _by_file(workspace.agents, place).items():
        known = memory.get(shown(path, workspace.folder))
        try:
            before = _read(path, _allowed(place))
            after = _taken_out(before, parts, known) if before is not None else None
        except Unfit as problem:
            if known is not None or _names_keel(path):
                refused.append((shown(path, workspace.folder), f"{problem}; keel's part is left in"))
            continue
        if after != before:
            made = known.folders if known is not None else ()
            folders = tuple(os.path.join(place.folder, folder) for folder in made)
            changes.append(Change(path, before, after, folders=folders))
    return Plan(tuple(changes), (), tuple(refused))


def take_out(changes: Iterable[Change]) -> None:
    """Carries it out; folders that were created for these files are removed when they are empty."""
    folders: set[str] = set()
    for change in changes:
        _write(change.path, change.after)
        folders.update(change.folders)
    _remove_folders(folders)


def _taken_out(text: str, parts: Sequence[Part], known: Known | None) -> str | None:
    """The file without keel's parts: its former text, where that is known; None when it was keel's alone."""
    was_there = known is not None and not known.created
    original = known.undone(text) if known is not None else None
    if original is not None:
        return original if was_there else None
    left = text
    for part in reversed(parts):
        left = part.without(left)
    if left == text or was_there:
        return left
    return None if all(part.is_bare(left) for part in parts) else left


def _names_keel(path: str) -> bool:
    try:
        with open(path, "rb") as file:
            return b"keel" in file.read()
    except OSError:
        return False


def difference(change: Change) -> Iterator[str]:
    """The diff of a file, with a few lines of context."""
    from difflib import unified_diff

    before, after = (change.before or "").splitlines(), (change.after or "").splitlines()
    yield from list(unified_diff(before, after, lineterm="", n=2))[2:]
