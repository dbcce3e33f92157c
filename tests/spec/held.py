"""What variables hold where they are read, as specs write it: the flow of control of a file, made visible.

A spec calls `see(x)` where it wants to look; each argument becomes a line `see x = A() | B()`. Values are written
nearly as the Python they came from, and otherwise by what was done to them:

    the x           what the parameter `x` was given
    item of a       what iterating over `a` gives
    part 0 of a     one of what `a` is unpacked into; `rest 1 of a` is a starred one
    entered a       what `with a` gives
    caught E        an exception that `except E` caught
    a as C          what is known to be an instance of C; `a not C` what is known to be none
    a with b        the container `a` after `b` was put into it
    again           the same once more, as a loop leaves it

What values evaluate to in the project is left to linking.
"""

from __future__ import annotations

from collections.abc import Iterator

from keel.languages.python import forms as v
from keel.languages.python.facts import CELLS, Facts, Interface
from keel.model.expressions import Index, Literal, Member, Name
from keel.model.facts import Lines
from keel.model.kinds import RefKind
from tests.spec.expect import ExpectedLine

SEE = "see"
PREFIX = {v.ITEM: "item of ", v.ENTERED: "entered ", v.CAUGHT: "caught "}
INFIX = {v.NARROWED: " as ", v.EXCLUDED: " not ", v.GROWN: " with "}
BRACKETS = {v.LIST: ("[", "]"), v.TUPLE: ("(", ")"), v.SET: ("{", "}"), v.DICT: ("{", "}")}
WRAPPED = {v.AWAIT: "await ", v.STARRED: "*", v.ELEMENT: "each "}


def seen(found: Facts) -> Iterator[ExpectedLine]:
    """What the arguments of each call of `see` hold, in order."""
    interface = found.interface
    ir, lines = interface.ir, Lines(interface.lines)
    calls = [each for each in found.references.items if each.kind == RefKind.CALL and interface.text(each.text) == SEE]
    for call in calls:
        line, _ = lines.place(interface.defs[call.source].start + call.at)
        for place in v.operands(ir, call.value)[1:]:
            yield ExpectedLine(f"{SEE} {_source(interface, place)} = {held(interface, place)}", {"line": str(line)})


def held(interface: Interface, place: int, outer: frozenset[int] = frozenset()) -> str:
    """The value at a position of the expression IR, variables replaced by what they hold."""
    if place < 0:
        return "?"
    if place in outer:
        return "again"
    ir, op = interface.ir, interface.ir[place]
    inner = outer | {place}

    def part(offset: int) -> str:
        return held(interface, ir[place + offset], inner)

    if op == v.BOUND:
        names = interface.text(ir[place + 1]).split(".")
        return _dotted(part(2), names[ir[place + 3] :] if ir[place + 3] else [])
    if op == v.CHAIN and ir[place + 2] <= CELLS:
        cell = interface.cells[CELLS - ir[place + 2]]
        texts = dict.fromkeys(held(interface, each, inner) for each in cell)
        return _dotted(" | ".join(texts), interface.text(ir[place + 1]).split(".")[1:])
    if op == v.CHOICE:
        return " | ".join(dict.fromkeys(held(interface, each, inner) for each in v.operands(ir, place)))
    if op == v.PARAM:
        signature = interface.defs[ir[place + 1]].signature
        return f"the {interface.text(signature.params[ir[place + 2]].name)}" if signature else "?"
    if op in (v.DEFINED, v.LAMBDA):
        return _name(interface, ir[place + 1])
    if op == v.IMPORT:
        item = interface.imports[ir[place + 1]]
        return ".".join(interface.text(each) for each in (item.module, item.name) if each >= 0)
    if op in (v.PART, v.REST):
        return f"{'part' if op == v.PART else 'rest'} {ir[place + 2]} of {part(1)}"
    if op in PREFIX:
        return PREFIX[op] + part(1)
    if op in INFIX:
        return part(1) + INFIX[op] + _whole(part(2))
    if op == v.CALL:
        function, *arguments = (held(interface, each, inner) for each in v.operands(ir, place))
        return f"{function}({', '.join(arguments)})"
    if op == v.DISPLAY:
        left, right = BRACKETS[ir[place + 1]]
        parts = [held(interface, each, inner) for each in v.operands(ir, place)]
        if ir[place + 1] == v.DICT:
            parts = [f"{key}: {value}" for key, value in zip(parts[::2], parts[1::2], strict=True)]
        return left + ", ".join(parts) + right
    if op == v.ATTR:
        return _dotted(part(1), [interface.text(ir[place + 2])])
    if op == v.SUBSCRIPT:
        return part(3) if ir[place + 3] >= 0 else f"{_whole(part(1))}[{part(2)}]"
    if op == v.WRAP:
        return WRAPPED.get(ir[place + 1], "") + part(2)
    return _source(interface, place)


def _dotted(whole: str, names: list[str]) -> str:
    return ".".join([_whole(whole) if names else whole, *names])


def _whole(text: str) -> str:
    """In brackets when it is more than one word."""
    return f"({text})" if " " in text else text


def _source(interface: Interface, place: int) -> str:
    """The value as it is written; texts without quotes."""
    value = interface.expression(place)
    match value:
        case Name(text=text) | Literal(text=text):
            return text
        case Member(name=name):
            return f".{name}"
        case Index():
            ir = interface.ir
            return f"{_source(interface, ir[place + 1])}[{_source(interface, ir[place + 2])}]"
        case _:
            return "?"


def _name(interface: Interface, definition: int) -> str:
    found = interface.defs[definition]
    name = interface.text(found.qualified_name)
    return name if found.occurrence == 1 else f"{name}#{found.occurrence}"
