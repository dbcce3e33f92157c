"""Whatever the bytes, extraction gives facts: it never fails, points outside the file, or says what cannot be stored.

What it says about good source is in `tests/spec/python/facts`; `make fuzz` asks the same of whole libraries.
"""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from keel.languages.python import language
from keel.model.kinds import RefKind
from tests.mutations import FRAGMENTS, mutant
from tests.programs import program
from tests.repository import source_modules
from tests.soundness import check, missing_definitions

fixed = settings(derandomize=True, database=None, deadline=None, max_examples=300)
seeded = pytest.mark.parametrize("seed", range(200))

SOURCES = [path.read_bytes() for path in source_modules()][::3]


@fixed
@given(st.binary(max_size=200))
def test_arbitrary_bytes(data: bytes) -> None:
    check(data)


@fixed
@given(st.lists(st.sampled_from(FRAGMENTS), max_size=30).map(b"".join))
def test_pieces_of_python(data: bytes) -> None:
    check(data)


@seeded
def test_real_source_with_faults(seed: int) -> None:
    chance = random.Random(seed)
    check(mutant(chance, chance.choice(SOURCES), chance.choice(SOURCES), most=1500))


@seeded
def test_programs(seed: int) -> None:
    """Whatever is Python is read without a gap, and every definition in it is found."""
    data = program(random.Random(seed)).encode()
    facts = check(data)
    assert facts.interface.gaps == []
    assert missing_definitions(data, facts) == set()


@seeded
def test_programs_with_faults(seed: int) -> None:
    chance = random.Random(seed)
    check(mutant(chance, program(chance).encode(), program(chance).encode()))


@pytest.mark.parametrize("data", SOURCES)
def test_real_source(data: bytes) -> None:
    check(data)
    assert language.extract(data, "a.py").interface.gaps == []


NESTED = [
    pytest.param(b"x = " + b"[" * 3000 + b"]" * 3000 + b"\n", id="lists"),
    pytest.param(b"x = " + b"[a for a in " * 700 + b"b" + b"]" * 700 + b"\n", id="comprehensions"),
    pytest.param(b"x = " + b"f(" * 3000 + b")" * 3000 + b"\n", id="calls"),
    pytest.param(b"x" + b".y()" * 3000 + b"\n", id="chains"),
    pytest.param(b"x = " + b"lambda: " * 2000 + b"0\n", id="lambdas"),
    pytest.param(b"x = " + b" + ".join([b"a"] * 5000) + b"\n", id="sums"),
    pytest.param(b"x: " + b"A[" * 2000 + b"A" + b"]" * 2000 + b"\n", id="annotations"),
    pytest.param(b"".join(b" " * n + b"if x:\n" for n in range(600)) + b" " * 600 + b"pass\n", id="blocks"),
    pytest.param(b"".join(b" " * n + b"def f():\n" for n in range(600)) + b" " * 600 + b"pass\n", id="functions"),
    pytest.param(b"x = " + b"a if b else " * 2000 + b"c\n", id="choices"),
    pytest.param(b"x = " + b"not " * 3000 + b"a\n", id="nots"),
]


@pytest.mark.parametrize("data", NESTED)
def test_what_is_nested_too_deep_costs_only_itself(data: bytes) -> None:
    """The statement may become a gap; what is around it is read as ever."""
    facts = check(b"def before(): ...\n" + data + b"import os\ndef after(a: int) -> None:\n    os.stat(a)\n")
    interface = facts.interface
    names = [interface.text(each.qualified_name) for each in interface.defs]
    assert "before" in names
    assert "after" in names
    after = interface.defs[names.index("after")]
    assert after.parent == 1
    [item] = [item for item in interface.imports if interface.text(item.module) == "os"]
    assert (item.scope, item.flags) == (1, 0)
    [call] = [each for each in facts.references.items if interface.text(each.text) == "os.stat"]
    assert interface.defs[call.source] == after
    assert call.kind == RefKind.CALL
