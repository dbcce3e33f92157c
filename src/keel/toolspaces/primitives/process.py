"""The primitive `subprocess`: a program with its arguments, its input, its time-out, and its output.

Output is read to its end and kept up to a limit. Starting and ending the process group is left to `groups.py`, programs
that speak a protocol to `mcp.py`.
"""

from __future__ import annotations

import subprocess
import threading
from contextlib import suppress
from typing import IO

from keel.toolspaces.jobs import Job, Outcome, answer_of
from keel.toolspaces.primitives.groups import MAX_TIMEOUT, TIMEOUT, Tap, end_group, send, started
from keel.toolspaces.primitives.mcp import converse

ONCE, MCP = "once", "mcp"
LAST_WORDS = 300


def perform(job: Job) -> Outcome:
    """Runs the program of a job and returns its output."""
    if job.one_of("protocol", (ONCE, MCP)) == MCP:
        return converse(job)
    timeout, most, accepted = job.number("timeout", TIMEOUT, MAX_TIMEOUT), job.limit, _accepted(job)
    fed = job.text("stdin").encode()
    with started(job) as child:
        out, err = Tap(child.stdout, most), Tap(child.stderr, most)
        threading.Thread(target=_feed, args=(child.stdin, fed), daemon=True).start()
        ended = _wait(child, timeout)
        end_group(child)
        warnings = [*out.finish("output"), *err.finish("error output")]
    data, unread = answer_of(job, out.text)
    error = _failure(child.returncode, accepted, err.text) if ended else f"not done after {timeout:g} s, and ended"
    return Outcome(
        success=not error and not unread,
        data=out.text if error else data,
        error=error or unread,
        messages=err.text,
        exit_code=child.returncode if ended else None,
        warnings=tuple(warnings),
    )


def _feed(pipe: IO[bytes] | None, data: bytes) -> None:
    """Gives a program all its input, and then its end."""
    send(pipe, data)
    if pipe is not None:
        with suppress(OSError):
            pipe.close()


def _wait(child: subprocess.Popen[bytes], timeout: float) -> bool:
    """Whether a program came to its end in time."""
    try:
        child.wait(timeout)
    except subprocess.TimeoutExpired:
        return False
    return True


def _accepted(job: Job) -> list[object]:
    said = job.config.get("exit_codes", [0])
    if not isinstance(said, list) or not all(type(code) is int for code in said):
        raise job.problem("CONFIG: exit_codes must be a list of whole numbers")
    return said


def _failure(code: int, accepted: list[object], messages: str) -> str:
    """Why a run failed, with what the program said last; empty when it did not."""
    if code in accepted:
        return ""
    said = messages.strip().rpartition("\n")[2][:LAST_WORDS]
    how = f"ended by signal {-code}" if code < 0 else f"exit code {code}"
    return f"{how}: {said}" if said else how
