"""Run a tool with parameters.

The tool is resolved, its chain is validated, compared with its lock when it has one, and its parameters are checked
against its schema. Then it is run without a shell, in a process group of its own, with a time-out, a limit to its
output, and only those variables of the environment that it asks for by name.

    keel tools run greet --param name=Ada
    keel tools run report --params '{"days": 7, "who": ["ada", "bob"]}'
    keel tools run greet --frozen --json

The exit code is 0 when the tool succeeds, 1 when it fails or may not run, 2 when it could not be started.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from keel.errors import UsageError
from keel.model.record import Record, field
from keel.toolspaces.chain import resolve_chain
from keel.toolspaces.execute import execute_chain
from keel.toolspaces.parameters import from_words

if TYPE_CHECKING:
    from typing import ClassVar

    from keel.ports.workspace import Workspace

GROUP = "tools"


class Params(Record):
    """Parameters of `tools run`."""

    item_id: str = field("The id of the tool.", positional=True)
    param: tuple[str, ...] = field("A parameter as name=value; JSON where the tool takes no text.", default=())
    params: str = field("All parameters as a JSON object.", default="")
    frozen: bool = field("Refuse a tool that is not locked.", default=False)


class Ran(Record):
    """An element of the chain that ran."""

    item_id: str = field("What it is called.")
    space: str = field("The space it came from.")
    type: str = field("The type that its manifest declares.")
    version: str = field("Its version; empty when it declares none.")
    sha256: str = field("The SHA-256 of what ran.")


class Result(Record):
    """The outcome of the run."""

    LAYOUT: ClassVar = ("{output}", "{failure}", "{messages}", "warnings")

    success: bool = field("Whether the tool succeeded.")
    data: object = field("Its answer: its output as text, or parsed as JSON; of HTTP, the response.")
    error: str = field("Why it failed; empty when it did not.")
    duration: float = field("How long it took, in seconds.")
    chain: tuple[Ran, ...] = field("What ran, from the tool to its primitive.")
    messages: str = field("Its standard error.")
    exit_code_of_tool: int | None = field("Its exit code; null when it has none, as after a time-out.")
    warnings: tuple[str, ...] = field("Remarks about the answer, such as that it was cut.")

    @property
    def output(self) -> str:
        """The answer as text."""
        if self.data is None:
            return ""
        text = self.data if isinstance(self.data, str) else json.dumps(self.data, ensure_ascii=False, indent=2)
        return text.rstrip("\n")

    @property
    def failure(self) -> str:
        """Why it failed, in a line."""
        return f"failed: {self.error}" if not self.success else ""

    @property
    def exit_code(self) -> int:
        """1 when the tool failed."""
        return 0 if self.success else 1


def run(workspace: Workspace, params: Params) -> Result:
    """Runs the tool."""
    chain = resolve_chain(params.item_id, workspace.folder)
    given = {**_object(params.params), **from_words(chain.tool, params.param)}
    result = execute_chain(chain, given, frozen=params.frozen)
    return Result(
        success=result.success,
        data=result.data,
        error=result.error,
        duration=result.duration,
        chain=tuple(Ran(**each) for each in result.chain),
        messages=result.messages,
        exit_code_of_tool=result.exit_code,
        warnings=tuple(result.warnings),
    )


def _object(text: str) -> dict[str, object]:
    if not text:
        return {}
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"--params is not JSON: {error}") from error
    if not isinstance(value, dict):
        raise UsageError("--params is not a JSON object", 'write it as {"name": "value"}')
    return value
