"""What a syntax says of names, paths and comments: Python's own, and the plain one of a language that is not known."""

from __future__ import annotations

import pytest

from keel.languages.python import language
from keel.languages.python.syntax import SYNTAX
from keel.model.facts import Interface
from keel.model.kinds import NodeKind
from keel.model.signatures import signature_key
from keel.model.syntax import PLAIN, Syntax, syntaxes_of
from keel.model.text.qualified import neutral, owner_of
from keel.model.text.suppressions import codes_and_reason

RUST = Syntax(separator="::", comment="//")
SOURCE = b"""
async def load(path: str, /, *rest, depth=1, **more) -> Tree: ...
def save(path, depth): ...
class Tree(Base, graph.Node):
    size: int
"""


def interface() -> Interface:
    return language.extract(SOURCE, "tree.py").interface


def signatures(syntax: Syntax) -> list[str]:
    found = interface()
    return [syntax.signature(found, definition) for definition in found.defs]


def test_python_writes_its_signatures() -> None:
    assert signatures(SYNTAX) == [
        *("", ""),
        "async def load(path: str, /, *rest, depth=1, **more) -> Tree",
        "def save(path, depth)",
        "class Tree(Base, graph.Node)",
        "size: int",
    ]


def test_a_language_that_is_not_known_writes_no_words_of_another() -> None:
    assert signatures(PLAIN) == [
        *("", ""),
        "load(path: str, …rest, depth = 1, …more) -> Tree",
        "save(path, depth)",
        "Tree(Base, graph.Node)",
        "size: int",
    ]


def test_a_signature_can_be_written_under_the_qualified_name() -> None:
    found = interface()
    assert SYNTAX.signature(found, found.defs[3], "Disk.save") == "def Disk.save(path, depth)"


@pytest.mark.parametrize("other", [b"def save(path, size): ...", b"def save(path, /, depth): ...", b"save = 1"])
def test_signatures_that_differ_have_keys_that_differ(other: bytes) -> None:
    one, two = interface(), language.extract(other, "tree.py").interface
    assert signature_key(one, one.defs[3]) != signature_key(two, two.defs[2])
    same = language.extract(b"def save(path, depth): return 1", "other.py").interface
    assert signature_key(one, one.defs[3]) == signature_key(same, same.defs[2])


@pytest.mark.parametrize(
    ("path", "is_for_python", "is_for_all"),
    [
        ("tests/a.py", True, True),
        ("src/pkg/tests/a.py", True, True),
        ("test/orm/a.py", True, True),
        ("pkg/a_test.go", True, True),
        ("web/a.spec.ts", True, True),
        ("pkg/test_a.py", True, False),
        ("conftest.py", True, False),
        ("django/test/client.py", False, False),
        ("pkg/testing.py", False, False),
        ("pkg/latest.py", False, False),
        ("contests/a.py", False, False),
    ],
)
def test_tests_are_told_by_their_path(path: str, is_for_python: bool, is_for_all: bool) -> None:
    assert SYNTAX.is_test(path) is is_for_python
    assert PLAIN.is_test(path) is is_for_all


@pytest.mark.parametrize(("path", "expected"), [("a_pb2.py", True), ("a_pb2_grpc.pyi", True), ("a_pb2.txt", False)])
def test_generated_files_are_told_by_their_path(path: str, expected: bool) -> None:
    assert SYNTAX.is_generated(path) is expected
    assert not PLAIN.is_generated(path)
    assert PLAIN.is_generated("web/app.min.js")


def test_names_are_judged_by_the_custom_of_the_language() -> None:
    assert [SYNTAX.is_public(name) for name in ("load", "_load", "__len__")] == [True, False, False]
    assert [SYNTAX.is_special(name) for name in ("__len__", "__load", "load", "____")] == [True, False, False, False]
    assert PLAIN.is_public("_load")
    assert not PLAIN.is_special("__len__")


def test_a_constructor_is_told_by_its_name_or_by_its_kind() -> None:
    names = ("__init__", "__new__", "__post_init__", "__call__", "load")
    assert [SYNTAX.is_constructor(name, NodeKind.METHOD) for name in names] == [True, True, True, False, False]
    assert not PLAIN.is_constructor("__init__", NodeKind.METHOD)
    assert PLAIN.is_constructor("Tree", NodeKind.CONSTRUCTOR)


def test_a_suppression_begins_as_comments_of_the_language_do() -> None:
    said = [syntax.suppression("E001 — reason") for syntax in (SYNTAX, RUST, PLAIN)]
    assert said == ["# keel:suppress E001 — reason", "// keel:suppress E001 — reason", "keel:suppress E001 — reason"]


def test_names_are_joined_and_taken_apart_by_the_separator() -> None:
    assert RUST.joined("net", "", "Client::send") == "net::Client::send"
    assert (RUST.owner("net::Client"), RUST.last_name("net::Client"), RUST.owner("net")) == ("net", "Client", "")
    assert neutral("net::Client::send") == neutral("net.Client.send") == "net.Client.send"
    assert [owner_of(name) for name in ("net::Client::send", "net.Client", "net")] == ["net::Client", "net", ""]


def test_a_language_that_is_installed_no_more_has_the_plain_syntax() -> None:
    syntaxes = syntaxes_of([language])
    assert syntaxes["python"] is SYNTAX
    assert syntaxes["cobol"] is PLAIN
    assert "cobol" not in syntaxes


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (" E001 — kept for old clients", (["E001"], "kept for old clients")),
        (" E001, W002 -- why", (["E001", "W002"], "why")),
        (" E001: why", (["E001"], "why")),
        (" E001", (["E001"], "")),
        ("", ([], "")),
    ],
)
def test_a_suppression_says_codes_and_a_reason(text: str, expected: tuple[list[str], str]) -> None:
    assert codes_and_reason(text) == expected
