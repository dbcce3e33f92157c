"""Contracts: how a definition differs between base and now, in values that rules of any language share.

How a language determines them is left to the language, what becomes a finding to the rules.
"""

from __future__ import annotations

from enum import Enum

from msgspec import Struct


class State(Enum):
    """Whether a call binds to its callee's signature."""

    FITS = "fits"
    MISFIT = "misfit"
    NOT_KNOWN = "not_known"


class Verdict(Struct, frozen=True):
    """What is known of a call: whether it binds, and if not, why in words."""

    state: State
    words: str = ""
    by_name: bool = False
    """Whether the mismatch is a name, not the number of arguments."""
    is_suspected: bool = False
    """Of an unknown one: it would not bind if the unknown part had no effect."""
    is_open: bool = False
    """Of an unknown one: whether it binds depends on a starred argument, and it may."""
    given: tuple[str, ...] = ()
    """Of one that binds or is open: the parameters of its positional arguments, in order."""
    taken: tuple[str, ...] = ()
    """Of one that binds or is open: all parameters."""
    named: tuple[str, ...] = ()
    """Of one that binds or is open: the arguments passed by name."""

    @property
    def may_fit(self) -> bool:
        """Whether only a starred argument could make it fail."""
        return self.state is State.FITS or self.is_open


class Aspect(Enum):
    """Which part of a contract has changed."""

    CALL = "call"
    """The calls that it accepts."""
    KIND_CHANGE = "kind_change"
    """How its result is obtained: async, a generator, a property."""
    PARAMETER_TYPE = "parameter_type"
    RETURN_TYPE = "return_type"


class Shift(Enum):
    """How a parameter has changed, where that determines what a call has to pass instead."""

    OTHER = "other"
    RENAMED = "renamed"
    REMOVED = "removed"
    REQUIRED = "required"
    """It is new and has no default."""
    DEFAULT_GONE = "default_gone"


class Alteration(Struct, frozen=True):
    """One change of a contract that can affect code that relies on it."""

    aspect: Aspect
    words: str
    """`parameter 'a' renamed to 'b'`."""
    name: str = ""
    """The parameter it is about."""
    after: str = ""
    """Of types: the current one; of a renamed parameter, its current name."""
    is_certain: bool = False
    """Whether it certainly breaks all code that relied on it."""
    shift: Shift = Shift.OTHER


class Successor(Struct, frozen=True):
    """The likely successor of a definition that was removed."""

    path: str
    qualified_name: str
    likeness: float
