"""Tools of MCP servers: started, greeted, asked once, and ended whatever they do."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from keel.toolspaces import ToolResult, run_tool
from tests.toolspaces import AWKWARD, SpaceFolders, make_trees, manifest


@pytest.fixture
def trees(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> SpaceFolders:
    return make_trees(tmp_path, monkeypatch)


SERVER = """
import json, sys
def say(message): print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)
say({"id": 99, "method": "ping"})
for line in sys.stdin:
    heard = json.loads(line)
    if heard.get("method") == "initialize":
        say({"method": "notifications/message", "params": {}})
        say({"id": heard["id"], "result": {"protocolVersion": "2025-06-18", "capabilities": {}, "serverInfo": {}}})
    elif heard.get("method") == "tools/call":
        name, given = heard["params"]["name"], heard["params"]["arguments"]
        if name == "echo":
            text = {"type": "text", "text": json.dumps(given)}
            say({"id": heard["id"], "result": {"content": [text]}})
        elif name == "fail":
            say({"id": heard["id"], "result": {"content": [{"type": "text", "text": "no luck"}], "isError": True}})
        elif name == "hang":
            continue
        elif name == "garble":
            print("garbage", flush=True)
        elif name == "leave":
            break
        else:
            say({"id": heard["id"], "error": {"code": -32602, "message": "no such tool"}})
"""


def ask_server(
    trees: SpaceFolders, name: str, params: dict[str, object] | None = None, timeout: float = 20
) -> ToolResult:
    config = {"command": sys.executable, "args": ["-c", SERVER.replace("{", "{{").replace("}", "}}")], "mcp_tool": name}
    trees.add("project", "tool", manifest("mcp_stdio_runtime", CONFIG={**config, "timeout": timeout}))
    return run_tool("tool", trees.project, params)


def test_a_tool_of_an_mcp_server_is_called(trees: SpaceFolders) -> None:
    result = ask_server(trees, "echo", {"words": AWKWARD})
    assert (result.success, json.loads(str(result.data))) == (True, {"words": AWKWARD})


@pytest.mark.parametrize(
    ("name", "error"),
    [
        ("fail", "no luck"),
        ("unknown", "the server refused tools/call: no such tool"),
        ("leave", "the server ended, or said too much, before it answered tools/call"),
        ("garble", "the server does not speak JSON: b'garbage\\n'"),
    ],
)
def test_what_goes_wrong_with_a_server_is_told(trees: SpaceFolders, name: str, error: str) -> None:
    result = ask_server(trees, name)
    assert (result.success, result.error) == (False, error)


def test_a_server_that_does_not_answer_is_ended(trees: SpaceFolders) -> None:
    assert ask_server(trees, "hang", timeout=2).error == "not done after 2 s, and ended"
