"""Whether something is the same under another name, as the text before and after an edit tells."""

from __future__ import annotations

import pytest

from keel.enforcement.fixes.same_text import Text, is_same_parameter, is_same_text

HEAD = "def connect(host, verbose=False):"
BODY = """
    if verbose:
        print("connecting", host)
    return open_socket(host, verbose)
"""
BEFORE = Text(HEAD, BODY)


@pytest.mark.parametrize(
    ("head", "body", "expected"),
    [
        (HEAD.replace("verbose", "loud"), BODY.replace("verbose", "loud"), True),
        (
            "def connect(host, loud=None, port=1):",
            BODY.replace("verbose", "loud").replace("host, ", "host, port, "),
            True,
        ),
        (HEAD.replace("verbose", "loud"), f"\n    verbose = loud{BODY}", True),
        (HEAD.replace("verbose", "loud"), BODY, False),
        (HEAD.replace("verbose=False", "loud=30"), "\n    return open_socket(host, timeout=loud)\n", False),
    ],
)
def test_a_parameter_is_the_same_when_it_is_used_for_the_same(head: str, body: str, expected: bool) -> None:
    assert is_same_parameter(BEFORE, Text(head, body), "verbose", "loud") is expected


def test_of_a_parameter_that_is_not_used_the_head_tells() -> None:
    before = Text("def f(a, old=1):", " ...")
    assert is_same_parameter(before, Text("def f(a, new=1):", " ..."), "old", "new")
    assert not is_same_parameter(before, Text("def f(a, new=2):", " ..."), "old", "new")


def test_a_text_of_the_same_length_need_not_be_the_same() -> None:
    assert is_same_text("return old(x) * 2", "return  new(x) * 2", "old", "new")
    assert not is_same_text("return x * 2", "return x / 2", "old", "new")
