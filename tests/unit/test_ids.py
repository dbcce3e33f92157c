"""Ids are made and parsed in one place, and survive colons, occurrences and names no terminal can show."""

from __future__ import annotations

import os

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from keel.model.ids import Id, escape_path, parse_id, unescape_path


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("sym:app:pkg/a.py:A.run", Id("sym", "app", "pkg/a.py", "A.run")),
        ("sym:app:pkg/a.py:f#2", Id("sym", "app", "pkg/a.py", "f", 2)),
        ("sym:app:pkg/a.py:<module>", Id("sym", "app", "pkg/a.py", "<module>")),
        ("sym:app:odd:name/a.py:f", Id("sym", "app", "odd:name/a.py", "f")),
        ("sym:app:src/lib.rs:krate::module::Type::f", Id("sym", "app", "src/lib.rs", "krate::module::Type::f")),
        ("file:app:a:b.py", Id("file", "app", "a:b.py", "")),
        ("route:app:api.py:GET /users", Id("route", "app", "api.py", "GET /users")),
    ],
)
def test_an_id_is_read_and_written_back(text: str, parts: Id) -> None:
    assert parse_id(text) == parts
    assert str(parts) == text


@pytest.mark.parametrize(
    "text", ["", "sym", "sym:app", "sym::a.py:f", "sym:app:a.py:", "other:app:a.py:f", "file:app:", "f"]
)
def test_what_is_no_id(text: str) -> None:
    assert parse_id(text) is None


def test_java_names_keep_their_hash_sign() -> None:
    """`#` followed by anything but digits is part of the name."""
    parts = parse_id("sym:app:A.java:pkg.Type#method(int)")
    assert parts is not None
    assert (parts.qualified_name, parts.occurrence) == ("pkg.Type#method(int)", 1)


@pytest.mark.parametrize(
    ("path", "escaped"),
    [
        ("plain/path.py", "plain/path.py"),
        ("é/日本.py", "é/日本.py"),
        ("100%.py", "100%25.py"),
        ("a\nb.py", "a%0Ab.py"),
        (os.fsdecode(b"caf\xe9.py"), "caf%E9.py"),
        ("a\u2028b.py", "a%u2028b.py"),
    ],
)
def test_paths_are_escaped_by_one_rule(path: str, escaped: str) -> None:
    assert escape_path(path) == escaped
    assert unescape_path(escaped) == path


@settings(derandomize=True, database=None)
@given(st.binary(min_size=1, max_size=30))
def test_every_file_name_comes_back(name: bytes) -> None:
    path = os.fsdecode(name.replace(b"\0", b""))
    escaped = escape_path(path)
    assert unescape_path(escaped) == path
    assert len(escaped.splitlines()) <= 1
    escaped.encode()  # no lone surrogate is left


names = st.from_regex(r"[A-Za-z_<>]+(\.[A-Za-z_<>]+){0,3}", fullmatch=True)
paths = st.from_regex(r"[a-z:]+(/[a-z:]+){0,2}\.py", fullmatch=True)


@settings(derandomize=True, database=None)
@given(st.from_regex(r"[a-z-]+", fullmatch=True), paths, names, st.integers(1, 9))
def test_parts_come_back(root: str, path: str, name: str, occurrence: int) -> None:
    parts = Id("sym", root, path, name, occurrence)
    assert parse_id(str(parts)) == parts
