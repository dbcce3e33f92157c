"""Texts of a definition's body: the names it uses, and the strings it passes, assigns or returns.

They are derived from the facts of the file alone, as everything that search sees. Making words of them is left to
`words.py`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from keel.graph.open_calls import CALLS
from keel.model.expressions import is_call, texts_of, texts_of_arguments

if TYPE_CHECKING:
    from keel.model.facts import Interface, References


def texts_of_bodies(interface: Interface, references: References) -> dict[int, list[int]]:
    """Texts as indexes into the strings of the file, by definition, in source order as far as that is known."""
    ir = interface.ir
    found: dict[int, list[int]] = {}
    for item in references.items:
        own = found.setdefault(item.source, [])
        own.append(item.text)
        if item.kind in CALLS and is_call(ir, item.value):
            own += texts_of_arguments(ir, item.value)
    for assign in interface.assigns:
        found.setdefault(assign.scope, []).extend(texts_of(ir, assign.value))
    for handed in interface.returns:
        found.setdefault(handed.scope, []).extend(texts_of(ir, handed.value))
    return found
