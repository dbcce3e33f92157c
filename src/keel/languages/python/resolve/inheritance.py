"""Inheritance: the method resolution order of a class, and how far a name is looked for in it.

The only walk of bases. Resolving a base is left to the callers: `lookup` answers as well as it can, binding builds only
on what is certain. So is what a class defines for a name.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import TypeVar

from keel.model.hashing import digest64

T = TypeVar("T", bound=Hashable)
Owner = tuple[int, int]
"""A class, by file and definition; or a base that is not known, with a negative number for its file."""


def method_order(cls: T, bases: Sequence[tuple[T, Sequence[T]]]) -> list[T]:
    """The method resolution order of a class whose bases are these, each with its own order."""
    return [cls, *_merged([*(order for _, order in bases), [base for base, _ in bases]])]


def _merged(lines: Iterable[Sequence[T]]) -> list[T]:
    """C3 linearisation; where the bases contradict each other, in the order in which they are met."""
    left = [line for line in lines if line]
    order: list[T] = []
    while left:
        head = next((line[0] for line in left if not any(line[0] in other[1:] for other in left)), left[0][0])
        order.append(head)
        left = [rest for line in left if (rest := [item for item in line if item != head])]
    return order


def unknown_base(text: str, reason: int) -> Owner:
    """A base that is not known, by its text and the reason."""
    return -1 - reason, digest64(text.encode("utf-8", "surrogatepass"))


def reason_of(base: Owner) -> int:
    """Why a base is not known."""
    return -1 - base[0]


def searched(order: list[Owner], name: str) -> tuple[list[Owner], Owner | None]:
    """The classes that a name is looked for in, and the base that ends them because it is not known and may have it."""
    if is_mangled(name):
        order = order[:1]
    for index, owner in enumerate(order):
        if owner[0] < 0:
            return order[:index], owner
    return order, None


def known(order: Iterable[Owner]) -> list[Owner]:
    """The classes of an order, without bases that are not known."""
    return [owner for owner in order if owner[0] >= 0]


def is_mangled(name: str) -> bool:
    """Whether a name belongs to one class alone: `__x`."""
    return name.startswith("__") and not name.endswith("__")
