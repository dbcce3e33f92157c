"""The public conformance suite and the inspector's command line, against `keel mcp` as clients start it.

`make mcp-suites` installs both below `.venv/`, with a node that is new enough; where that could not be done, these
tests are skipped.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from keel.surfaces.mcp.catalogue import tools
from tests.mcp.examples import CALLS
from tests.mcp.serving import serving
from tests.repository import TOP
from tests.workspaces import PATIENCE

SUITES = TOP / ".venv" / "mcp" / "node_modules"
CONFORMANCE = SUITES / "@modelcontextprotocol/conformance/dist/index.js"
INSPECTOR = SUITES / "@modelcontextprotocol/inspector/clients/launcher/build/index.js"
SECONDS = PATIENCE

SCENARIOS = (
    "server-initialize",
    "ping",
    "tools-list",
    "resources-list",
    "prompts-list",
    "server-sse-multiple-streams",
    "dns-rebinding-protection",
)
FIXTURE_TOOL = "calls a tool of the suite's own, which a server for tests is to offer"
FIXTURE_PROMPT = "gets a prompt of the suite's own"
FIXTURE_RESOURCE = "reads a resource of the suite's own"
LEFT_OUT = {
    "tools-call-simple-text": FIXTURE_TOOL,
    "tools-call-image": FIXTURE_TOOL,
    "tools-call-audio": FIXTURE_TOOL,
    "tools-call-embedded-resource": FIXTURE_TOOL,
    "tools-call-mixed-content": FIXTURE_TOOL,
    "tools-call-with-logging": FIXTURE_TOOL,
    "tools-call-error": FIXTURE_TOOL,
    "tools-call-with-progress": FIXTURE_TOOL,
    "tools-call-sampling": FIXTURE_TOOL,
    "tools-call-elicitation": FIXTURE_TOOL,
    "json-schema-2020-12": FIXTURE_TOOL,
    "elicitation-sep1034-defaults": FIXTURE_TOOL,
    "elicitation-sep1330-enums": FIXTURE_TOOL,
    "server-sse-polling": FIXTURE_TOOL,
    "completion-complete": FIXTURE_PROMPT,
    "prompts-get-simple": FIXTURE_PROMPT,
    "prompts-get-with-args": FIXTURE_PROMPT,
    "prompts-get-embedded-resource": FIXTURE_PROMPT,
    "prompts-get-with-image": FIXTURE_PROMPT,
    "resources-read-text": FIXTURE_RESOURCE,
    "resources-read-binary": FIXTURE_RESOURCE,
    "resources-templates-read": FIXTURE_RESOURCE,
    "resources-subscribe": FIXTURE_RESOURCE,
    "resources-unsubscribe": FIXTURE_RESOURCE,
    "logging-set-level": "is about an optional capability that the protocol deprecates, and keel does not claim",
}
"""Scenarios that are not run, and why."""

pytestmark = pytest.mark.skipif(
    not (CONFORMANCE.exists() and INSPECTOR.exists()),
    reason="the public suites are not installed: `make mcp-suites` needs npm and a registry",
)


@pytest.fixture(scope="module")
def address(shop: Path) -> Iterator[str]:
    """A server for the tests of this module."""
    with serving(shop) as found:
        yield found


def test_every_scenario_is_run_or_left_out_for_a_reason() -> None:
    listed = node(CONFORMANCE, "list").partition("Client scenarios")[0]
    there = {line.split()[1] for line in listed.splitlines() if line.startswith("  - ")}
    assert there == {*SCENARIOS, *LEFT_OUT}


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_the_server_conforms(address: str, scenario: str, tmp_path: Path) -> None:
    said = node(CONFORMANCE, "server", "--url", address, "--scenario", scenario, cwd=tmp_path)
    assert ", 0 failed, 0 warnings" in said, said


@pytest.mark.parametrize("transport", ["stdio", "http"])
def test_the_inspector_lists_every_tool_without_a_complaint(shop: Path, address: str, transport: str) -> None:
    said = node(INSPECTOR, "--cli", *target(transport, address), "--method", "tools/list", "--strict", cwd=shop)
    assert [tool["name"] for tool in json.loads(said)["tools"]] == list(tools())


@pytest.mark.parametrize("transport", ["stdio", "http"])
@pytest.mark.parametrize("name", tools())
def test_the_inspector_calls_every_tool(shop: Path, address: str, transport: str, name: str) -> None:
    given = [word for pair in CALLS[name].items() for word in ("--tool-arg", argument(*pair))]
    words = ["--cli", *target(transport, address), "--method", "tools/call", "--tool-name", name, *given]
    result = json.loads(node(INSPECTOR, *words, cwd=shop))
    assert not result.get("isError"), result
    assert result["structuredContent"]


def target(transport: str, address: str) -> list[str]:
    """How the inspector is told whom to talk to."""
    return [address, "--transport", "http"] if transport == "http" else [sys.executable, "-m", "keel", "mcp"]


def argument(name: str, value: object) -> str:
    """An argument as the inspector takes it."""
    return f"{name}={value if isinstance(value, str) else json.dumps(value)}"


def node(script: Path, *words: str, cwd: Path | None = None) -> str:
    """What a script says, run by the node that came with it or by one that is there already."""
    own = next(iter(sorted(SUITES.glob("node-*/bin/node"))), None)
    command = [str(own) if own else "node", str(script), *words]
    done = subprocess.run(
        command, cwd=cwd, stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", timeout=SECONDS
    )
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    return done.stdout
