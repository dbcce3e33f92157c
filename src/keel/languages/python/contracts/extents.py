"""Extents: from where to where a use reaches in the text of its file.

Facts keep where a call and each of its arguments begin, and how long the arguments are; that is enough.
"""

from __future__ import annotations

from keel.languages.python import forms
from keel.languages.python.facts import Interface
from keel.model.facts import Reference
from keel.model.kinds import RefKind

CALLING = (RefKind.CALL, RefKind.DECORATE)


def extent(interface: Interface, reference: Reference) -> tuple[int, int]:
    """The offsets of a use: of a call up to behind its last argument, of anything else the chain of names."""
    at = interface.defs[reference.source].start + reference.at
    before, dot, name = interface.text(reference.text).rpartition(".")
    end = at + len(name.encode())
    at -= len(f"{before}{dot}".encode()) if reference.kind != RefKind.IMPORT else 0
    tape, place = interface.tape, reference.value
    if reference.kind not in CALLING or place < 0 or tape[place] != forms.CALL:
        return at, end
    start, npos, nkw = tape[place + 2], tape[place + 4], tape[place + 5]
    first = place + 6
    arguments = [*range(first, first + 3 * npos, 3), *range(first + 3 * npos + 1, first + 3 * npos + 4 * nkw, 4)]
    ends = [start + tape[each + 1] + tape[each + 2] for each in arguments]
    return min(start, at), max([end, *ends]) + 1
