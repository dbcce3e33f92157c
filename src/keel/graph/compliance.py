"""Compliance: how many public functions have type hints and docstrings already, by the facts in the graph.

Which severity follows from that is left to `setup/proposal.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from keel.model.facts import ACCESSOR, OVERLOAD, STUB, TYPED, Interface, decode_interface
from keel.model.kinds import NodeKind, Visibility
from keel.model.rows import FileRow
from keel.model.syntax import Syntax, Syntaxes
from keel.ports.store import GraphReader

FUNCTIONS = (NodeKind.FUNCTION, NodeKind.METHOD)
NOT_COUNTED = ACCESSOR | OVERLOAD | STUB
"""Setters, overloads and stubs repeat the declaration of another definition."""


class Compliance(NamedTuple):
    """How many public functions there are, and how many of them meet each requirement."""

    functions: int
    typed: int
    documented: int


def compliance(reader: GraphReader, counts: Callable[[FileRow], bool], syntaxes: Syntaxes) -> Compliance:
    """Counts over the files for which `counts` is true."""
    functions = typed = documented = 0
    for row in reader.files():
        if not counts(row):
            continue
        interface = decode_interface(reader.interface(row.id) or b"")
        for index in _public_functions(interface, syntaxes[row.language]):
            definition = interface.defs[index]
            functions += 1
            typed += bool(definition.flags & TYPED)
            documented += bool(interface.text(definition.doc).strip())
    return Compliance(functions, typed, documented)


def _public_functions(interface: Interface, syntax: Syntax) -> list[int]:
    """Functions and methods that other code may call; special methods are called by the language."""
    return [
        index
        for index, definition in enumerate(interface.defs)
        if definition.kind in FUNCTIONS
        and not definition.flags & NOT_COUNTED
        and not syntax.is_special(interface.text(definition.name))
        and _is_public(interface, index)
    ]


def _is_public(interface: Interface, index: int) -> bool:
    """Whether a definition and all those that contain it are public."""
    while index > 0:
        definition = interface.defs[index]
        if definition.visibility != Visibility.PUBLIC:
            return False
        index = definition.parent
    return True
