"""Open calls: calls without an edge whose last name is that of a symbol, so that any of them may call it.

They are counted by name when a file is linked, since a query cannot look through all files. What they really call is
not known here; resolving is left to the languages.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from keel.model.facts import decode_references, decode_strings
from keel.model.kinds import Reason, RefKind

if TYPE_CHECKING:
    from collections.abc import Mapping

CALLS = (RefKind.CALL, RefKind.INSTANTIATE, RefKind.EXERCISE, RefKind.CREATE)
OPEN = (Reason.NOT_LOOKED, Reason.AMBIGUOUS, Reason.DYNAMIC)
"""Reasons for which such a call may still call a symbol of the workspace."""
_CALLS, _OPEN = frozenset(map(int, CALLS)), frozenset(map(int, OPEN))


def open_calls(interface: bytes, references: bytes, reasons: bytes) -> Mapping[str, int]:
    """How many calls of a file have no edge and may call any symbol with a name, by that last name."""
    items = decode_references(references).items if not _OPEN.isdisjoint(reasons) else []
    texts = Counter(
        item.text for item, reason in zip(items, reasons, strict=False) if reason in _OPEN and item.kind in _CALLS
    )
    if not texts:
        return {}
    strings = decode_strings(interface)
    found: Counter[str] = Counter()
    for text, count in texts.items():
        if text >= 0:
            found[strings[text].rpartition(".")[2]] += count
    return found
