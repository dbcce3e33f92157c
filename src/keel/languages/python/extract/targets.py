"""Targets: the parts of a value that the parts of a target are given, and elements that are set.

Assignments, loops, `with` and comprehensions share this; what they bind is left to them.
"""

from __future__ import annotations

from tree_sitter import Node

from keel.languages.python.extract.flow import element_path, forget_elements, grow, load, store
from keel.languages.python.extract.leaves import solid
from keel.languages.python.extract.walk import Walk, head, is_chain
from keel.languages.python.grammar import kind_ids
from keel.model import values

SUBSCRIPTS = frozenset(kind_ids("subscript"))
SPLATS = frozenset(kind_ids("list_splat_pattern") + kind_ids("list_splat"))
KEYS = frozenset(kind_ids("string") + kind_ids("integer"))
NAMED_KEYS = (values.STRING, values.NUMBER, values.CHAIN)
"""Keys that may be told apart: literals, and names that are no variables here."""
SEQUENCES = (values.LIST, values.TUPLE)


def unpacked(w: Walk, targets: list[Node], value: int) -> list[int]:
    """What each of the targets is given of a value that is unpacked."""
    if value < 0:
        return [-1] * len(targets)
    star = next((index for index, target in enumerate(targets) if target.kind_id in SPLATS), None)
    tape = w.tape
    if star is None and tape[value] == values.DISPLAY and tape[value + 1] in SEQUENCES:
        items = tape[value + 3 : value + 3 + tape[value + 2]]
        if len(items) == len(targets) and not any(_is_starred(w, item) for item in items):
            return items
    if star is None:
        return [w.put(values.PART, value, index) for index in range(len(targets))]
    return [
        w.put(values.PART, value, index)
        if index < star
        else w.put(values.REST, value, index, len(targets) - 1 - star)
        if index == star
        else w.put(values.PART, value, index - len(targets))
        for index in range(len(targets))
    ]


def _is_starred(w: Walk, place: int) -> bool:
    return place >= 0 and w.tape[place] == values.WRAP and w.tape[place + 1] == values.STARRED


def held(w: Walk, value: int, type_value: int) -> int:
    """What a variable holds that is given a value and a type: the value, or something of the type if it is unknown."""
    if type_value < 0:
        return value
    return w.put(values.NARROWED, value, type_value)


def load_owner(w: Walk, text: bytes) -> int:
    """The value of an attribute as a target: its owner as it is now, not what the attribute held before."""
    owner = load(w, text.rpartition(b".")[0], head(text))
    if w.tape[owner] != values.BOUND:
        return w.chain(text)
    skip = w.tape[owner + 3] or text.count(b".")
    return w.put(values.BOUND, w.intern(text), w.tape[owner + 2], skip)


def path_of(w: Walk, node: Node) -> bytes | None:
    """The name of an element with a literal key in the environment: `d['a']`."""
    kids = solid(node)
    if len(kids) != 2 or kids[1].kind_id not in KEYS:
        return None
    base = w.source[kids[0].start_byte : kids[0].end_byte]
    if not is_chain(base) or (head(base) not in w.env and not w.flow.paths):
        return None
    return element_path(base, w.source[kids[1].start_byte : kids[1].end_byte])


def note_element(w: Walk, sign: bytes, place: int) -> None:
    """What was taken for the reading of an element sets or deletes it."""
    if place >= 0 and w.uses and w.uses[-1] == place:
        w.uses[-1] = w.put(values.OPERATED, w.intern(sign), w.tape[place + 1], -1)


def store_element(w: Walk, node: Node, place: int, value: int) -> None:
    """`d[k] = v`: the container has one more element; followed when the key is a literal, else any may be the one."""
    note_element(w, b"[]=", place)
    first = node.named_child(0)
    base = w.source[first.start_byte : first.end_byte] if first is not None else b""
    if not is_chain(base):
        return
    path = path_of(w, node)
    if w.flow.paths and path is None:
        forget_elements(w, base)
    if value >= 0:
        key = w.tape[place + 2] if place >= 0 and w.tape[place] == values.SUBSCRIPT else -1
        if key >= 0 and w.tape[key] not in NAMED_KEYS:
            key = -1
        grow(w, base, value, key, node.start_byte)
    if path is not None:
        store(w, path, value)
