"""Expression values: what an argument, decorator, initialiser, assignment or return is made of, as one file says it.

Extractors write them on a tape of numbers, one tape a file (small, quick to make and to send between processes);
`read` turns the value at a place of the tape into a tree. What a value evaluates to is left to resolution.

    op        operands                                      example
    CHAIN     text root                                     `a.b.c`, a name or a dotted chain of names; `root` says
                                                            where the first one is bound (`model/facts.py`)
    ATTR      value name                                    `f().b`
    CALL      value at flags npos nkw                       `f(1, *a, k=2)`; `at` is where the call begins, starts count
              (value start length)*                         from there; a keyword is (name value start length), and
              (name value start length)*                    `**` has no name (-1)
    STRING    text                                          text without quotes; FORMAT when interpolated
    NUMBER    text
    ATOM      which                                         None True False ...
    CONCAT    n value*                                      `"a" "b"`, `a + b`
    DISPLAY   which n value*                                list tuple set; dict as key value key value …
    LAMBDA    definition                                    index of its definition
    SUBSCRIPT value value held                              `a[0]`; what that element is known to hold, or -1
    CHOICE    n value*                                      `a or b`, `a if c else b`: one of them
    WRAP      which value                                   await, starred, yield, yield from, comprehension element,
                                                            slice (of its bounds)
    OTHER                                                   anything else, at most seen, never guessed

What a variable holds at the place where it is read is settled when the file is read, so that nobody has to follow the
flow of control again:

    BOUND     text value skip                               a name or chain whose first `skip` parts hold the value;
                                                            0 for all of them
    PARAM     definition index                              what a parameter was given
    DEFINED   definition                                    what a `def` or `class` binds
    IMPORT    index                                         what an import binds
    PART      value index                                   one of what is unpacked; from the end when below zero
    REST      value index after                             the starred rest of what is unpacked: so many follow it
    ITEM      value                                         what iterating gives; a value wrapped as async, by
                                                            `async for`
    ENTERED   value                                         what `with` gives; likewise
    CAUGHT    value                                         an exception of that class, or of one of these
    NARROWED  value value                                   the first, known to be an instance of the second
    SUPER     definition value                              the `super` of a class and its receiver
    EXCLUDED  value value                                   the first, known to be no instance of the second
    OPERATED  sign value value                              `a / b`, `-a`, `a < b`, `a[…] = …`; by the sign as a text
    GROWN     value value key                               the first, a container, with the second as an element; the
                                                            first is -1 where it is what the assignment's target holds
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

CHAIN, ATTR, CALL, STRING, FORMAT, NUMBER, ATOM, CONCAT, DISPLAY, LAMBDA, SUBSCRIPT, CHOICE, WRAP, OTHER = range(14)
BOUND, PARAM, DEFINED, IMPORT, PART, REST, ITEM, ENTERED, CAUGHT, NARROWED, GROWN, SUPER, EXCLUDED, OPERATED = range(
    14, 28
)
"""Operations; appended, never renumbered."""

NONE, TRUE, FALSE, ELLIPSIS, BYTES = range(5)
"""Which ATOM. BYTES stands for any bytes literal; its content is not kept."""

LIST, TUPLE, SET, DICT = range(4)
"""Which DISPLAY."""

AWAIT, STARRED, YIELD, YIELD_FROM, ELEMENT, DOUBLE_STARRED, SLICE, ASYNC = range(8)
"""Which WRAP."""

STAR_ARGS, STAR_KWARGS = 1, 2
"""Flags of a CALL."""

ATOMS = ("None", "True", "False", "...", "b''")
DISPLAYS = ("list", "tuple", "set", "dict")
WRAPS = ("await", "starred", "yield", "yield_from", "element", "double_starred", "slice", "async")
MAX_DEPTH = 64


class Name(Struct, frozen=True, tag="name"):
    """A name, or a dotted chain of names, as written."""

    text: str


class Attribute(Struct, frozen=True, tag="attribute"):
    """A name looked up on a value that is not a plain chain."""

    value: Value
    name: str


class Argument(Struct, frozen=True):
    """One argument of a call: its value, its place in the source, and its keyword if it has one."""

    value: Value
    start: int
    end: int
    keyword: str | None = None


class Call(Struct, frozen=True, tag="call"):
    """A call with its arguments; `*` and `**` arguments are values wrapped as starred."""

    function: Value
    positional: tuple[Argument, ...]
    keywords: tuple[Argument, ...]
    star_args: bool
    star_kwargs: bool


class Literal(Struct, frozen=True, tag="literal"):
    """A literal: `kind` is string, format, number or atom; `text` its content."""

    kind: str
    text: str


class Concat(Struct, frozen=True, tag="concat"):
    """Parts put together, as in `"a" + b`."""

    parts: tuple[Value, ...]


class Display(Struct, frozen=True, tag="display"):
    """A list, tuple, set or dict written out; a dict is key, value, key, value …"""

    kind: str
    items: tuple[Value, ...]


class Lambda(Struct, frozen=True, tag="lambda"):
    """A function without a name, by the index of its definition."""

    definition: int


class Subscript(Struct, frozen=True, tag="subscript"):
    """An element taken out of a value."""

    value: Value
    index: Value


class Choice(Struct, frozen=True, tag="choice"):
    """One of several values, which one is not known."""

    options: tuple[Value, ...]


class Wrap(Struct, frozen=True, tag="wrap"):
    """A value awaited, starred, yielded, or the element of a comprehension."""

    kind: str
    value: Value


class Other(Struct, frozen=True, tag="other"):
    """An expression that is not followed."""


Value = Name | Attribute | Call | Literal | Concat | Display | Lambda | Subscript | Choice | Wrap | Other


def read(tape: Sequence[int], strings: Sequence[str], at: int, depth: int = 0) -> Value:
    """The value that begins at a place of the tape; a place below zero is `Other`."""
    if at < 0 or depth > MAX_DEPTH:
        return Other()

    def inner(place: int) -> Value:
        return read(tape, strings, place, depth + 1)

    op = tape[at]
    if op == SUPER:
        return Name("super")
    if op in (CHAIN, BOUND):
        return Name(strings[tape[at + 1]])
    if op == ATTR:
        return Attribute(inner(tape[at + 1]), strings[tape[at + 2]])
    if op == CALL:
        return _read_call(tape, strings, at, depth)
    if op in (STRING, FORMAT, NUMBER):
        return Literal(("string", "format", "number")[op - STRING], strings[tape[at + 1]])
    if op == ATOM:
        return Literal("atom", ATOMS[tape[at + 1]])
    if op == CONCAT:
        return Concat(tuple(inner(place) for place in _listed(tape, at + 1)))
    if op == DISPLAY:
        return Display(DISPLAYS[tape[at + 1]], tuple(inner(place) for place in _listed(tape, at + 2)))
    if op == LAMBDA:
        return Lambda(tape[at + 1])
    if op == SUBSCRIPT:
        return Subscript(inner(tape[at + 1]), inner(tape[at + 2]))
    if op == CHOICE:
        return Choice(tuple(inner(place) for place in _listed(tape, at + 1)))
    if op == WRAP:
        return Wrap(WRAPS[tape[at + 1]], inner(tape[at + 2]))
    if op == OPERATED and strings[tape[at + 1]] == "|":
        return Choice((inner(tape[at + 2]), inner(tape[at + 3])))
    if op == GROWN and tape[at + 1] < 0:  # an element that is put in under a key
        return inner(tape[at + 2])
    return Other()


def _listed(tape: Sequence[int], at: int) -> Sequence[int]:
    return tape[at + 1 : at + 1 + tape[at]]


def _read_call(tape: Sequence[int], strings: Sequence[str], at: int, depth: int) -> Call:
    function, begin, flags, npos, nkw = tape[at + 1 : at + 6]
    at += 6
    positional = []
    for _ in range(npos):
        start = begin + tape[at + 1]
        value = read(tape, strings, tape[at], depth + 1)
        positional.append(Argument(value, start, start + tape[at + 2]))
        at += 3
    keywords = []
    for _ in range(nkw):
        name = strings[tape[at]] if tape[at] >= 0 else None
        start = begin + tape[at + 2]
        value = read(tape, strings, tape[at + 1], depth + 1)
        keywords.append(Argument(value, start, start + tape[at + 3], name))
        at += 4
    return Call(
        read(tape, strings, function, depth + 1),
        tuple(positional),
        tuple(keywords),
        bool(flags & STAR_ARGS),
        bool(flags & STAR_KWARGS),
    )


def operands(tape: Sequence[int], at: int) -> Sequence[int]:
    """The places of the values that a value is made of."""
    op = tape[at]
    if op == CALL:
        npos, nkw = tape[at + 4], tape[at + 5]
        keywords = at + 6 + 3 * npos
        return [
            tape[at + 1],
            *tape[at + 6 : keywords : 3],
            *tape[keywords + 1 : keywords + 4 * nkw : 4],
        ]
    if op in _LISTED:
        first = at + _LISTED[op]
        return tape[first + 1 : first + 1 + tape[first]]
    return [tape[at + offset] for offset in _OPERANDS.get(op, ())]


def behind_async(tape: Sequence[int], place: int) -> tuple[int, bool]:
    """A value that may be wrapped as async, without that, and whether it was."""
    if place >= 0 and tape[place] == WRAP and tape[place + 1] == ASYNC:
        return tape[place + 2], True
    return place, False


_LISTED = {CONCAT: 1, CHOICE: 1, DISPLAY: 2}
"""Operations with a list of values: where its length stands."""
_OPERANDS = {
    ATTR: (1,),
    SUBSCRIPT: (1, 2, 3),
    WRAP: (2,),
    BOUND: (2,),
    PART: (1,),
    REST: (1,),
    ITEM: (1,),
    ENTERED: (1,),
    CAUGHT: (1,),
    NARROWED: (1, 2),
    EXCLUDED: (1, 2),
    OPERATED: (2, 3),
    GROWN: (1, 2, 3),
    SUPER: (2,),
}
"""Where other operations keep their values."""
