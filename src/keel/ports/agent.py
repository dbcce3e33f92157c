"""The Agent socket: a program that edits or commits code, how keel is set up for it, and how it is answered.

What an edit breaks is found by the operations; reading and writing files is left to them as well. An agent only
declares what its files are to contain, how its payloads are read, and in which protocol it is answered.
"""

from __future__ import annotations

from keel.model.record import Record

# `keel hook` runs after every edit: nothing here may cost time to import.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Protocol
else:
    Protocol = object

CLEAN, ADVISED, BLOCKED, TOLD, FAILED = "clean", "advised", "blocked", "told", "failed"
"""Outcomes of a check: no findings, warnings, errors; or not checked: the graph is being built, or keel failed."""
PASSED, FAULT, STOPPED = 0, 1, 2
"""Exit codes that mean the same to every agent: go on; go on, the hook itself failed; the edit is not accepted."""


class Unfit(ValueError):
    """A file that keel refuses to change, with the reason: it does not parse, or keel's entry would overwrite another
    owner's."""


class Edit(Record):
    """An edit, as the agent reports it."""

    files: tuple[str, ...] = ()
    """Paths as the agent names them; empty for everything that differs from the accepted tree."""
    session: str = ""
    """The id of the agent's session."""
    folder: str = ""
    """The folder that relative paths start from; the working directory of the process when the agent does not say."""


class Verdict(Record):
    """The result of checking an edit."""

    outcome: str
    text: str = ""
    """For the agent when there are findings, else a line for the user who watches it."""


class Answer(Record):
    """What a hook writes to standard output and standard error, and its exit code."""

    code: int = PASSED
    out: str = ""
    err: str = ""


class AgentFolders(Record):
    """The folders that agents are looked for in; absolute paths."""

    folder: str
    """The workspace."""
    home: str = ""
    """The user's home folder."""
    hooks: str = ""
    """Where git looks for hooks; empty outside git."""


class Part(Protocol):
    """What keel adds to one file of an agent; the rest of the file belongs to others, and every method leaves it as it
    is."""

    @property
    def path(self) -> str:
        """The path of the file: relative to the workspace, or absolute."""

    @property
    def executable(self) -> bool:
        """Whether the file is a program."""

    def merged(self, text: str | None) -> str:
        """The file with keel's part in it, where None means that no file exists; Unfit when that cannot be done safely.

        Idempotent: a file that already has the part is returned unchanged.
        """

    def without(self, text: str) -> str:
        """The file without keel's part; Unfit when that cannot be done safely."""

    def is_bare(self, text: str) -> bool:
        """Whether a file contains nothing but what keel writes into an empty one, so that it can be deleted."""


class Hook(Protocol):
    """How an agent reports an edit, and how it is answered."""

    @property
    def takes_payload(self) -> bool:
        """Whether the agent writes a JSON object to standard input."""

    def edit(self, payload: object) -> Edit | None:
        """The edit that a payload reports; None for other events. A payload is untrusted: no value in it may raise."""

    def answer(self, verdict: Verdict) -> Answer:
        """The verdict in the agent's own protocol."""


class Agent(Protocol):
    """A coding agent, or another program that checks edits, such as git."""

    @property
    def name(self) -> str:
        """Its name in `keel hook` and `keel init --agents`."""

    @property
    def title(self) -> str:
        """Its name as people write it."""

    @property
    def advice(self) -> str:
        """What the user still has to do after the setup; may be empty."""

    @property
    def hook(self) -> Hook | None:
        """None for an agent that cannot run a program after an edit."""

    def signs(self, place: AgentFolders) -> Sequence[str]:
        """Evidence that it is used here, the project's files first; empty for one that must be asked for by name."""

    def parts(self, place: AgentFolders) -> Sequence[Part]:
        """What keel adds to its files."""
