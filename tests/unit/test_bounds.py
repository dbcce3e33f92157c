"""What the daemon remembers for as long as it runs: never more than its bound, and answers are the same without it."""

from __future__ import annotations

import pytest

from keel.indexing.rows import words as indexed_words
from keel.languages.python import language
from keel.model.text import words
from keel.ports import language as language_port
from keel.ports.language import Answers, Change
from keel.resolvers.lsp import notifications


def test_stems_are_remembered_up_to_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(words, "MAX_STEMS", 3)
    monkeypatch.setattr(words, "_stems", {})
    asked = ["using", "settings", "redirects", "caches", "orders", "using", "settings"]
    assert [words.stem(word) for word in asked] == ["use", "setting", "redirect", "cach", "order", "use", "setting"]
    assert len(words._stems) <= 3


def test_words_of_names_are_remembered_up_to_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(indexed_words, "MAX_REMEMBERED", 3)
    for held in ("_in_names", "_in_owners", "_in_texts"):
        monkeypatch.setattr(indexed_words, held, {})
    for number in [*range(10), *range(10)]:
        assert indexed_words._name(f"get{number}") == f"get{number} get {number}"
        assert indexed_words._owner(f"Cart{number}", ".") == [f"cart{number}", "cart", str(number)]
        assert indexed_words._text(f"price {number}") == ["pric", str(number)]
    assert len(indexed_words._in_names) <= 3
    assert len(indexed_words._in_owners) <= 3
    assert len(indexed_words._in_texts) <= 3


def test_what_files_answer_is_kept_for_few_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(language_port, "MAX_ANSWERING_FILES", 4)
    known = Answers()
    before, after = (language.extract(text, "m.py").interface for text in (b"def f(a): ...\n", b"def f(a, b): ...\n"))
    for number in range(20):
        path = f"m{number}.py"
        changes = [Change("", path, before, after)]
        assert language.changed_keys(changes, known) == language.changed_keys(changes) != set()
        assert len(known.held) <= 4 + 2, "those of one file more, as it was and as it is"


def test_what_a_server_tells_is_kept_for_few_documents(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notifications, "MAX_DOCUMENTS", 3)
    told = notifications.Notifications()
    for number in range(10):
        told.take("textDocument/publishDiagnostics", {"uri": f"file:///{number}", "diagnostics": []})
        told.take("$/progress", {"token": number, "value": {"kind": "begin", "title": "x"}})
    assert list(told.diagnostics) == ["file:///7", "file:///8", "file:///9"]
    assert list(told.busy) == ["7", "8", "9"]
