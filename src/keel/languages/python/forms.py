"""Python's forms of the expression IR: the common ones, and those by which only Python's own analysis follows values.

The common forms are those of `model/expressions.py`; CHAIN and SUBSCRIPT have an operand more here, which is Python's.
What the forms evaluate to is left to `resolve/`.

    CHAIN     text root                                     `a.b.c`; `root` says where the first name is bound
                                                            (`languages/python/facts.py`)
    SUBSCRIPT value value held                              `a[0]`; what that element is known to hold, or -1
    WRAP      which value                                   await, starred, yield, yield from, comprehension element,
                                                            slice (of its bounds)

What a variable holds where it is read is settled when the file is read, so that the flow of control need not be
followed again:

    BOUND     text value skip                               a name or chain whose first `skip` parts hold the value;
                                                            0 for all of them
    PARAM     definition index                              the argument of a parameter
    DEFINED   definition                                    what a `def` or `class` binds
    IMPORT    index                                         what an import binds
    PART      value index                                   one of what is unpacked; from the end when below zero
    REST      value index after                             the starred rest of what is unpacked: so many follow it
    ITEM      value                                         what iterating yields; a value wrapped as async, by
                                                            `async for`
    ENTERED   value                                         what `with` binds; likewise
    CAUGHT    value                                         an exception of that class, or of one of these
    NARROWED  value value                                   the first, known to be an instance of the second
    SUPER     definition value                              the `super` of a class and its receiver
    EXCLUDED  value value                                   the first, known to be no instance of the second
    OPERATED  sign value value                              `a / b`, `-a`, `a < b`, `a[…] = …`; by the sign as a text
    GROWN     value value key                               the first, a container, with the second as an element; the
                                                            first is -1 where it is what the assignment's target holds
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from keel.model import expressions as common
from keel.model.expressions import Choice, Name, Other, Own, Value

CHAIN, ATTR, CALL, STRING, FORMAT, NUMBER = (
    *(common.NAME, common.MEMBER, common.CALL, common.STRING, common.FORMAT, common.NUMBER),
)
ATOM, CONCAT, DISPLAY, LAMBDA, SUBSCRIPT, CHOICE, OTHER = (
    *(common.ATOM, common.CONCAT, common.DISPLAY, common.FUNCTION, common.INDEX, common.CHOICE, common.OTHER),
)
BOUND = common.OWN_NAMES
PARAM, DEFINED, IMPORT, PART, REST, ITEM, ENTERED, CAUGHT, NARROWED, GROWN, SUPER, EXCLUDED, OPERATED, WRAP = range(
    common.OWN, common.OWN + 14
)
"""Operations; appended, never renumbered."""

NONE, TRUE, FALSE, ELLIPSIS, BYTES = common.NONE, common.TRUE, common.FALSE, common.ELLIPSIS, common.BYTES
LIST, TUPLE, SET, DICT = common.LIST, common.TUPLE, common.SET, common.DICT
ATOMS, DISPLAYS = common.ATOMS, common.DISPLAYS
STAR_ARGS, STAR_KWARGS = common.STAR_ARGS, common.STAR_KWARGS

AWAIT, STARRED, YIELD, YIELD_FROM, ELEMENT, DOUBLE_STARRED, SLICE, ASYNC = range(8)
"""Which WRAP."""
WRAPS = ("await", "starred", "yield", "yield_from", "element", "double_starred", "slice", "async")


def read(ir: Sequence[int], strings: Sequence[str], at: int) -> Value:
    """The value of an expression, with Python's own forms as far as they can be written as values."""
    return common.read(ir, strings, at, _read_own)


def _read_own(ir: Sequence[int], strings: Sequence[str], at: int, inner: Callable[[int], Value]) -> Value:
    op = ir[at]
    if op == SUPER:
        return Name("super")
    if op == WRAP:
        return Own(WRAPS[ir[at + 1]], inner(ir[at + 2]))
    if op == OPERATED and strings[ir[at + 1]] == "|":
        return Choice((inner(ir[at + 2]), inner(ir[at + 3])))
    if op == GROWN and ir[at + 1] < 0:  # an element that is put in under a key
        return inner(ir[at + 2])
    return Other()


def operands(ir: Sequence[int], at: int) -> Sequence[int]:
    """The expressions that an expression is made of."""
    op = ir[at]
    if op == CALL:
        npos, nkw = ir[at + 4], ir[at + 5]
        keywords = at + 6 + 3 * npos
        return [
            ir[at + 1],
            *ir[at + 6 : keywords : 3],
            *ir[keywords + 1 : keywords + 4 * nkw : 4],
        ]
    if op in _LISTED:
        first = at + _LISTED[op]
        return ir[first + 1 : first + 1 + ir[first]]
    return [ir[at + offset] for offset in _OPERANDS.get(op, ())]


def behind_async(ir: Sequence[int], at: int) -> tuple[int, bool]:
    """An expression that may be wrapped as async, without that, and whether it was."""
    if at >= 0 and ir[at] == WRAP and ir[at + 1] == ASYNC:
        return ir[at + 2], True
    return at, False


_LISTED = {CONCAT: 1, CHOICE: 1, DISPLAY: 2}
"""Operations with a list of expressions: where its length is."""
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
"""Where other operations keep theirs."""
