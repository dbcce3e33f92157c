"""Checks a tool without running it: every issue of its file, its chain and its lock.

A tool that cannot be read has one issue, any other has all of its issues listed. What to do about issues is left to the
callers.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from keel.errors import ChainValidationError, LockError, ManifestError, ToolError, ToolNotFoundError
from keel.toolspaces.chain import Chain, Element, elements_of, load
from keel.toolspaces.environment import EnvironmentProblem, check_said
from keel.toolspaces.locks import check_lock
from keel.toolspaces.manifests.manifest import CONFIG, ENVIRONMENT, EXECUTOR, SCHEMA
from keel.toolspaces.primitives import primitive_issues
from keel.toolspaces.resolve import find_tool
from keel.toolspaces.schema import schema_problem
from keel.toolspaces.spaces import Spaces
from keel.toolspaces.validation import validate_chain


class Issue(NamedTuple):
    """A problem of a tool, and the line of its file that it is about."""

    text: str
    line: int = 1


class Checked(NamedTuple):
    """The result of checking a tool."""

    item_id: str
    tool: Element | None
    """None when its own file cannot be read."""
    chain: Chain | None
    """None when there is no whole chain."""
    issues: list[Issue]
    warnings: list[str]


def check_tool(item_id: str, spaces: Spaces, project: str) -> Checked:
    """Everything that is wrong with a tool, its chain and its lock."""
    try:
        tool = load(find_tool(item_id, spaces))
    except ManifestError as error:
        return Checked(item_id, None, None, [Issue(f"{error.problem}.", error.line or 1)], [])
    except ToolError as error:
        return Checked(item_id, None, None, [Issue(f"{error}.")], [])
    at = tool.manifest.lines.get(EXECUTOR, 1)
    try:
        chain = Chain(tuple(elements_of(item_id, spaces)), project)
    except ToolError as error:
        broken = [Issue(text, at) for text in _chain_issues(error, item_id)]
        return Checked(item_id, tool, None, [*broken, *_own_issues(tool)], [])
    result = validate_chain(chain)
    issues = [Issue(text, at) for text in (*result.issues, *primitive_issues(chain))]
    issues += [*_own_issues(tool), *_lock_issues(chain)]
    return Checked(item_id, tool, chain, issues, result.warnings)


def _chain_issues(error: ToolError, item_id: str) -> list[str]:
    """Why there is no whole chain, worded for a list of many tools."""
    if isinstance(error, ChainValidationError):
        return error.issues
    if isinstance(error, ToolNotFoundError):
        who = "It" if error.wanted_by == item_id else f"'{error.wanted_by}'"
        return [
            f"{who} names the executor '{error.item_id}', which no space has{f'; {error.hint}' if error.hint else '.'}"
        ]
    return [f"{error}."]


def _own_issues(tool: Element) -> Iterator[Issue]:
    """Settings of a tool that no run could use."""
    manifest = tool.manifest
    problem = schema_problem(manifest.said.get(SCHEMA, True))
    if problem:
        yield Issue(f"CONFIG_SCHEMA cannot be used: {problem}.", manifest.lines.get(SCHEMA, 1))
    try:
        check_said(manifest.table(ENVIRONMENT))
    except EnvironmentProblem as error:
        yield Issue(f"{error}.", manifest.lines.get(ENVIRONMENT, 1))
    args = manifest.table(CONFIG).get("args", [])
    if not isinstance(args, list) or not all(isinstance(each, str) for each in args):
        yield Issue("CONFIG: args must be a list of texts.", manifest.lines.get(CONFIG, 1))


def _lock_issues(chain: Chain) -> Iterator[Issue]:
    try:
        check_lock(chain)
    except LockError as error:
        yield Issue(f"It is locked, and would be refused: {'; '.join(error.differences)}.")
