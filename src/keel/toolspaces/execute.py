"""Runs a tool: its chain is checked once more and handed to its primitive.

Every run goes through the same steps, in this order: resolve, validate, lock, parameters, job, primitive. What was
resolved is what runs; no file of the chain is opened again. What primitives do is left to `primitives/`.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from msgspec import Struct

from keel.errors import ChainValidationError, RunError
from keel.toolspaces.chain import Chain, resolve_chain
from keel.toolspaces.jobs import Outcome, job_of, wants_source
from keel.toolspaces.locks import check_lock
from keel.toolspaces.parameters import checked
from keel.toolspaces.primitives import primitive, primitive_issues
from keel.toolspaces.validation import validate_chain

SOURCE_NAME = "tool.py"


class ToolResult(Struct, frozen=True):
    """The result of a run."""

    success: bool
    data: object
    error: str
    duration: float
    """Seconds."""
    chain: list[dict[str, str]]
    """What ran: id, space, type, version and SHA-256 of each element."""
    messages: str = ""
    exit_code: int | None = None
    warnings: list[str] = []


def run_tool(
    item_id: str,
    project_path: str | os.PathLike[str],
    params: Mapping[str, object] | None = None,
    frozen: bool = False,
) -> ToolResult:
    """Runs a tool by its id."""
    return execute_chain(resolve_chain(item_id, project_path), params, frozen=frozen)


def execute_chain(
    chain: Chain | Sequence[Mapping[str, Any]],
    params: Mapping[str, object] | None = None,
    project_path: str | os.PathLike[str] = ".",
    frozen: bool = False,
) -> ToolResult:
    """Runs a chain. Plain mappings are resolved again in the project, and must name what is found there."""
    whole = chain if isinstance(chain, Chain) else _resolved(chain, project_path)
    check_chain(whole)
    check_lock(whole, frozen)
    given = checked(whole.tool, params or {})
    perform = primitive(whole.primitive.item_id)
    with _source(whole) as source:
        job = job_of(whole, given, source, os.environ)
        begun = time.monotonic()
        outcome = perform(job)
    return _result(whole, outcome, time.monotonic() - begun)


def check_chain(chain: Chain) -> None:
    """Refuses a chain that is not valid, or ends with something that keel does not do."""
    issues = [*validate_chain(chain).issues, *primitive_issues(chain)]
    if issues:
        raise ChainValidationError(issues)


def described(chain: Chain) -> list[dict[str, str]]:
    """The elements of a chain, for answers."""
    return [
        {
            "item_id": each.item_id,
            "space": each.space,
            "type": each.manifest.tool_type,
            "version": each.manifest.version,
            "sha256": each.sha256,
        }
        for each in chain.elements
    ]


def _resolved(chain: Sequence[Mapping[str, Any]], project_path: str | os.PathLike[str]) -> Chain:
    """The chain that plain mappings describe, when it is still the same."""
    if not chain:
        raise ChainValidationError(["The chain is empty."])
    whole = resolve_chain(chain[0].get("item_id", ""), project_path)
    said = [(each.get("item_id"), each.get("space")) for each in chain]
    now = [(each.item_id, each.space) for each in whole.elements]
    if said != now:
        shown = " → ".join(f"{item_id} ({space})" for item_id, space in now)
        raise ChainValidationError([f"The chain is not what is resolved now: {shown}."])
    return whole


@contextmanager
def _source(chain: Chain) -> Iterator[str]:
    """A private file with the tool's bytes as they were checked, when a runtime needs one."""
    if not wants_source(chain):
        yield ""
        return
    try:
        folder = tempfile.TemporaryDirectory(prefix="keel-tool-", ignore_cleanup_errors=True)
    except OSError as error:
        raise RunError(chain.tool.item_id, f"there is no temporary folder: {error.strerror}") from error
    with folder as name:
        path = os.path.join(name, SOURCE_NAME)
        with open(path, "xb") as file:
            file.write(chain.tool.data)
        yield path


def _result(chain: Chain, outcome: Outcome, seconds: float) -> ToolResult:
    return ToolResult(
        success=outcome.success,
        data=outcome.data,
        error=outcome.error,
        duration=round(seconds, 6),
        chain=described(chain),
        messages=outcome.messages,
        exit_code=outcome.exit_code,
        warnings=list(outcome.warnings),
    )
