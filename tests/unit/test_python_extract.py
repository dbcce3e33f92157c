"""What holds for the extractor as a whole: its facts depend on the bytes and on nothing else."""

from __future__ import annotations

import pytest

from keel.languages.python.extract import extract
from keel.languages.python.facts import Facts, decode_interface
from keel.model.facts import encode

DEEP = {
    "brackets": "x = " + "(" * 2000 + "1" + ")" * 2000 + "\n",
    "comprehensions": "x = " + "[" * 400 + "y" + " for y in z]" * 400 + "\n",
    "calls": "x = " + "f(" * 1500 + ")" * 1500 + "\n",
}


@pytest.mark.parametrize("name", DEEP)
def test_facts_do_not_depend_on_how_deep_the_caller_is(name: str) -> None:
    source = (DEEP[name] + "def after(): ...\n").encode()
    shallow = extract(source, "a.py")
    assert from_below(source, 500) == shallow
    assert "after" in shallow.interface.strings


def from_below(source: bytes, frames: int) -> Facts:
    """The facts as seen from so many calls further down."""
    return from_below(source, frames - 1) if frames else extract(source, "a.py")


def test_what_is_nested_too_deep_is_a_gap() -> None:
    facts = extract(DEEP["calls"].encode(), "a.py")
    assert [(gap.start, gap.end) for gap in facts.interface.gaps] == [(0, len(DEEP["calls"]) - 1)]


def test_decorators_are_told_apart_from_one_that_is_a_product() -> None:
    stacked = extract(b"@a\n@b\ndef f(): ...\n", "a.py").interface.defs[2]
    product = extract(b"@a @ b\ndef f(): ...\n", "a.py").interface.defs[2]
    assert stacked.body_hash != product.body_hash


def test_a_function_may_have_more_parameters_than_a_number_has_bits() -> None:
    names = [f"p{number}" for number in range(80)]
    source = f"def f({', '.join(names)}):\n    return p0, p79\n"
    interface = decode_interface(encode(extract(source.encode(), "a.py").interface))
    used_parameters = [number for number in range(80) if interface.defs[2].used_parameters >> number & 1]
    assert used_parameters[:2] == [0, 63]
    assert 79 in used_parameters
