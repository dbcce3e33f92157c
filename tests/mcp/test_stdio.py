"""Conversations over standard input and output: greeting, listing, calling, and every way to misbehave."""

from __future__ import annotations

import json
import time
from pathlib import Path

import jsonschema
import mcp_types
import pytest
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS

from keel import registry
from keel.surfaces.mcp import stdio
from keel.surfaces.mcp.catalogue import INSTRUCTIONS, tools
from tests.e2e.shop import FILES
from tests.mcp.examples import CALLS
from tests.mcp.talk import HELLO, Talk, talking, text_of
from tests.workspaces import PATIENCE, MakeWorkspace, write_files

LISTED = tools()
HUGE = "x" * 5_000_000


@pytest.mark.parametrize("version", stdio.VERSIONS)
def test_the_greeting_is_what_the_sdk_would_say(shop: Path, version: str) -> None:
    with talking(shop) as talk:
        assert talk.ask("ping")["result"] == {}  # which leaves all that follows to the SDK
        said = talk.ask("initialize", HELLO | {"protocolVersion": version})
    asked = {"jsonrpc": "2.0", "id": said["id"], "method": "initialize", "params": HELLO | {"protocolVersion": version}}
    greeted = stdio.greeting(json.dumps(asked))
    assert greeted is not None
    assert json.loads(greeted.answer) == said


def test_the_versions_that_are_greeted_are_those_of_the_sdk() -> None:
    assert tuple(HANDSHAKE_PROTOCOL_VERSIONS) == stdio.VERSIONS


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"{",
        b"[" * 100_000,
        b'{"jsonrpc": "2.0", "id": 1, "method": "ping"}',
        json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {}}).encode(),
        json.dumps(
            {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": HELLO | {"protocolVersion": "3"}}
        ).encode(),
        json.dumps({"jsonrpc": "2.0", "id": None, "method": "initialize", "params": HELLO}).encode(),
        json.dumps(
            {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": HELLO | {"capabilities": {"x": 1}}}
        ).encode(),
    ],
)
def test_what_is_no_plain_greeting_is_left_to_the_sdk(line: bytes) -> None:
    assert stdio.greeting(line) is None


def test_the_answer_to_the_greeting_comes_once(shop: Path) -> None:
    with talking(shop) as talk:
        assert talk.hello()["result"]["instructions"] == INSTRUCTIONS
        assert talk.ask("ping")["result"] == {}
        assert talk.aside == []
        assert talk.leave() == 0


def test_the_tools_are_listed(talk: Talk) -> None:
    listed = talk.ask("tools/list")["result"]["tools"]
    assert [tool["name"] for tool in listed] == list(LISTED)


@pytest.mark.parametrize("name", LISTED)
def test_every_tool_answers_with_text_and_content_that_fits_its_schema(talk: Talk, name: str) -> None:
    [told] = [tool for tool in talk.ask("tools/list")["result"]["tools"] if tool["name"] == name]
    result = talk.call(name, **CALLS[name])
    assert not result.get("isError"), text_of(result)
    assert text_of(result)
    jsonschema.validate(CALLS[name], told["inputSchema"])
    jsonschema.validate(result["structuredContent"], told["outputSchema"])


def test_options_are_called_by_the_names_that_the_tool_takes(talk: Talk) -> None:
    assert "max_lines shows more" in text_of(talk.call("describe", symbol="Cart", max_lines=1))


def test_the_text_keeps_to_its_budget(talk: Talk) -> None:
    whole = text_of(talk.call("describe", symbol="shop/main.py"))
    cut = text_of(talk.call("describe", symbol="shop/main.py", max_tokens=100))
    assert len(cut) <= len(whole)


def test_an_edit_is_seen_by_the_next_question(workspace: MakeWorkspace) -> None:
    folder = workspace(FILES)
    with talking(folder) as talk:
        talk.hello()
        assert talk.call("describe", symbol="refund").get("isError")
        write_files(folder, {"shop/refund.py": "def refund() -> int:\n    return 1\n"})
        assert "shop/refund.py:1" in text_of(talk.call("describe", symbol="refund"))


def test_the_graph_follows_files_that_no_question_is_about(workspace: MakeWorkspace) -> None:
    folder = workspace(FILES)
    with talking(folder) as talk:
        talk.hello()
        assert text_of(talk.call("describe", symbol="pay")).count("calls {in 1,") == 1
        write_files(folder, {"shop/late.py": "from shop.main import pay\n\n\ndef late() -> int:\n    return pay()\n"})
        deadline = time.monotonic() + PATIENCE
        while "calls {in 2," not in text_of(talk.call("describe", symbol="pay")):
            assert time.monotonic() < deadline, "it never did"
            time.sleep(0.2)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({}, "symbol is missing"),
        ({"symbol": 3}, "symbol is a text, not 3"),
        ({"symbol": None}, "symbol is a text"),
        ({"symbol": ["Cart"]}, "symbol is a text"),
        ({"symbol": "Cart", "max_lines": "2"}, "max_lines is a whole number"),
        ({"symbol": "Cart", "max_lines": True}, "max_lines is a whole number"),
        ({"symbol": "Cart", "max_lines": -1}, "max_lines is at least 0"),
        ({"symbol": "Cart", "max_tokens": 1}, "max_tokens is at least 100"),
        ({"symbol": "Cart", "depth": 2}, "there is no parameter 'depth'"),
        ({"symbol": "a\0b"}, "has a sign in it that no name and no path has"),
        ({"symbol": HUGE}, "has 5,000,000 letters"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_arguments_that_do_not_fit_are_an_answer_that_says_so(
    talk: Talk, arguments: dict[str, object], said: str
) -> None:
    result = talk.call("describe", **arguments)
    assert result["isError"]
    error = result["structuredContent"]["failure"]
    assert error["code"] == "UsageError"
    assert said in error["message"]
    assert said in text_of(result)


@pytest.mark.parametrize(
    ("symbol", "code"),
    [
        ("Nowhere", "SymbolNotFound"),
        ("'; DROP TABLE nodes; --", "SymbolNotFound"),
        ('" OR name:* NEAR(', "SymbolNotFound"),
        ("../../../../etc/passwd:1", "SymbolNotFound"),
        ("sym:nowhere:x.py:f", "SymbolNotFound"),
        ("ZZZZZZZZZZZ", "SymbolNotFound"),
        ("tool:project:none", "SymbolNotFound"),
        ("%s%n\u202e\U0001f600", "SymbolNotFound"),
    ],
)
def test_names_that_are_none_are_a_typed_error(talk: Talk, symbol: str, code: str) -> None:
    error = talk.call("describe", symbol=symbol)["structuredContent"]["failure"]
    assert error["code"] == code
    assert "Traceback" not in error["message"]


def test_an_unknown_tool_is_an_error_of_the_protocol(talk: Talk) -> None:
    error = talk.ask("tools/call", {"name": "destroy", "arguments": {}})["error"]
    assert error["code"] == mcp_types.INVALID_PARAMS
    assert "Unknown tool: destroy" in error["message"]


@pytest.mark.parametrize(
    "line",
    [
        "no json",
        "{}",
        "[]",
        '{"jsonrpc": "1.0", "id": 1, "method": "ping"}',
        '{"jsonrpc": "2.0", "id": {}, "method": "ping"}',
        '{"jsonrpc": "2.0", "id": 77, "result": {}}',
        '{"jsonrpc": "2.0", "id": 78, "method": "tools/call", "params": []}',
        "[" * 10_000,
        '{"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 12345}}',
        '{"jsonrpc": "2.0", "method": "notifications/nonsense"}',
        "\ufeff",
    ],
    ids=lambda line: line[:30],
)
def test_broken_messages_do_not_end_the_conversation(talk: Talk, line: str) -> None:
    talk.tell(line)
    assert talk.ask("ping")["result"] == {}


@pytest.mark.parametrize("params", [None, {"name": 3}, {"name": "describe", "arguments": "x"}, {"arguments": {}}])
def test_calls_that_are_none_are_refused(talk: Talk, params: object) -> None:
    assert talk.ask("tools/call", params)["error"]["code"] in (mcp_types.INVALID_PARAMS, mcp_types.INVALID_REQUEST)
    assert talk.ask("ping")["result"] == {}


def test_bytes_that_are_no_text_do_not_end_the_conversation(talk: Talk) -> None:
    talk.send(b"\xff\xfe\x00\n")
    assert talk.ask("ping")["result"] == {}


def test_questions_before_the_greeting_are_refused(shop: Path) -> None:
    with talking(shop) as talk:
        assert "error" in talk.ask("tools/list")
        assert talk.ask("initialize", HELLO)["result"]


@pytest.mark.parametrize("begun", [b"", b'{"jsonrpc": "2.0", "id": 1, "meth'])
def test_a_client_that_leaves_ends_the_server(shop: Path, begun: bytes) -> None:
    with talking(shop) as talk:
        talk.send(begun)
        assert talk.leave() == 0


def test_a_client_that_leaves_in_the_middle_of_a_call_ends_the_server(shop: Path) -> None:
    with talking(shop) as talk:
        talk.hello()
        talk.begin("tools/call", {"name": "describe", "arguments": {"symbol": "Cart"}})
        assert talk.leave() == 0


def test_a_folder_that_is_none_is_refused(tmp_path: Path) -> None:
    with talking(tmp_path, "--workspace", "nowhere") as talk:
        assert talk.process.wait(60) == 2
        assert talk.process.stderr is not None
        assert b"there is no folder nowhere" in talk.process.stderr.read()


def test_nothing_is_read_before_the_first_question(workspace: MakeWorkspace) -> None:
    folder = workspace(FILES)
    with talking(folder) as talk:
        talk.hello()
        talk.ask("tools/list")
        assert not (folder / ".keel").exists()
        assert "Cart" in text_of(talk.call("describe", symbol="Cart"))


def test_the_page_of_every_rule_can_be_read(talk: Talk) -> None:
    resources = talk.ask("resources/list")["result"]["resources"]
    assert [resource["name"] for resource in resources] == [rule.CODE for rule in registry.rules()]
    for resource in resources:
        [page] = talk.ask("resources/read", {"uri": resource["uri"]})["result"]["contents"]
        assert page["text"].startswith(resource["name"])
    assert "Unknown resource" in talk.ask("resources/read", {"uri": "keel://rules/X"})["error"]["message"]


def test_the_prompt_can_be_got(talk: Talk) -> None:
    [prompt] = talk.ask("prompts/list")["result"]["prompts"]
    [message] = talk.ask("prompts/get", {"name": prompt["name"]})["result"]["messages"]
    assert "`compile`" in message["content"]["text"]
    assert "Unknown prompt" in talk.ask("prompts/get", {"name": "x"})["error"]["message"]


def test_calls_are_in_the_log(shop: Path, talk: Talk) -> None:
    talk.call("describe", symbol="checkout")
    assert "mcp describe symbol=checkout" in (shop / ".keel/log").read_text(encoding="utf-8")
