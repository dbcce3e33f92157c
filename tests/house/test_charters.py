"""Each module opens with its charter: a sentence for what it is, then what it leaves to others.

Only the presence of a sentence is checked here; whether it is true is for readers.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from tests.repository import name_of, source_modules

FEWEST_WORDS = 4


@pytest.mark.parametrize("module", source_modules(), ids=name_of)
def test_module_opens_with_its_charter(module: Path) -> None:
    docstring = ast.get_docstring(ast.parse(module.read_bytes()))
    assert docstring, "the module has no docstring"
    assert opens_with_a_sentence(docstring), f"not a sentence: {docstring.splitlines()[0]!r}"


@pytest.mark.parametrize(
    ("docstring", "expected"),
    [
        ("Finds the files of a workspace.", True),
        ("The store: it keeps\nthe graph. Queries live elsewhere.", True),
        ("Stuff.", False),
        ("Finds the files of a workspace", False),
        ("", False),
    ],
)
def test_a_sentence_has_words_and_an_end(docstring: str, expected: bool) -> None:
    assert opens_with_a_sentence(docstring) is expected


def opens_with_a_sentence(docstring: str) -> bool:
    """Whether the first paragraph has enough words and comes to a full stop, or its like."""
    paragraph = docstring.split("\n\n")[0]
    closed = re.search(r"[.!?](\s|$)", paragraph) is not None
    return closed and len(paragraph.split()) >= FEWEST_WORDS
