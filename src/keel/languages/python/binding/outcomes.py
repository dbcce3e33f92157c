"""Outcomes of binding: a call fits, does not fit for named reasons, or that is not known, and why.

Reasons are those that Python raises, in the order in which it looks. Severities are left to rules.
"""

from __future__ import annotations

from enum import Enum

from msgspec import Struct


class Fault(Enum):
    """What is wrong with a call."""

    MULTIPLE_VALUES = "multiple_values"
    """A parameter is given twice."""
    POSITIONAL_ONLY = "positional_only"
    """A positional-only parameter is given by name."""
    UNEXPECTED_KEYWORD = "unexpected_keyword"
    """There is no parameter of that name."""
    TOO_MANY = "too_many"
    """More positional arguments than parameters that take them."""
    MISSING = "missing"
    """A parameter without default is given nothing."""
    MISSING_KEYWORD = "missing_keyword"
    """A keyword-only parameter without default is given nothing."""


class Reason(Struct, frozen=True):
    """One reason why a call does not fit. Arguments that the call does not write (a receiver) are not counted."""

    fault: Fault
    names: tuple[str, ...] = ()
    """The parameters or keywords it is about, in the order of the signature or of the call."""
    least: int = 0
    most: int = 0
    given: int = 0
    """How many positional arguments are taken and given, when they are too many."""

    @property
    def words(self) -> str:
        """The reason as a phrase: `missing required 'x', 'y'`."""
        names = ", ".join(f"'{name}'" for name in self.names)
        if self.fault is Fault.TOO_MANY:
            takes = f"{self.most}" if self.least == self.most else f"from {self.least} to {self.most}"
            return f"too many positional arguments: takes {takes}, given {self.given}"
        return _WORDS[self.fault].format(names=names)


_WORDS = {
    Fault.MULTIPLE_VALUES: "multiple values for {names}",
    Fault.POSITIONAL_ONLY: "positional-only {names} passed by keyword",
    Fault.UNEXPECTED_KEYWORD: "unexpected keyword {names}",
    Fault.MISSING: "missing required {names}",
    Fault.MISSING_KEYWORD: "missing required keyword-only {names}",
}


class Why(Enum):
    """Why it is not known whether a call fits."""

    STARS = "stars"
    """The call passes `*` or `**` whose content is not known."""
    DECORATOR = "decorator"
    """A decorator may have put something else in the function's place."""
    CLASS_DECORATOR = "class_decorator"
    """A decorator may have changed the class or put something else in its place."""
    BASE = "base"
    """A base class is outside the workspace, or not known."""
    METACLASS = "metaclass"
    """A metaclass may see to the call."""
    SUBCLASS_HOOK = "subclass_hook"
    """A base changes its subclasses in `__init_subclass__`."""
    NEW = "new"
    """`__new__` may give something that `__init__` is not called on."""
    ENUM = "enum"
    """Calling an enumeration looks members up, or makes another enumeration."""
    FIELD = "field"
    """A field is made by something that is not followed."""
    PROPERTY = "property"
    """What a property gives is called."""
    RECEIVER = "receiver"
    """It fits on an instance and not on the class, or the other way round."""
    OVERLOADS = "overloads"
    """The function itself takes the call, but no overload does."""
    UNREADABLE = "unreadable"
    """The source of the definition could not be read."""
    VALUE = "value"
    """What is called is a value that is not followed."""


class Doubt(Struct, frozen=True):
    """Why something is not known, and what it is about: a decorator, a base, a field."""

    why: Why
    about: str = ""

    @property
    def words(self) -> str:
        """The doubt as a phrase: `the decorator 'app.task' is not known`."""
        return _DOUBTS[self.why].format(about=f"'{self.about}'" if self.about else "")


_DOUBTS = {
    Why.STARS: "what {about} holds is not known",
    Why.DECORATOR: "the decorator {about} is not known",
    Why.CLASS_DECORATOR: "the class decorator {about} is not known",
    Why.BASE: "the base {about} is not known",
    Why.METACLASS: "the metaclass {about} may see to the call",
    Why.SUBCLASS_HOOK: "{about} may change its subclasses",
    Why.NEW: "{about} may give another object than '__init__' expects",
    Why.ENUM: "calling the enumeration {about} is not followed",
    Why.FIELD: "how the field {about} is made is not known",
    Why.PROPERTY: "what the property {about} gives is called",
    Why.RECEIVER: "whether {about} is called on an instance or on its class is not known",
    Why.OVERLOADS: "the function takes it, but none of its overloads does",
    Why.UNREADABLE: "{about} could not be read whole",
    Why.VALUE: "{about} is a value that is not followed",
}


class Fits(Struct, frozen=True):
    """The call fits."""


class Misfit(Struct, frozen=True):
    """The call cannot fit, for these reasons; Python raises the first one."""

    reasons: tuple[Reason, ...]


class NotKnown(Struct, frozen=True):
    """Whether the call fits is not known."""

    doubt: Doubt
    suspected: tuple[Reason, ...] = ()
    """The reasons it would not fit for if what is not known changed nothing."""


Outcome = Fits | Misfit | NotKnown
