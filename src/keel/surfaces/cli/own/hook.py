"""Check what a coding agent has just edited, and answer in the agent's own protocol.

Agents call it, people need not. The payload that the agent's hook gets comes on standard input. The files that it names
are checked as `keel compile` does, in the agent's session. When nothing is wrong, nothing is printed. Findings about
broken callers go to the agent, which then fixes them: for most by exit code 2, with the findings on standard error.

    keel hook claude-code < payload.json
    keel hook git

`keel init` writes this command into the files of the agents that are used; `docs/agents.md` shows each.

A hook never builds the graph while the agent waits: without one it starts `keel map` in the background, says so in a
line, and the edit passes. It never blocks because keel itself failed, whatever happened: that is a line on standard
error, with details in `.keel/log`, and the edit passes. It gives up after 20 seconds.
"""

from __future__ import annotations

import os
from time import perf_counter

from keel import registry
from keel.errors import UsageError, brief
from keel.model.record import Record, field
from keel.ports.agent import FAILED, FAULT, Verdict
from keel.surfaces.cli.streams import complain, is_on_behalf, stdin

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import ClassVar

    from keel.ports.agent import Agent
    from keel.surfaces.cli.hooking import Checking

GROUP = "check"
QUICK = True
STARTS_DAEMON = True
FORMATS = ("human",)
FAILS_WITH = FAULT
"""Exit code 2 tells an agent that the edit is wrong; a wrong command line must not."""


class Params(Record):
    """What `hook` must be told."""

    agent: str = field("The agent that calls, as `keel init --agents` names it.", positional=True)


class Result(Record):
    """The answer for standard output; standard error has been written already."""

    LAYOUT: ClassVar = ("{text}",)

    text: str = field("The answer, where the agent's protocol wants one on standard output; else empty.")
    exit_code: int = field("The exit code, by the agent's protocol.")


def run(params: Params) -> Result:
    """Checks the edit described on standard input; when keel fails, the edit passes."""
    from keel.surfaces.cli.hooking import Checking

    started = perf_counter()
    agent = _agent(params.agent)
    checking = Checking(agent, os.getcwd())
    trouble: Exception | None = None
    try:
        verdict = checking.verdict(_payload if checking.takes_payload else bytes)
    except Exception as error:  # an agent must not be held up by a fault of keel's
        if is_on_behalf():
            raise  # the client runs the command itself
        trouble = error
        verdict = Verdict(outcome=FAILED)
    assert agent.hook is not None
    code = agent.hook.answer(verdict).code
    log = _logged(checking, params, code, perf_counter() - started, trouble)
    if trouble is not None:
        verdict = Verdict(outcome=FAILED, text=_line(trouble, log))
    answer = agent.hook.answer(verdict)
    if answer.err:
        complain(answer.err)
    return Result(text=answer.out, exit_code=answer.code)


def _agent(name: str) -> Agent:
    found = registry.agent(name)
    if found is not None and found.hook is not None:
        return found
    from keel.surfaces.cli.arguments import did_you_mean

    known = [each.name for each in registry.agents() if each.hook is not None]
    if found is not None:
        raise UsageError(f"{found.title} has no hooks", f"known: {', '.join(known)}")
    hint = did_you_mean(name, known) or f"known: {', '.join(known)}"
    raise UsageError(f"unknown agent '{brief(name)}'", hint)


def _payload(most: int) -> bytes:
    """Standard input, up to so many bytes."""
    from keel.errors import HookError

    given = stdin()
    if given is None:
        return b""
    if given.isatty():
        raise HookError("an agent's payload is expected on standard input", "`keel help hook` says more")
    stream = getattr(given, "buffer", None)
    read = stream.read(most) if stream is not None else given.read(most)
    return read.encode("utf-8", "surrogateescape") if isinstance(read, str) else bytes(read)


def _logged(checking: Checking, params: Params, code: int, seconds: float, trouble: Exception | None) -> str:
    """Adds the call to the log of the workspace, if that was found; where the log is."""
    if checking.workspace is None:
        return ""
    from keel.surfaces.cli.log import note

    return note(checking.workspace, ("hook", params.agent, *checking.files), code, seconds, trouble)


def _line(trouble: Exception, log: str) -> str:
    from keel.surfaces.failures import failure_of

    failure = failure_of(trouble, log)
    said = f"{failure.error}; {failure.hint}" if failure.hint else failure.error
    return f"keel could not check this edit: {' '.join(said.split())}"
