"""Requests over HTTP: where they may go, what they carry, and how much of an answer is kept."""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from keel.errors import RunError
from keel.toolspaces import ToolResult, run_tool
from tests.toolspaces import SpaceFolders, make_trees, manifest


@pytest.fixture
def trees(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> SpaceFolders:
    return make_trees(tmp_path, monkeypatch)


class Answers(BaseHTTPRequestHandler):
    """A server that says what it was asked."""

    busy = 0

    def do_GET(self) -> None:  # the name that the library calls
        kind = self.path.partition("?")[0]
        if kind == "/busy" and Answers.busy > 0:
            Answers.busy -= 1
            self._say(503, b"busy")
        elif kind == "/away":
            self.send_response(302)
            self.send_header("Location", "http://example.invalid/")
            self.end_headers()
        elif kind == "/large":
            self._say(200, b"x" * 100_000)
        elif kind == "/no":
            self._say(404, b"nothing here")
        else:
            said = {"path": self.path, "token": self.headers.get("Authorization")}
            self._say(200, json.dumps(said).encode())

    def _say(self, code: int, body: bytes) -> None:
        self.send_response(code)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Says nothing."""


@pytest.fixture
def server() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Answers) as running:
        threading.Thread(target=running.serve_forever, args=(0.02,), daemon=True).start()
        yield f"http://127.0.0.1:{running.server_port}"
        running.shutdown()


def ask_http(
    trees: SpaceFolders, config: dict[str, object], params: dict[str, object] | None = None, **said: object
) -> ToolResult:
    trees.add("project", "tool", manifest("http_client", "http", CONFIG=config, **said))
    return run_tool("tool", trees.project, params if isinstance(params, dict) else None)


def test_a_request_carries_parameters_in_their_places(
    trees: SpaceFolders, server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("API_TOKEN", "t0ken")
    config: dict[str, object] = {
        "url": server + "/items/{id}",
        "query": {"q": "{q}", "left": "{out}"},
        "headers": {"Authorization": "Bearer {env.API_TOKEN}"},
        "output": "json",
    }
    result = ask_http(trees, config, {"id": "../../admin?x#y", "q": "a b&c"}, ENV_CONFIG={"pass": ["API_TOKEN"]})
    assert result.error == ""
    assert isinstance(result.data, dict)
    assert result.data["status"] == 200
    assert result.data["body"] == {"path": "/items/..%2F..%2Fadmin%3Fx%23y?q=a+b%26c", "token": "Bearer t0ken"}


def test_a_busy_server_is_asked_again_and_an_error_is_told(trees: SpaceFolders, server: str) -> None:
    Answers.busy = 2
    assert ask_http(trees, {"url": f"{server}/busy"}).success
    Answers.busy = 2
    assert ask_http(trees, {"url": f"{server}/busy", "retries": 0}).error == "HTTP 503 Service Unavailable"
    assert ask_http(trees, {"url": f"{server}/no", "output": "json"}).error == "HTTP 404 Not Found"


def test_an_answer_beyond_the_limit_is_cut_and_said_so(trees: SpaceFolders, server: str) -> None:
    result = ask_http(trees, {"url": f"{server}/large", "max_output": 1000})
    assert isinstance(result.data, dict)
    assert result.data["body"] == "x" * 1000
    assert result.warnings == ["the answer is cut after 1,000 bytes"]


@pytest.mark.parametrize(
    "url",
    ["http://example.invalid/", "ftp://example.invalid/", "file:///etc/passwd", "http://127.0.0.1.example.invalid/"],
)
def test_only_https_and_this_machine_are_asked(trees: SpaceFolders, url: str) -> None:
    with pytest.raises(RunError, match="is neither https nor on this machine"):
        ask_http(trees, {"url": "{url}"}, {"url": url})


def test_a_redirect_is_checked_like_the_first_address(trees: SpaceFolders, server: str) -> None:
    assert ask_http(trees, {"url": f"{server}/away"}).error == "HTTP 302 Found"
    with pytest.raises(RunError, match="is neither https nor on this machine"):
        ask_http(trees, {"url": f"{server}/away", "follow_redirects": True})


def test_http_without_its_library_is_a_clear_error(trees: SpaceFolders, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "httpx", None)
    with pytest.raises(RunError, match=r"the primitive http_client needs httpx, which is not installed: pip install"):
        ask_http(trees, {"url": "https://example.invalid/"})
