"""Whatever the bytes, extraction gives facts: it never fails, points outside the file, or says what cannot be stored.

What it says about good source is in `tests/spec/python/facts`.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from keel.languages.python import language
from keel.languages.python.extract.source import as_utf8
from keel.languages.python.resolve.tables import build_table
from keel.model.facts import IMPORTED, Facts, Interface, Lines, decode_interface, decode_references, encode
from keel.model.kinds import NodeKind, RefKind
from keel.model.signatures import signature_view
from tests.repository import source_modules

fixed = settings(derandomize=True, database=None, deadline=None, max_examples=300)

SOURCES = [path.read_bytes() for path in source_modules()][::3]
FRAGMENTS = [
    *(b"(", b")", b"[", b"]", b"{", b"}", b":", b",", b"=", b"*", b"**", b".", b"@", b";", b"\\", b"\n", b"    "),
    *(b'"', b"'", b'"""', b"'''", b"f'{", b"}", b"#", b"\0", b"\xff", b"\xc3", b"\r", b"\f", b"\t"),
    *(b"def ", b"class ", b"import ", b"from ", b"lambda ", b"async ", b"await ", b"yield ", b"return ", b"global "),
    *(
        b"if ",
        b"else:",
        b"try:",
        b"except ",
        b"with ",
        b"for ",
        b"in ",
        b"match x:\n",
        b"case ",
        b"type X",
        b":=",
        b"->",
    ),
    *(b"__all__", b"self.", b"...", b"*args", b"x", b"0", b"None", b"print x", b"exec 'a'", b"def f(", b"class A("),
]


@fixed
@given(st.binary(max_size=200))
def test_arbitrary_bytes(data: bytes) -> None:
    check(data)


@fixed
@given(st.lists(st.sampled_from(FRAGMENTS), max_size=30).map(b"".join))
def test_pieces_of_python(data: bytes) -> None:
    check(data)


@st.composite
def mutated(draw: st.DrawFn) -> bytes:
    """Real source with a few stretches taken out, doubled, or replaced."""
    data = draw(st.sampled_from(SOURCES))
    start = draw(st.integers(0, max(len(data) - 1500, 0)))
    data = data[start : start + 1500]
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(data)))
        length = draw(st.integers(0, 40))
        put = draw(st.sampled_from([b"", data[at : at + length] * 2, draw(st.sampled_from(FRAGMENTS))]))
        data = data[:at] + put + data[at + length :]
    return data


@fixed
@given(mutated())
def test_real_source_with_faults(data: bytes) -> None:
    check(data)


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
    """The statement may become a gap; what stands around it is read as ever."""
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


def check(data: bytes) -> Facts:
    """Facts of the bytes, after looking that everything in them points to something."""
    facts = language.extract(data, "a.py")
    interface, references = encode(facts.interface), encode(facts.references)
    assert decode_interface(interface) == facts.interface
    assert decode_references(references) == facts.references
    assert language.extract(data, "a.py") == facts
    _check_places(facts, len(as_utf8(data)))
    _check_indexes(facts)
    build_table(facts.interface)
    for definition in facts.interface.defs:
        signature_view(facts.interface, definition)
    return facts


def _check_places(facts: Facts, size: int) -> None:
    interface = facts.interface
    assert sum(interface.lines) + len(interface.lines) - 1 == size
    lines = Lines(interface.lines)
    for place in _places(facts):
        assert 0 <= place <= size
        line, column = lines.place(place)
        assert 1 <= line <= len(interface.lines)
        assert 1 <= column <= interface.lines[line - 1] + 1
    for definition in interface.defs:
        assert definition.start <= definition.name_at <= definition.end
    for gap in interface.gaps:
        assert gap.start <= gap.end


def _places(facts: Facts) -> Iterator[int]:
    interface = facts.interface
    for definition in interface.defs:
        yield from (definition.start, definition.end, definition.name_at)
    for listed in (
        interface.imports,
        interface.assigns,
        interface.returns,
        interface.suppressions,
        facts.references.items,
    ):
        yield from (each.at for each in listed)
    for binding in interface.bindings:
        yield from (site.at for site in binding.sites)
    for gap in interface.gaps:
        yield from (gap.start, gap.end)


def _check_indexes(facts: Facts) -> None:
    interface = facts.interface
    count = len(interface.defs)
    assert [interface.defs[0].kind, interface.defs[1].kind] == [NodeKind.FILE, NodeKind.MODULE]
    keys = [(interface.text(each.qualified_name), each.occurrence) for each in interface.defs]
    assert len(set(keys)) == count, "two definitions have one id"
    for ordinal, definition in enumerate(interface.defs):
        assert definition.parent < max(ordinal, 1), "a parent comes first"
        for value in (definition.type, definition.value, *definition.decorators, *definition.bases):
            interface.expression(value)
    for binding in interface.bindings:
        assert 0 <= binding.scope < count
        assert binding.sites
    scopes = [each.scope for each in interface.assigns]
    scopes += [each.scope for each in interface.returns]
    scopes += [each.scope for each in interface.imports]
    assert all(0 <= scope < count for scope in scopes)
    for assign in interface.assigns:
        interface.expression(assign.target)
        interface.expression(assign.value)
    for reference in facts.references.items:
        assert 0 <= reference.source < count
        assert interface.text(reference.text), "a reference without a name"
        assert reference.root < len(interface.bindings)
        _check_value(interface, reference.root == IMPORTED, reference.value)


def _check_value(interface: Interface, is_import: bool, value: int) -> None:
    if is_import:
        assert 0 <= value < len(interface.imports)
    else:
        interface.expression(value)
