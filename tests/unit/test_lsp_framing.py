"""Messages are put together from bytes however they are cut, and what is no message is refused with a reason."""

from __future__ import annotations

import json

import pytest

from keel.resolvers.lsp.framing import Frames, Json, NoMessage, framed

MESSAGES: list[dict[str, Json]] = [
    {"id": 1, "result": "é\U0001f600"},
    {"method": "x", "params": {"a": [1, None]}},
    {"id": 2},
]
WIRE = b"".join(map(framed, MESSAGES))


@pytest.mark.parametrize("size", [1, 2, 7, 64, 10_000])
def test_messages_arrive_whole_however_the_bytes_are_cut(size: int) -> None:
    frames = Frames()
    got = [message for at in range(0, len(WIRE), size) for message in frames.feed(WIRE[at : at + size])]
    assert got == [{"jsonrpc": "2.0", **message} for message in MESSAGES]


@pytest.mark.parametrize(
    "head",
    [
        b"Content-Length: 9\r\n\r\n",
        b"content-length:9\r\n\r\n",
        b"Content-Type: application/vscode-jsonrpc; charset=utf-8\r\nContent-Length: 9\r\nX-More: a:b\r\n\r\n",
        b"Content-Length: 9\n\n",
    ],
)
def test_heads_are_read_tolerantly(head: bytes) -> None:
    assert list(Frames().feed(head + b'{"id": 1}')) == [{"id": 1}]


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"Welcome!\n", "'Welcome!' is no line of a head"),
        (b"\r\n", "a head without Content-Length"),
        (b"Content-Length: many\r\n\r\n", "'many' is no length"),
        (b"Content-Length: -1\r\n\r\n", "'-1' is no length"),
        (b"Content-Length: 67108865\r\n\r\n", "a message of 67108865 bytes"),
        (b"x" * 9_000, "no head in 8192 bytes"),
        (b'Content-Length: 4\r\n\r\n"\xff" ', "not UTF-8"),
        (b"Content-Length: 2\r\n\r\n{]", "not JSON"),
        (b"Content-Length: 4\r\n\r\n[{}]", "no object"),
        (b"Content-Length: 100000\r\n\r\n" + b"[" * 100_000, "nested too deeply|not JSON"),
    ],
)
def test_what_is_no_message_is_refused(data: bytes, why: str) -> None:
    with pytest.raises(NoMessage, match=why):
        list(Frames().feed(data))


def test_messages_before_garbage_are_given() -> None:
    messages = Frames().feed(framed({"id": 1}) + b"oops\n")
    assert next(messages)["id"] == 1
    with pytest.raises(NoMessage):
        next(messages)


def test_a_large_body_is_taken_in_pieces() -> None:
    text = "x" * 3_000_000
    frames = Frames()
    wire = framed({"text": text})
    got = [message for at in range(0, len(wire), 65_536) for message in frames.feed(wire[at : at + 65_536])]
    assert [message["text"] == text for message in got] == [True]


def test_what_is_sent_is_ascii_even_for_names_that_are_no_text() -> None:
    head, _, body = framed({"path": "\udcff ü"}).partition(b"\r\n\r\n")
    assert body.isascii()
    assert head == b"Content-Length: %d" % len(body)
    assert json.loads(body)["path"] == "\udcff ü"
