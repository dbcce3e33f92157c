"""Expression values: what an argument, decorator, initialiser, assignment or return is made of, as one file says it.

Extractors write them as numbers, one array a file (small, quick to make and to send between processes); an expression
is known by its `ExprId`, the index at which it begins. This module is the only one outside of `languages/` that reads
the array: `read` gives a tree of values, the functions below it answer single questions without making one. What a
value evaluates to is left to resolution.

    op        operands                                      example
    NAME      text …                                        `a.b.c`, a name or a dotted chain of names
    MEMBER    value name                                    `f().b`
    CALL      value at flags npos nkw                       `f(1, *a, k=2)`; `at` is where the call begins, starts count
              (value start length)*                         from there; a keyword is (name value start length), and
              (name value start length)*                    `**` has no name (-1)
    STRING    text                                          text without quotes; FORMAT when interpolated
    NUMBER    text
    ATOM      which                                         None True False ...
    CONCAT    n value*                                      `"a" "b"`, `a + b`
    DISPLAY   which n value*                                list tuple set; dict as key value key value …
    FUNCTION  definition                                    a function without a name: the index of its definition
    INDEX     value value …                                 `a[0]`
    CHOICE    n value*                                      `a or b`, `a if c else b`: one of them
    OTHER                                                   anything else, at most seen, never guessed

A language may write operands of its own behind those of a form (`…`), and forms of its own from `OWN_NAMES` on. Others
read one from there as the name in its first operand, and one from `OWN` on as `Other`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple, NewType

from msgspec import Struct

ExprId = NewType("ExprId", int)
"""The index at which an expression begins; negative for none."""

NAME, MEMBER, CALL, STRING, FORMAT, NUMBER, ATOM, CONCAT, DISPLAY, FUNCTION, INDEX, CHOICE, OTHER = range(13)
"""Operations; appended, never renumbered."""
OWN_NAMES, OWN = 32, 64
"""Where the language-specific operations begin: those that others read as a name, and those that they do not read."""

NONE, TRUE, FALSE, ELLIPSIS, BYTES = range(5)
"""Which ATOM. BYTES is any bytes literal; its content is not kept."""

LIST, TUPLE, SET, DICT = range(4)
"""Which DISPLAY."""

STAR_ARGS, STAR_KWARGS = 1, 2
"""Flags of a CALL."""

ATOMS = ("None", "True", "False", "...", "b''")
DISPLAYS = ("list", "tuple", "set", "dict")
MAX_DEPTH = 64
MAX_TEXT_DEPTH = 4
"""Depth of nested displays that are searched for text: a table of texts is shallow, deeper ones are data."""


class Name(Struct, frozen=True, tag="name"):
    """A name, or a dotted chain of names, as written."""

    text: str


class Member(Struct, frozen=True, tag="member"):
    """A name looked up on a value that is not a plain chain."""

    value: Value
    name: str


class Argument(Struct, frozen=True):
    """One argument of a call: its value, its span in the source, and its keyword if it has one."""

    value: Value
    start: int
    end: int
    keyword: str | None = None


class Call(Struct, frozen=True, tag="call"):
    """A call with its arguments; a spread argument (`*a`, `**k`) is among them and sets its flag."""

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


class Function(Struct, frozen=True, tag="function"):
    """A function without a name, by the index of its definition."""

    definition: int


class Index(Struct, frozen=True, tag="index"):
    """An element taken out of a value."""

    value: Value
    index: Value


class Choice(Struct, frozen=True, tag="choice"):
    """One of several values; which one is not known."""

    options: tuple[Value, ...]


class Own(Struct, frozen=True, tag="own"):
    """A language-specific form, as that language names it; common readers get `Other` in its place."""

    form: str
    value: Value


class Other(Struct, frozen=True, tag="other"):
    """An expression that is not evaluated, or a form that only its language reads."""


Value = Name | Member | Call | Literal | Concat | Display | Function | Index | Choice | Own | Other
ReadOwn = Callable[[Sequence[int], Sequence[str], int, Callable[[int], Value]], Value]
"""How a language reads its own forms: the array, the strings, the expression, and the reader of its parts."""


class CallShape(NamedTuple):
    """How the arguments of a call are given: how many by position, which by name, and whether some are spread."""

    positional: int
    names: tuple[str, ...]
    """Empty for `**`."""
    has_star_args: bool
    has_star_kwargs: bool


def read(ir: Sequence[int], strings: Sequence[str], at: int, own: ReadOwn | None = None, depth: int = 0) -> Value:
    """The value of an expression; `Other` for none. `own` reads language-specific forms."""
    if at < 0 or depth > MAX_DEPTH:
        return Other()

    def inner(part: int) -> Value:
        return read(ir, strings, part, own, depth + 1)

    op = ir[at]
    if op >= OWN:
        return own(ir, strings, at, inner) if own is not None else Other()
    if op == NAME or op >= OWN_NAMES:
        return Name(strings[ir[at + 1]])
    if op == MEMBER:
        return Member(inner(ir[at + 1]), strings[ir[at + 2]])
    if op == CALL:
        return _read_call(ir, strings, at, inner)
    if op in (STRING, FORMAT, NUMBER):
        return Literal(("string", "format", "number")[op - STRING], strings[ir[at + 1]])
    if op == ATOM:
        return Literal("atom", ATOMS[ir[at + 1]])
    if op == CONCAT:
        return Concat(tuple(inner(part) for part in parts_of(ir, at)))
    if op == DISPLAY:
        return Display(DISPLAYS[ir[at + 1]], tuple(inner(part) for part in parts_of(ir, at)))
    if op == FUNCTION:
        return Function(ir[at + 1])
    if op == INDEX:
        return Index(inner(ir[at + 1]), inner(ir[at + 2]))
    if op == CHOICE:
        return Choice(tuple(inner(part) for part in parts_of(ir, at)))
    return Other()


def _read_call(ir: Sequence[int], strings: Sequence[str], at: int, inner: Callable[[int], Value]) -> Call:
    function, begin, flags, npos, nkw = ir[at + 1 : at + 6]
    at += 6
    positional = []
    for _ in range(npos):
        start = begin + ir[at + 1]
        value = inner(ir[at])
        positional.append(Argument(value, start, start + ir[at + 2]))
        at += 3
    keywords = []
    for _ in range(nkw):
        name = strings[ir[at]] if ir[at] >= 0 else None
        start = begin + ir[at + 2]
        value = inner(ir[at + 1])
        keywords.append(Argument(value, start, start + ir[at + 3], name))
        at += 4
    return Call(
        inner(function),
        tuple(positional),
        tuple(keywords),
        bool(flags & STAR_ARGS),
        bool(flags & STAR_KWARGS),
    )


def parts_of(ir: Sequence[int], at: int) -> Sequence[int]:
    """The values that a CONCAT, CHOICE or DISPLAY lists."""
    first = at + 2 if ir[at] == DISPLAY else at + 1
    return ir[first + 1 : first + 1 + ir[first]]


def is_call(ir: Sequence[int], at: int) -> bool:
    """Whether an expression is a call."""
    return at >= 0 and ir[at] == CALL


def call_shape(ir: Sequence[int], strings: Sequence[str], at: int) -> CallShape | None:
    """How a call passes its arguments; None for an expression that is not a call."""
    if not is_call(ir, at):
        return None
    flags, npos, nkw = ir[at + 3 : at + 6]
    first = at + 6 + 3 * npos
    names = tuple(strings[name] if name >= 0 else "" for name in ir[first : first + 4 * nkw : 4])
    return CallShape(npos, names, bool(flags & STAR_ARGS), bool(flags & STAR_KWARGS))


def chain_of(ir: Sequence[int], strings: Sequence[str], at: int) -> str | None:
    """The text of a name or a dotted chain of names; None for anything else."""
    if at < 0 or (ir[at] != NAME and not OWN_NAMES <= ir[at] < OWN):
        return None
    return strings[ir[at + 1]]


def member_of(ir: Sequence[int], strings: Sequence[str], at: int) -> str:
    """The last name of an expression that is looked up on a value: `b` of `a.b` and `f().b`; empty for others."""
    chain = chain_of(ir, strings, at)
    if chain is not None:
        owner, _, name = chain.rpartition(".")
        return name if owner else ""
    return strings[ir[at + 2]] if at >= 0 and ir[at] == MEMBER else ""


def texts_of(ir: Sequence[int], at: int, depth: int = 0) -> Iterator[int]:
    """The text literals that a value consists of, as indexes of strings; those inside a nested call belong to that
    call."""
    if at < 0 or depth > MAX_TEXT_DEPTH:
        return
    op = ir[at]
    if op in (STRING, FORMAT):
        yield ir[at + 1]
    elif op in (CONCAT, CHOICE, DISPLAY):
        for part in parts_of(ir, at):
            yield from texts_of(ir, part, depth + 1)


def texts_of_arguments(ir: Sequence[int], call: int) -> Iterator[int]:
    """The same of the arguments of a call."""
    positional, keywords = ir[call + 4], ir[call + 5]
    at = call + 6
    for argument in range(at, at + 3 * positional, 3):
        yield from texts_of(ir, ir[argument])
    at += 3 * positional
    for argument in range(at, at + 4 * keywords, 4):
        yield from texts_of(ir, ir[argument + 1])
