"""The Agent socket: a program that edits or commits code, how keel is set up for it, and how it is answered.

What an edit breaks is found by the operations; reading and writing files is left to them as well. An agent only says
what its files are to hold, what its payloads mean, and how it wants to be told.
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
"""What can come of checking an edit: nothing, warnings, errors; or it was not checked: not yet, or keel failed."""
PASSED, FAULT, STOPPED = 0, 1, 2
"""Exit codes that mean the same to every agent: go on; go on, the hook itself failed; the edit is not accepted."""


class Unfit(ValueError):
    """A file that keel does not touch, and why: it does not parse, or what stands there is somebody else's."""


class Edit(Record):
    """What an agent has done."""

    files: tuple[str, ...] = ()
    """As the agent names them; none for everything that differs from what was accepted."""
    session: str = ""
    """The session it was done in, as the agent calls it."""
    folder: str = ""
    """Where relative paths begin; the folder of the process when the agent does not say."""


class Verdict(Record):
    """What came of checking an edit."""

    outcome: str
    text: str = ""
    """For the agent when something was found, else a line for whoever watches it."""


class Answer(Record):
    """What a hook writes, and how it ends."""

    code: int = PASSED
    out: str = ""
    err: str = ""


class AgentFolders(Record):
    """Where agents are looked for; folders are absolute."""

    folder: str
    """The workspace."""
    home: str = ""
    """The home folder of whoever is working."""
    hooks: str = ""
    """Where git looks for hooks; empty outside git."""


class Part(Protocol):
    """What keel adds to one file of an agent; the rest of the file belongs to others and stays as it is."""

    @property
    def path(self) -> str:
        """Where the file is: relative to the workspace, or absolute."""

    @property
    def executable(self) -> bool:
        """Whether the file is a program."""

    def merged(self, text: str | None) -> str:
        """The file with keel's part in it, None standing for no file; Unfit when that cannot be done safely."""

    def without(self, text: str) -> str:
        """The file without keel's part; Unfit when that cannot be done safely."""

    def is_bare(self, text: str) -> bool:
        """Whether a file holds nothing but what keel begins one with."""


class Hook(Protocol):
    """How an agent tells of an edit, and how it is answered."""

    @property
    def takes_payload(self) -> bool:
        """Whether the agent writes a JSON object to standard input."""

    def edit(self, payload: object) -> Edit | None:
        """What the payload says was edited; None when it tells of something else. Anything can be in a payload."""

    def answer(self, verdict: Verdict) -> Answer:
        """The verdict in the agent's own protocol."""


class Agent(Protocol):
    """A coding agent, or something else that checks edits, as git does."""

    @property
    def name(self) -> str:
        """What `keel hook` and `keel init --agents` call it."""

    @property
    def title(self) -> str:
        """What people call it."""

    @property
    def advice(self) -> str:
        """What is left to people after the setup; may be empty."""

    @property
    def hook(self) -> Hook | None:
        """None when it cannot run a program after an edit."""

    def signs(self, place: AgentFolders) -> Sequence[str]:
        """What shows that it is used here, the project's files first; nothing when it must be asked for by name."""

    def parts(self, place: AgentFolders) -> Sequence[Part]:
        """What keel adds to its files."""
