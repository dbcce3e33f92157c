"""What clients are told about the tools: short, derived from the operations, and true."""

from __future__ import annotations

import json

import jsonschema
import pytest

from benchmarks.tokenizers import most_tokens
from keel import registry
from keel.surfaces.mcp.catalogue import DEFAULT, INSTRUCTIONS, Tool, entry, tools
from tests.repository import TOP

MAX_TOKENS = 2500
LISTED = tools()
EVERY = tools(every=True)
IDENTIFIERS = ("search", "find", "describe", "neighbors")
"""They are given what `resolve` is for, by those who were not told."""


def test_the_default_tools_come_first_and_all_others_on_request() -> None:
    there = registry.names(registry.OPERATIONS)
    assert list(LISTED) == [verb for verb in DEFAULT if verb in there]
    assert list(EVERY)[: len(LISTED)] == list(LISTED)
    assert {tool.verb for tool in EVERY.values()} == {*there} - {"export"}, "all but what streams"


def test_the_list_of_tools_is_cheap() -> None:
    listed = json.dumps({"tools": [entry(tool) for tool in LISTED.values()]}, separators=(",", ":"))
    assert most_tokens(listed) <= MAX_TOKENS


def test_the_instructions_are_short() -> None:
    assert most_tokens(INSTRUCTIONS) <= 250


@pytest.mark.parametrize("tool", EVERY.values(), ids=EVERY)
def test_a_tool_says_what_it_takes_and_answers(tool: Tool) -> None:
    told = entry(tool)
    for schema in (told["inputSchema"], told["outputSchema"]):
        jsonschema.Draft202012Validator.check_schema(schema)
        assert schema["type"] == "object"
    assert all(said["description"] for said in told["inputSchema"]["properties"].values())
    assert told["title"]
    assert told["description"].endswith(".")


@pytest.mark.parametrize("tool", EVERY.values(), ids=EVERY)
def test_a_failure_fits_the_output_schema(tool: Tool) -> None:
    """Clients check the content of failures, too."""
    schema = entry(tool)["outputSchema"]
    jsonschema.validate({"failure": {"code": "Fault"}}, schema)
    assert "failure" not in schema["properties"]


def test_what_asks_is_read_only_and_what_checks_is_not() -> None:
    hints = {name: entry(tool)["annotations"] for name, tool in EVERY.items()}
    assert hints["describe"] == {"readOnlyHint": True, "idempotentHint": True, "openWorldHint": False}
    assert hints["compile"] == {"readOnlyHint": False, "destructiveHint": False, "openWorldHint": False}
    assert hints["deinit"]["destructiveHint"]
    assert hints["tools_run"] == {"readOnlyHint": False, "destructiveHint": True, "openWorldHint": True}


def test_what_is_for_people_at_a_terminal_is_not_offered() -> None:
    assert {"strict", "verbose"}.isdisjoint(entry(EVERY["compile"])["inputSchema"]["properties"])


@pytest.mark.parametrize("verb", [verb for verb in IDENTIFIERS if verb in LISTED])
def test_identifiers_are_sent_to_resolve(verb: str) -> None:
    if "resolve" in LISTED:
        assert "`resolve`" in entry(LISTED[verb])["description"]


@pytest.mark.parametrize("text", [INSTRUCTIONS, (TOP / "docs/agent-guide.md").read_text(encoding="utf-8")])
def test_guides_send_identifiers_to_resolve_and_never_search_then_describe(text: str) -> None:
    assert "`resolve`" in text
    for line in text.lower().splitlines():
        if "search" in line and "describe" in line:
            assert "never" in line or "not" in line, line
