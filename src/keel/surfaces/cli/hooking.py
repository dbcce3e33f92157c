"""Checks what an agent has edited: payload → edit → files of the workspace → findings → verdict.

Parsing payloads and wording verdicts is left to each agent, finding what is broken to `compile`, standard input and
output to `own/hook.py`.
"""

from __future__ import annotations

import os
from contextlib import contextmanager

from keel.bootstrap import open_workspace
from keel.errors import HookError, UsageError
from keel.ports.agent import ADVISED, BLOCKED, CLEAN, TOLD, Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from keel.bootstrap import Workspace
    from keel.operations.compile import Result
    from keel.ports.agent import Agent, Edit

SECONDS = 20
"""Seconds: agents wait for a hook, and some would wait for minutes."""
MAX_BYTES = 32 * 1024 * 1024
"""Payloads hold whole files, before and after; no valid one is larger."""
MAX_TOKENS = 2000
"""Tokens of the findings of one edit."""
TOOLS = ".ai/tools/"
BUILDING = "keel: the graph of this workspace is being built; edits are checked once it is done"
BROKEN = "keel: the edit is saved, but it is not accepted. Fix this now, in the files it names:"
ADVICE = "keel: the edit is saved. Consider this:"


class Checking:
    """One call of a hook, from payload to verdict; intermediate results are kept for the log."""

    def __init__(self, agent: Agent, here: str) -> None:
        assert agent.hook is not None
        self._hook = agent.hook
        self._here = here
        self.workspace: Workspace | None = None
        self.files: Sequence[str] = ()

    @property
    def takes_payload(self) -> bool:
        """Whether the agent sends a payload."""
        return self._hook.takes_payload

    def verdict(self, payload: Callable[[int], bytes]) -> Verdict:
        """What is wrong with the edit; `payload` is read within the time limit, and at most so many bytes of it."""
        with time_limit(SECONDS):
            edit = self._hook.edit(decoded(payload(MAX_BYTES + 1)) if self.takes_payload else None)
            if edit is None or (self.takes_payload and not edit.files):
                return Verdict(outcome=CLEAN)
            session = self.workspace = open_workspace(_folder(edit, self._here))
            if not self.takes_payload:
                return self._checked(session, (), edit.session)
            found = by_workspace(session, edit).items()
            return worst([self._of(session, open_workspace(folder), files, edit.session) for folder, files in found])

    def _of(self, session: Workspace, workspace: Workspace, files: Sequence[str], name: str) -> Verdict:
        """The verdict on files of a workspace, which may lie inside the one that the agent is in."""
        if workspace.folder != session.folder and not _is_ours(workspace, session):
            return Verdict(outcome=CLEAN)
        sources = [path for path in files if _is_source(workspace, path)]
        if not sources:
            return Verdict(outcome=CLEAN)
        self.workspace, self.files = workspace, [os.path.relpath(path, workspace.folder) for path in sources]
        return self._checked(workspace, sources, name)

    def _checked(self, workspace: Workspace, files: Sequence[str], session: str) -> Verdict:
        if not workspace.store.exists():
            from keel.surfaces.cli.building import build

            build(workspace)
            return Verdict(outcome=TOLD, text=BUILDING)
        result = _compiled(workspace, files, session)
        return verdict_on(result) if result is not None else Verdict(outcome=CLEAN)


def decoded(payload: bytes) -> object:
    """The object that a payload is."""
    if len(payload) > MAX_BYTES:
        raise HookError(f"the payload is larger than {MAX_BYTES:,} bytes")
    if not payload.strip():
        raise HookError("there is no payload on standard input", "`keel help hook` says more")
    import msgspec

    try:
        value = msgspec.json.decode(payload.removeprefix(b"\xef\xbb\xbf"))
    except (msgspec.DecodeError, RecursionError, ValueError) as error:
        raise HookError(f"the payload is not JSON ({error})") from None
    if not isinstance(value, dict):
        raise HookError("the payload is no JSON object")
    return value


def _folder(edit: Edit, here: str) -> str:
    """The agent's folder: the one in the payload if it exists, else the current folder."""
    said = edit.folder
    return said if said and "\0" not in said and os.path.isabs(said) and os.path.isdir(said) else here


def by_workspace(session: Workspace, edit: Edit) -> dict[str, list[str]]:
    """The real paths of the files inside the agent's workspace, by the folder of their own, so that each is asked once.

    Files outside of it, also by way of a link, are ignored.
    """
    from keel.indexing.workspace import find_workspace

    workspaces: dict[str, list[str]] = {}
    for path in edit.files:
        if "\0" in path:
            continue
        try:
            real = os.path.realpath(os.path.join(session.here, path))
        except (OSError, ValueError):  # no path at all, as one that is too long
            continue
        if real.startswith(f"{session.folder.rstrip(os.sep)}{os.sep}"):
            workspaces.setdefault(find_workspace(_there(os.path.dirname(real))), []).append(real)
    return workspaces


def _there(folder: str) -> str:
    """The folder, or the nearest above it that was not deleted."""
    while not os.path.isdir(folder):
        folder = os.path.dirname(folder)
    return folder


def _is_ours(workspace: Workspace, session: Workspace) -> bool:
    """Whether a workspace inside another is to be checked: it has a graph, or is of the same repository."""
    from keel.indexing.git.repository import repository_above
    from keel.indexing.workspace import has_graph

    if has_graph(workspace.folder):
        return True
    own, outer = repository_above(workspace.folder), repository_above(session.folder)
    return own is not None and outer is not None and own.common == outer.common


def _is_source(workspace: Workspace, path: str) -> bool:
    """Whether some language reads such a file."""
    if any(path.endswith(suffix) for language in workspace.languages for suffix in language.suffixes):
        return True
    return os.path.relpath(path, workspace.folder).replace(os.sep, "/").startswith(TOOLS)


def _compiled(workspace: Workspace, files: Sequence[str], session: str) -> Result | None:
    """The report of `compile`; None when the files were deleted again and were never in the graph."""
    from keel.operations import compile as compiling

    workspace.tells_counts = False
    try:
        return compiling.run(workspace, compiling.Params(files=tuple(files), session=session))
    except UsageError:
        there = [path for path in files if os.path.lexists(path)]
        if len(there) == len(files):
            raise
        return _compiled(workspace, there, session) if there else None


def verdict_on(result: Result) -> Verdict:
    """A report as a verdict: errors block; warnings about new and changed code are reported."""
    if result.errors:
        # Where errors of existing code count, they are what blocks, and are listed.
        shown = result if any(not each.unchanged for each in result.errors) else result.replace(lists_all=True)
        return Verdict(outcome=BLOCKED, text=f"{BROKEN}\n{_text(shown)}")
    if any(not each.unchanged for each in result.warnings):
        return Verdict(outcome=ADVISED, text=f"{ADVICE}\n{_text(result)}")
    return Verdict(outcome=CLEAN)


def _text(result: Result) -> str:
    from keel.formats.llm import Llm

    return "".join(Llm(MAX_TOKENS).render(result)).strip("\n")


def worst(verdicts: Sequence[Verdict]) -> Verdict:
    """Several verdicts as one: the worst of them, with the texts of those that are as bad."""
    for outcome in (BLOCKED, ADVISED, TOLD):
        texts = [verdict.text for verdict in verdicts if verdict.outcome == outcome]
        if texts:
            return Verdict(outcome=outcome, text="\n".join(dict.fromkeys(texts)))
    return Verdict(outcome=CLEAN)


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raises when the block takes too long, if this is the thread that gets signals."""
    # `signal` itself takes a millisecond to make its enums.
    import _signal  # type: ignore[import-not-found]  # part of the interpreter, without a stub

    def ring(number: int, frame: object) -> None:
        raise HookError(f"it took longer than {seconds:g} s")

    if not hasattr(_signal, "setitimer"):
        yield
        return
    try:
        before = _signal.signal(_signal.SIGALRM, ring)
    except ValueError:  # another thread
        yield
        return
    _signal.setitimer(_signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        _signal.setitimer(_signal.ITIMER_REAL, 0)
        _signal.signal(_signal.SIGALRM, before)
