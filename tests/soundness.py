"""Whether facts are sound: everything in them points to something, and they survive being stored.

Whether they are true is asked by the specs; here nothing is known about the source but its bytes.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from keel.languages.python import language
from keel.languages.python.facts import IMPORTED, Facts, Interface, decode_interface, decode_references
from keel.languages.python.resolve.lookup.tables import build_table
from keel.languages.python.source import as_utf8
from keel.model.facts import Lines, encode
from keel.model.kinds import NodeKind
from keel.model.signatures import signature_view

DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
NAMED = (NodeKind.FUNCTION, NodeKind.METHOD, NodeKind.CLASS)


def missing_definitions(data: bytes, facts: Facts) -> set[tuple[str, int]]:
    """Functions and classes, as name and line, that Python's own parser sees in good source and the facts lack."""
    interface = facts.interface
    line_of = Lines(interface.lines).line
    read = {(interface.text(each.name), line_of(each.name_at)) for each in interface.defs if each.kind in NAMED}
    tree = ast.parse(data)
    own = {(node.name, node.lineno) for node in ast.walk(tree) if isinstance(node, DEFINITIONS)}
    return own - read


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
        signature_view(facts.interface, definition, language.syntax.signature(facts.interface, definition))
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
