"""Contracts: what languages say about a definition before and after an edit, in words that rules of any language share.

How a language comes to them is its own business; what a finding makes of them, that of the rules.
"""

from __future__ import annotations

from enum import Enum

from msgspec import Struct


class State(Enum):
    """Whether a call fits what it calls."""

    FITS = "fits"
    MISFIT = "misfit"
    NOT_KNOWN = "not_known"


class Verdict(Struct, frozen=True):
    """What is known of a call: whether it fits, and if not, why in words."""

    state: State
    words: str = ""
    by_name: bool = False
    """Whether it is a name that does not fit, not the number of arguments."""
    is_suspected: bool = False
    """Of one that is not known: it would not fit if what is not known changed nothing."""
    is_open: bool = False
    """Of one that is not known: it fits or not by what a star of the call holds, and may fit."""
    given: tuple[str, ...] = ()
    """Of one that fits or is open: the parameters that the arguments without a name reach, in their order."""
    taken: tuple[str, ...] = ()
    """Of one that fits or is open: all parameters."""
    named: tuple[str, ...] = ()
    """Of one that fits or is open: what it gives by name."""

    @property
    def may_fit(self) -> bool:
        """Whether nothing speaks against it but what a star may hold."""
        return self.state is State.FITS or self.is_open


class Aspect(Enum):
    """What of a contract has changed."""

    CALL = "call"
    """What calls it takes."""
    KIND_CHANGE = "kind_change"
    """How its result is come by: async, a generator, a property."""
    PARAMETER_TYPE = "parameter_type"
    RETURN_TYPE = "return_type"


class Shift(Enum):
    """What has become of a parameter, where that tells what a call has to pass instead."""

    OTHER = "other"
    RENAMED = "renamed"
    REMOVED = "removed"
    REQUIRED = "required"
    """It is new, and has to be given."""
    DEFAULT_GONE = "default_gone"


class Alteration(Struct, frozen=True):
    """One change of a contract that those who rely on it may notice."""

    aspect: Aspect
    words: str
    """`parameter 'a' renamed to 'b'`."""
    name: str = ""
    """The parameter it is about."""
    after: str = ""
    """Of types: the one it has now; of a parameter that was renamed, its name now."""
    is_certain: bool = False
    """Whether everybody who relied on it is broken for sure."""
    shift: Shift = Shift.OTHER


class Successor(Struct, frozen=True):
    """What a definition that is gone has likely become."""

    path: str
    qualified_name: str
    likeness: float
