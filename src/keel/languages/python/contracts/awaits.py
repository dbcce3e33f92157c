"""Awaits: whether the source awaits what a call or a property gives, or hands it to a function that does.

Only the few uses that findings are about are looked at, as text: facts do not keep what stands before one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from keel.languages.python.contracts.extents import extent
from keel.languages.python.facts import Interface
from keel.model.facts import Lines, Reference

MOST_LINES = 5
"""How far above a call its `await` may stand, behind brackets that open."""
_awaits = re.compile(
    r"(?:\bawait|\basync\s+for\s[^:]*?\sin|\basync\s+with"
    r"|\b(?:run|run_until_complete|create_task|ensure_future|gather|wait_for|shield)\s*\()[\s(\\]*$"
).search


def is_awaited(lines: Sequence[str], interface: Interface, reference: Reference) -> bool:
    """Whether what stands before a use, on its line or above an open bracket, awaits what it gives."""
    start, _ = extent(interface, reference)
    line, column = Lines(interface.lines).place(start)
    if not 0 < line <= len(lines):
        return False
    text = lines[line - 1].encode()[: column - 1].decode(errors="replace")
    for above in reversed(lines[max(0, line - 1 - MOST_LINES) : line - 1]):
        if text.strip(" \t(\\"):
            break
        text = f"{above}\n{text}"
    return _awaits(text) is not None
