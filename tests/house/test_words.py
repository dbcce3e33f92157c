"""Names and prose use the words of the field: the banned ones, and what to write instead, are in `words.py`."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.house.words import Hit, of_name, of_prose
from tests.repository import TOP, source_modules

PAGES = ("*.md", "docs/**/*.md", "tests/**/*.md")


def code() -> list[Path]:
    """The source, and everything that is written about it in Python."""
    others = [path for folder in ("tests", "benchmarks", "tools") for path in (TOP / folder).rglob("*.py")]
    return [*source_modules(), *(path for path in others if is_ours(path))]


def is_ours(path: Path) -> bool:
    """Whether a file is held: not the lists of words themselves, nor code bases that benchmarks have downloaded."""
    is_hidden = any(part.startswith(".") for part in path.relative_to(TOP).parts)
    return not is_hidden and not path.match("tests/house/*words.py")


def pages() -> list[Path]:
    return [path for pattern in PAGES for path in sorted(TOP.glob(pattern))]


def test_names_are_plain() -> None:
    assert listing((path, hit) for path in code() for hit in in_names(path.read_text("utf-8"))) == ""


def test_docstrings_and_comments_are_plain() -> None:
    assert listing((path, hit) for path in code() for hit in in_comments(path.read_text("utf-8"))) == ""


def test_pages_are_plain() -> None:
    assert listing((path, hit) for path in pages() for hit in in_page(path.read_text("utf-8"))) == ""


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("class Warmth: ...", ["Warmth"]),
        ("def use(the_witness: int) -> None: ...", ["witness (in the_witness)"]),
        ("from a import Place", ["Place"]),
        ("value.steering_changed = 1", ["steering (in steering_changed)"]),
        ("placement = commend(now)", []),
    ],
)
def test_a_banned_name_is_seen(text: str, words: list[str]) -> None:
    assert [hit.word for hit in in_names(text)] == words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('"""It is kept for whoever asks."""', ["whoever"]),
        ("x = 1  # nobody reads it", ["nobody"]),
        ('"""`Nobody` is a name here, and amends is a word."""', []),
        ('x = "nobody"', []),
        ("def test_it_ends_when_nobody_asks() -> None: ...", ["nobody"]),
    ],
)
def test_a_banned_word_is_seen_in_docstrings_and_comments(text: str, words: list[str]) -> None:
    assert [hit.word for hit in in_comments(text)] == words


def test_what_a_page_shows_as_code_is_not_prose() -> None:
    assert [hit.line for hit in in_page("Nobody.\n```\nnobody\n```\nIt mends.")] == [1, 5]


def in_names(text: str) -> Iterator[Hit]:
    """Banned words among the names of a module, each once."""
    seen: set[str] = set()
    for node in ast.walk(ast.parse(text)):
        names = (getattr(node, each, None) for each in ("id", "attr", "arg", "name", "asname"))
        for name in names:
            if isinstance(name, str) and name not in seen and not name.startswith("test_"):
                seen.add(name)
                yield from of_name(name.rpartition(".")[2], getattr(node, "lineno", 1))


def in_comments(text: str) -> Iterator[Hit]:
    """Banned words in docstrings (of attributes too), comments, and the names of tests, which are sentences."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            yield from of_prose(node.name.replace("_", " "), node.lineno)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield from of_prose(node.value.value, node.lineno)
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            yield from of_prose(token.string, token.start[0])


def in_page(text: str) -> list[Hit]:
    """Banned words of a Markdown page, but for what it shows as code."""
    blank = re.sub(r"^( *)(```+|~~~+).*?^\1\2", lambda match: "\n" * match.group().count("\n"), text, flags=re.M | re.S)
    return of_prose(blank)


def listing(hits: Iterator[tuple[Path, Hit]]) -> str:
    """A line each: file, line, the word, and what to write."""
    return "\n".join(f"{path.relative_to(TOP).as_posix()}:{hit}" for path, hit in hits)
