"""Binding a call to a callee: the arguments of the one, the parameters of the other, and whether they fit.

The call fits, does not fit for named reasons (those that Python raises, in the order in which it checks), or that is
not known, and why. Checked against Python itself, call by call (`tests/property/test_binding.py`). Where the shapes
come from is left to `calls` and `callees`, severities to rules.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

from msgspec import Struct
from msgspec.structs import replace

from keel.languages.python.resolve.parameters import NAMEABLE, POSITIONAL, Taking, by_name, by_position, taking
from keel.model.kinds import ParamKind


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
    """A parameter without default gets no argument."""
    MISSING_KEYWORD = "missing_keyword"
    """A keyword-only parameter without default gets no argument."""


class Reason(Struct, frozen=True):
    """One reason why a call does not fit. Arguments that the call does not write (a receiver) are not counted."""

    fault: Fault
    names: tuple[str, ...] = ()
    """The parameters or keywords concerned, in the order of the signature or of the call."""
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
    """A decorator may have replaced the function."""
    CLASS_DECORATOR = "class_decorator"
    """A decorator may have changed or replaced the class."""
    BASE = "base"
    """A base class is outside the workspace, or not known."""
    METACLASS = "metaclass"
    """A metaclass may handle the call."""
    SUBCLASS_HOOK = "subclass_hook"
    """A base changes its subclasses in `__init_subclass__`."""
    NEW = "new"
    """`__new__` may return an object that `__init__` is not called on."""
    ENUM = "enum"
    """Calling an enumeration looks members up, or makes another enumeration."""
    FIELD = "field"
    """A field is made by a call that is not followed."""
    PROPERTY = "property"
    """The value of a property is called."""
    RECEIVER = "receiver"
    """It fits on an instance and not on the class, or the other way round."""
    OVERLOADS = "overloads"
    """The function itself takes the call, but no overload does."""
    UNREADABLE = "unreadable"
    """The source of the definition could not be read."""
    VALUE = "value"
    """What is called is a value that is not followed."""


class Doubt(Struct, frozen=True):
    """Why something is not known, and its subject: a decorator, a base, a field."""

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
    """The reasons it would not fit for if the doubt changed nothing."""


Outcome = Fits | Misfit | NotKnown


class CallShape(Struct, frozen=True):
    """The arguments of a call: how many positional ones, which keywords, and whether there may be more of either."""

    positional: int = 0
    keywords: tuple[str, ...] = ()
    """A name occurs twice where `**{…}` repeats it."""
    more_positional: bool = False
    """`*args` of unknown length is among them."""
    more_keywords: bool = False
    """`**kwargs` of unknown content is among them."""


class Parameter(Struct, frozen=True):
    """A parameter, as far as binding is concerned."""

    name: str
    kind: ParamKind
    required: bool = True


class Shape(Struct, frozen=True):
    """A parameter list, and the arguments that come before the call's own: a receiver, those of a `partial`."""

    params: tuple[Parameter, ...] = ()
    given: CallShape = CallShape()


class Callee(Struct, frozen=True):
    """What a call must fit: every one of the shapes, and one of the overloads where there are any."""

    shapes: tuple[Shape, ...] = ()
    overloads: tuple[Shape, ...] = ()
    doubt: Doubt | None = None
    """Why the shapes are incomplete."""
    otherwise: Doubt = Doubt(Why.OVERLOADS)
    """Why it is not known whether a call fits that the shapes take and no overload does."""


ANYTHING = Shape((Parameter("args", ParamKind.VAR_POSITIONAL), Parameter("kwargs", ParamKind.VAR_KEYWORD)))
"""Takes every call."""


def free(shape: Shape) -> tuple[Parameter, ...]:
    """The parameters that are left to a call: without receiver, and optional where an argument is already bound."""
    before = shape.given.positional
    kept: list[Parameter] = []
    for param in shape.params:
        if before and param.kind in POSITIONAL:
            before -= 1
            continue
        required = param.required and param.name not in shape.given.keywords
        kept.append(Parameter(param.name, param.kind, required))
    return tuple(kept)


def doubtful(callee: Callee, doubt: Doubt | None) -> Callee:
    """The same callee with one more doubt; the first one wins."""
    return callee if callee.doubt or doubt is None else replace(callee, doubt=doubt)


def preceded(callee: Callee, given: CallShape) -> Callee:
    """The callee with these arguments bound before the call's own."""
    return replace(
        callee,
        shapes=tuple(_preceded(shape, given) for shape in callee.shapes),
        overloads=tuple(_preceded(shape, given) for shape in callee.overloads),
    )


def _preceded(shape: Shape, given: CallShape) -> Shape:
    return Shape(shape.params, joined(shape.given, given))


def joined(first: CallShape, second: CallShape) -> CallShape:
    """Two argument lists as one call; a keyword of the second replaces that of the first."""
    new = tuple(name for name in second.keywords if name not in first.keywords)
    return CallShape(
        first.positional + second.positional,
        first.keywords + new,
        first.more_positional or second.more_positional,
        first.more_keywords or second.more_keywords,
    )


FITS = Fits()


def bind(call: CallShape, callee: Callee) -> Outcome:
    """Whether a call fits every shape of a callee."""
    outcomes = [bind_shape(call, shape) for shape in callee.shapes]
    misfit = next((outcome for outcome in outcomes if isinstance(outcome, Misfit)), None)
    if callee.doubt is not None:
        return NotKnown(callee.doubt, misfit.reasons if misfit else ())
    if misfit is not None:
        return misfit
    open_ = next((outcome for outcome in outcomes if isinstance(outcome, NotKnown)), None)
    return open_ or _bind_overloads(call, callee)


def bind_either(call: CallShape, callees: Sequence[Callee], about: str) -> Outcome:
    """Whether a call fits when one of these callees is called, which one is not known."""
    outcomes = [bind(call, callee) for callee in callees]
    sorts = {type(outcome) for outcome in outcomes}
    if len(sorts) == 1:
        return outcomes[0]
    return next((each for each in outcomes if isinstance(each, NotKnown)), NotKnown(Doubt(Why.RECEIVER, about)))


def _bind_overloads(call: CallShape, callee: Callee) -> Outcome:
    outcomes = [bind_shape(call, shape) for shape in callee.overloads]
    if not outcomes or any(isinstance(outcome, Fits) for outcome in outcomes):
        return FITS
    open_ = next((outcome for outcome in outcomes if isinstance(outcome, NotKnown)), None)
    if open_ is not None:
        return open_
    nearest = min((each for each in outcomes if isinstance(each, Misfit)), key=_distance)
    return NotKnown(callee.otherwise, nearest.reasons) if callee.shapes else nearest


def _distance(misfit: Misfit) -> int:
    """How many arguments are wrong."""
    return sum(len(reason.names) or reason.given - reason.most for reason in misfit.reasons)


def bind_shape(call: CallShape, shape: Shape) -> Outcome:
    """Whether a call fits one parameter list.

    A `*` of unknown length may be of any, a `**` may hold any names: the call does not fit only if no length and no
    names would make it fit, and fits only if all would.
    """
    if len(set(call.keywords)) < len(call.keywords):
        repeated = [name for index, name in enumerate(call.keywords) if name in call.keywords[:index]]
        return Misfit((Reason(Fault.MULTIPLE_VALUES, tuple(dict.fromkeys(repeated))),))
    whole = joined(shape.given, call)
    takes = taken_by(shape.params)
    lengths = range(len(takes.positional) + 2 if whole.more_positional else 1)
    tried = [_reasons(shape, takes, whole, whole.positional + extra) for extra in lengths]
    if all(tried):
        return Misfit(min(tried, key=lambda reasons: _distance(Misfit(reasons))))
    if any(tried) or (whole.more_keywords and not _takes_any_keyword(shape, takes, whole)):
        return NotKnown(Doubt(Why.STARS, "*" if any(tried) else "**"))
    return FITS


def taken_by(params: Sequence[Parameter]) -> Taking:
    """What parameters take, by their index."""
    return taking([param.kind for param in params], [param.name for param in params])


def _takes_any_keyword(shape: Shape, takes: Taking, call: CallShape) -> bool:
    """Whether a `**` of unknown content fits whatever it holds: no keyword can repeat, none is required."""
    filled = takes.positional if call.more_positional else takes.positional[: call.positional]
    again = call.keywords or any(shape.params[index].kind in NAMEABLE for index in filled)
    rest = [shape.params[index] for index in takes.names.values() if index not in filled]
    return takes.double_star >= 0 and not again and not any(param.required for param in rest)


def _reasons(shape: Shape, takes: Taking, call: CallShape, count: int) -> tuple[Reason, ...]:
    """Why so many positional arguments and these keywords do not fit, in the order in which Python checks."""
    filled = by_position(takes, count)
    reasons = _keyword_reasons(shape.params, takes, filled, call.keywords)
    if len(filled) < count:
        reasons.append(_too_many(shape, takes, count))
    named = {*call.keywords}
    positional = [shape.params[index] for index in takes.positional[count:]]
    missing = [param for param in positional if _is_missing(param, named, call)]
    if missing:
        reasons.append(Reason(Fault.MISSING, tuple(param.name for param in missing)))
    only = [param for param in shape.params if param.kind == ParamKind.KEYWORD_ONLY and _is_missing(param, named, call)]
    if only:
        reasons.append(Reason(Fault.MISSING_KEYWORD, tuple(param.name for param in only)))
    return tuple(reasons)


def _keyword_reasons(
    params: Sequence[Parameter], takes: Taking, filled: Sequence[int], keywords: tuple[str, ...]
) -> list[Reason]:
    twice = tuple(name for name in keywords if takes.names.get(name) in filled)
    strange = tuple(name for name in keywords if by_name(takes, name) < 0)
    positional_only = [param.name for param in params if param.kind == ParamKind.POSITIONAL_ONLY]
    misplaced = tuple(name for name in positional_only if name in strange)
    unknown = tuple(name for name in strange if name not in positional_only)
    found = []
    if twice:
        found.append(Reason(Fault.MULTIPLE_VALUES, twice))
    if misplaced:
        found.append(Reason(Fault.POSITIONAL_ONLY, misplaced))
    if unknown:
        found.append(Reason(Fault.UNEXPECTED_KEYWORD, unknown))
    if twice and strange and keywords.index(strange[0]) < keywords.index(twice[0]):  # Python takes them as they come
        found = [*found[1:], found[0]]
    return found


def _too_many(shape: Shape, takes: Taking, count: int) -> Reason:
    """Counted as the call writes them, without arguments bound before; no receiver fits where none is taken."""
    before = min(shape.given.positional, len(takes.positional))
    most = len(takes.positional) - before
    least = sum(shape.params[index].required for index in takes.positional[before:])
    return Reason(Fault.TOO_MANY, (), least, most, count - before)


def _is_missing(param: Parameter, named: set[str], call: CallShape) -> bool:
    if not param.required or (param.kind in NAMEABLE and param.name in named):
        return False
    return param.kind == ParamKind.POSITIONAL_ONLY or not call.more_keywords
