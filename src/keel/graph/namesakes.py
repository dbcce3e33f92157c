"""Calls without an edge that name something like a symbol: any of them may be a call of it.

What they really call is not known here; resolving is left to the languages.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from keel.model.facts import decode_interface, decode_references
from keel.model.kinds import Reason, RefKind

if TYPE_CHECKING:
    from keel.ports.store import GraphReader

CALLS = (RefKind.CALL, RefKind.INSTANTIATE, RefKind.EXERCISE, RefKind.CREATE)
OPEN = (Reason.NOT_LOOKED, Reason.AMBIGUOUS, Reason.DYNAMIC)
"""Why such a call may be of a symbol of the workspace all the same."""


def open_calls_of(reader: GraphReader, name: str) -> int:
    """How many calls of `name`, or of `….name`, may be of any symbol with that name."""
    return sum(_in_file(reader, file.id, name) for file in reader.files())


def _in_file(reader: GraphReader, file: int, name: str) -> int:
    interface = reader.interface(file) or b""
    if name.encode("utf-8", "surrogatepass") not in interface:  # most files do not name it, and need not be decoded
        return 0
    strings = decode_interface(interface).strings
    texts = {number for number, text in enumerate(strings) if text == name or text.endswith(f".{name}")}
    reasons = reader.links(file)[0]
    items = decode_references(reader.references(file) or b"").items
    return sum(
        item.kind in CALLS and item.text in texts and reason in OPEN
        for item, reason in zip(items, reasons, strict=False)
    )
