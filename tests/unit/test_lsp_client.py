"""The client lives with any server: answers in any order, questions in turn, floods, silence, and an end that comes.

How crashes are recovered from is in `test_lsp_definitions`, what happens when keel itself dies in `test_lsp_outlive`.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from keel.errors import (
    HelperEnded,
    HelperError,
    HelperGarbled,
    HelperMissing,
    HelperRefused,
    HelperSilent,
    HelperUnfit,
)
from keel.resolvers.lsp import client as client_module
from keel.resolvers.lsp.client import Client, Launch
from tests.fake_server import Script
from tests.servers import LONG, SHORT, fake, gone, nothing_is_left

DEFINITION = "textDocument/definition"


@pytest.fixture(autouse=True)
def _nothing_is_left(tmp_path: Path) -> Iterator[None]:
    before = len(os.listdir("/dev/fd"))
    yield
    assert nothing_is_left(str(tmp_path))
    for thread in threading.enumerate():
        if thread.name.startswith("fake"):
            thread.join(LONG)
    assert len(os.listdir("/dev/fd")) <= before


def definition_of(folder: Path, name: str) -> dict[str, Any]:
    """A question about `name`, on a line of its own in a file of its own."""
    file = folder / f"{name}.py"
    file.write_text(f"def {name}(): ...\n", encoding="utf-8")
    return {"textDocument": {"uri": file.as_uri()}, "position": {"line": 0, "character": 4}}


def test_it_introduces_itself_and_asks_for_utf_8(tmp_path: Path) -> None:
    with Client(fake(tmp_path)) as client:
        [first, second, *_] = client.call("fake/heard", None, LONG)
        assert client.columns.encoding == "utf-8"
        assert client.capabilities["definitionProvider"] is True
    params = first["params"]
    assert first["method"] == "initialize"
    assert params["processId"] == os.getpid()
    assert params["rootUri"] == tmp_path.as_uri()
    assert params["capabilities"]["general"]["positionEncodings"][0] == "utf-8"
    assert second["method"] == "initialized"


def test_a_server_that_says_nothing_about_columns_counts_in_utf_16(tmp_path: Path) -> None:
    with Client(fake(tmp_path, {"encoding": None})) as client:
        assert client.columns.encoding == "utf-16"


def test_further_heads_are_no_matter(tmp_path: Path) -> None:
    with Client(fake(tmp_path, {"heads": "Content-Type: application/json; charset=utf-8\r\n"})) as client:
        assert client.call("fake/heard", None, LONG)


def test_answers_out_of_order_find_their_questions(tmp_path: Path) -> None:
    names = [f"f{number}" for number in range(12)]
    with Client(fake(tmp_path, {"backwards": 6})) as client:
        numbers = [client.ask(DEFINITION, definition_of(tmp_path, name)) for name in names]
        found = [client.take(number, LONG)[0]["uri"] for number in numbers]
    assert found == [(tmp_path / f"{name}.py").as_uri() for name in names]


def test_several_threads_may_ask(tmp_path: Path) -> None:
    questions = {name: definition_of(tmp_path, name) for name in ("a", "b", "c", "d")}
    found: dict[str, str] = {}
    with Client(fake(tmp_path)) as client:

        def ask(name: str) -> None:
            for _ in range(10):
                found[name] = client.call(DEFINITION, questions[name], LONG)[0]["uri"]

        threads = [threading.Thread(target=ask, args=(name,)) for name in questions]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert found == {name: (tmp_path / f"{name}.py").as_uri() for name in questions}


def test_a_question_that_is_not_answered_in_time_is_cancelled(tmp_path: Path) -> None:
    with Client(fake(tmp_path)) as client:
        with pytest.raises(HelperSilent, match=r"fake did not answer within 0\.3 s \(fake/hang\)"):
            client.call("fake/hang", None, SHORT)
        notifications = client.call("fake/heard", None, LONG)
    [number] = [message["id"] for message in notifications if message["method"] == "fake/hang"]
    assert {"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": number}} in notifications


def test_an_answer_that_is_no_longer_wanted_is_dropped(tmp_path: Path) -> None:
    with Client(fake(tmp_path)) as client:
        client.cancel(client.ask("fake/heard", None))
        client.cancel(4711)
        assert client.call("fake/heard", None, LONG)
        assert client._answered == {}


def test_a_refusal_costs_one_question(tmp_path: Path) -> None:
    question = definition_of(tmp_path, "f")
    with Client(fake(tmp_path, {"lines": {"1": "refuse"}})) as client:
        with pytest.raises(HelperRefused, match=rf"fake refused {DEFINITION}: a bug of mine \(-32603\)"):
            client.call(DEFINITION, question, LONG)
        assert client.call("fake/heard", None, LONG)


ASKED_IN_TURN: list[tuple[str, Any, Any]] = [
    (
        "workspace/configuration",
        {"items": [{"section": "fake"}, {"section": "other"}, {}]},
        [{"deep": True}, None, None],
    ),
    ("workspace/configuration", "odd", []),
    ("client/registerCapability", {"registrations": []}, None),
    ("client/unregisterCapability", {"unregisterations": []}, None),
    ("window/workDoneProgress/create", {"token": 1}, None),
    ("window/showMessageRequest", {"message": "sure?", "actions": [{"title": "yes"}]}, None),
    ("workspace/diagnostic/refresh", None, None),
    ("window/showDocument", {"uri": "file:///a"}, {"success": False}),
    ("workspace/applyEdit", {"edit": {}}, {"applied": False, "failureReason": "the client only reads"}),
]


def test_what_the_server_asks_is_answered(tmp_path: Path) -> None:
    asks = [{"method": method, "params": params} for method, params, _ in ASKED_IN_TURN]
    asks += [{"method": "workspace/workspaceFolders"}, {"method": "fake/unknown", "params": {}}]
    with Client(fake(tmp_path, {"asks": asks})) as client:
        answers: list[dict[str, Any]] = []
        while len(answers) < len(asks):
            answers = [message for message in client.call("fake/heard", None, LONG) if "method" not in message]
    folders = [{"uri": tmp_path.as_uri(), "name": tmp_path.name}]
    assert [answer["id"] for answer in answers] == [f"mine {number}" for number in range(len(asks))]
    assert [answer["result"] for answer in answers[:-1]] == [*(result for *_, result in ASKED_IN_TURN), folders]
    assert answers[-1]["error"]["code"] == -32601


ODD: tuple[Any, ...] = (None, [], {"type": [], "message": None})


def test_what_the_server_tells_is_kept(tmp_path: Path) -> None:
    def progress(token: str, kind: str) -> dict[str, Any]:
        return {"method": "$/progress", "params": {"token": token, "value": {"kind": kind, "title": "indexing"}}}

    diagnostics = {"uri": "file:///a.py", "diagnostics": [{"message": "bad"}]}
    tells = [
        {"method": "window/logMessage", "params": {"type": 2, "message": "careful"}},
        {"method": "window/showMessage", "params": {"type": 1, "message": "x" * 10_000}},
        {"method": "textDocument/publishDiagnostics", "params": {"uri": "file:///a.py", "diagnostics": []}},
        {"method": "textDocument/publishDiagnostics", "params": diagnostics},
        *(progress("a", "begin"), progress("b", "begin"), progress("a", "end")),
        # What was not foreseen is passed over.
        *({"method": "window/logMessage", "params": odd} for odd in ODD),
        *({"method": "$/progress", "params": {"token": [], "value": odd}} for odd in ODD),
        *({"method": 7}, {"id": [1]}, {"id": "late", "result": 1}, {}),
    ]
    with Client(fake(tmp_path, {"tells": tells})) as client:
        client.call("fake/heard", None, LONG)
        notifications = client.notifications
    assert list(notifications.log) == ["warning: careful", f"error: {'x' * 500}", "log: None"]
    assert notifications.diagnostics == {"file:///a.py": [{"message": "bad"}]}
    assert notifications.busy == {"b": "indexing"}


def test_a_flood_of_error_output_does_not_block(tmp_path: Path) -> None:
    with Client(fake(tmp_path, {"start": "flood"})) as client:
        assert client.call("fake/heard", None, LONG)
        assert max(map(len, client.error_lines)) <= 500


def test_a_server_that_does_not_read_does_not_block_the_sender(tmp_path: Path) -> None:
    launch = fake(tmp_path, {"start": "deaf"}, start_seconds=SHORT)
    huge = launch._replace(options={"text": "x" * 5_000_000})
    with pytest.raises(HelperSilent, match="initialize"):
        Client(huge)


@pytest.mark.parametrize(
    ("script", "kind", "text"),
    [
        ({"start": "crash"}, HelperEnded, r"fake ended \(exit code 3\); its last output: no configuration"),
        ({"start": "garbage"}, HelperGarbled, "'Welcome to the server!' is no line of a head"),
        ({"start": "endless head"}, HelperGarbled, "no head in 8192 bytes"),
        ({"start": "hang"}, HelperSilent, r"fake did not answer within 0\.3 s \(initialize\)"),
        ({"encoding": "ebcdic"}, HelperUnfit, "fake counts columns in ebcdic"),
    ],
)
def test_a_server_that_fails_at_the_start_is_told_by_its_kind(
    script: Script, kind: type[HelperError], text: str, tmp_path: Path
) -> None:
    seconds = SHORT if script.get("start") == "hang" else LONG
    with pytest.raises(kind, match=text):
        Client(fake(tmp_path, script, seconds))


@pytest.mark.parametrize(
    ("command", "why"),
    [
        (["/nowhere/server"], "fake cannot be run: No such file or directory"),
        ([str(Path(__file__))], "fake cannot be run: Permission denied"),
        (["a\0b"], "fake cannot be run: embedded null byte"),
    ],
)
def test_a_server_that_cannot_be_run_is_missing(command: list[str], why: str, tmp_path: Path) -> None:
    with pytest.raises(HelperMissing, match=why):
        Client(Launch("fake", command, str(tmp_path)))


@pytest.mark.parametrize("script", [{}, {"shutdown": "linger"}, {"shutdown": "ignore"}, {"start": "child"}])
def test_every_server_ends(script: Script, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client_module, "SHUTDOWN_SECONDS", SHORT)
    monkeypatch.setattr("keel.resolvers.lsp.process.TERMINATE_SECONDS", SHORT)
    client = Client(fake(tmp_path, script))
    client.close()
    assert gone(str(tmp_path))
    with pytest.raises(HelperEnded):
        client.call("fake/heard", None, LONG)
    client.close()  # once more does no harm


def test_an_exception_ends_the_server_without_ceremony(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError), Client(fake(tmp_path)) as client:
        raise ZeroDivisionError
    with pytest.raises(HelperEnded):
        client.call("fake/heard", None, LONG)


def test_without_a_shell_there_is_no_guard_and_all_else_works(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("keel.resolvers.lsp.process.SHELL", "/nowhere/sh")
    with Client(fake(tmp_path)) as client:
        assert client.call("fake/heard", None, LONG)
