"""The server over HTTP: for this machine, for pages of its own, for many at once, and robust against the rest."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest

from tests.mcp.serving import serving
from tests.mcp.talk import HELLO
from tests.workspaces import PATIENCE, run_keel

HEADERS = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}
GREETING = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": HELLO}


@pytest.fixture(scope="module")
def address(shop: Path) -> Iterator[str]:
    """A server for the tests of this module."""
    with serving(shop) as found:
        yield found


def test_it_listens_on_the_loopback_address_only(address: str) -> None:
    assert urlsplit(address).hostname == "127.0.0.1"


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"Origin": "same"}, 200),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "http://localhost:1"}, 403),
        ({"Origin": "null"}, 403),
        ({"Host": "evil.example"}, 421),
        ({"Host": "127.0.0.1"}, 421),
        ({"Content-Type": "text/plain"}, 400),
    ],
    ids=str,
)
def test_only_requests_to_this_server_from_its_own_pages_pass(
    address: str, headers: dict[str, str], status: int
) -> None:
    parts = urlsplit(address)
    given = {name: f"http://{parts.netloc}" if value == "same" else value for name, value in headers.items()}
    assert httpx.post(address, json=GREETING, headers=HEADERS | given).status_code == status


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"\xff", b"[" * 100_000, b'"' + b"x" * 5_000_000 + b'"'], ids=len)
def test_broken_bodies_are_refused(address: str, body: bytes) -> None:
    assert 400 <= httpx.post(address, content=body, headers=HEADERS).status_code < 500
    assert httpx.post(address, json=GREETING, headers=HEADERS).status_code == 200


def test_a_session_that_is_none_is_refused(address: str) -> None:
    asked = {"jsonrpc": "2.0", "id": 2, "method": "tools/list"}
    assert httpx.post(address, json=asked, headers=HEADERS | {"Mcp-Session-Id": "x"}).status_code == 404


def test_clients_that_leave_in_the_middle_do_not_matter(address: str) -> None:
    parts = urlsplit(address)
    assert parts.port
    for sent in (b"", b"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1", b"POST /mcp HTTP/1.1\r\nContent-Length: 99\r\n\r\n{"):
        with socket.create_connection(("127.0.0.1", parts.port)) as connection:
            connection.sendall(sent)
    assert httpx.post(address, json=GREETING, headers=HEADERS).status_code == 200


def test_many_clients_at_once_are_all_answered(address: str) -> None:
    with ThreadPoolExecutor(20) as pool:
        texts = list(pool.map(lambda _: described(address), range(20)))
    assert all("Cart.total" in text for text in texts)


def test_a_port_that_is_taken_is_said(shop: Path, address: str) -> None:
    done = run_keel(["mcp", "--http", "--port", str(urlsplit(address).port)], cwd=shop)
    assert done.returncode == 2
    assert "cannot listen on 127.0.0.1" in done.stderr
    assert "Traceback" not in done.stderr


def described(address: str) -> str:
    """What a client of its own is answered about a method."""
    with httpx.Client(headers=HEADERS, timeout=PATIENCE) as client:
        session = {"Mcp-Session-Id": client.post(address, json=GREETING).headers["mcp-session-id"]}
        client.post(address, json={"jsonrpc": "2.0", "method": "notifications/initialized"}, headers=session)
        params = {"name": "describe", "arguments": {"symbol": "Cart.total"}}
        asked = {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": params}
        answer = client.post(address, json=asked, headers=session)
        [data] = [line.removeprefix("data: ") for line in answer.text.splitlines() if line.startswith("data: {")]
        text: str = json.loads(data)["result"]["content"][0]["text"]
        return text
