"""The standard library, as far as it is known: the effect of its decorators and its base classes.

The only list of them: the extractor takes from it what a decorator says about a function, resolution which decorators
return their argument, binding which leave the parameters alone. What functions do with their arguments when they are
called is left to `resolve/evaluate/builtin_functions.py`.
"""

from __future__ import annotations

import builtins
from collections.abc import Iterable
from functools import reduce
from operator import or_

from msgspec import Struct

from keel.model.facts import ABSTRACT, ACCESSOR, CLASSMETHOD, OVERLOAD, PROPERTY, STATIC

BUILTINS = frozenset(dir(builtins))
NAMES_OF_PYTHON = BUILTINS | {
    *("reveal_type", "reveal_locals", "WindowsError", "__file__", "__path__"),
    *("PythonFinalizationError", "frozendict"),  # of newer Pythons than the one that keel may run on
}
"""Names that exist without being bound."""
TYPING = ("typing", "typing_extensions")


def last_names(dotted: Iterable[str]) -> frozenset[str]:
    """Dotted names without what is before their last dot."""
    return frozenset(name.rpartition(".")[2] for name in dotted)


def _of_typing(*names: str) -> frozenset[str]:
    return frozenset(f"{module}.{name}" for module in TYPING for name in names)


class Decorator(Struct, frozen=True):
    """What a decorator does."""

    says: int = 0
    """Flags of a definition that it decorates."""
    keeps_call: bool = True
    """Whether it leaves the parameters of a function or class alone."""
    returns_function: bool = False
    """Whether its result is followed as the function or class that it decorates."""


_SILENT = Decorator()
_FOLLOWED = Decorator(returns_function=True)
DECORATORS = {
    "abc.abstractclassmethod": _SILENT,
    "abc.abstractmethod": Decorator(ABSTRACT, returns_function=True),
    "abc.abstractproperty": Decorator(PROPERTY | ABSTRACT),
    "abc.abstractstaticmethod": _SILENT,
    "atexit.register": _SILENT,
    "builtins.classmethod": Decorator(CLASSMETHOD, returns_function=True),
    "builtins.property": Decorator(PROPERTY),
    "builtins.staticmethod": Decorator(STATIC, returns_function=True),
    "contextlib.asynccontextmanager": _FOLLOWED,
    "contextlib.contextmanager": _FOLLOWED,
    "enum.member": _SILENT,
    "enum.nonmember": _SILENT,
    "enum.property": Decorator(PROPERTY),
    "enum.unique": _SILENT,
    "functools.cache": _FOLLOWED,
    "functools.cached_property": Decorator(PROPERTY, returns_function=True),
    "functools.lru_cache": _FOLLOWED,
    "functools.singledispatch": Decorator(keeps_call=False, returns_function=True),
    "functools.total_ordering": _FOLLOWED,
    "functools.wraps": _SILENT,
    "types.coroutine": _SILENT,
    "warnings.deprecated": _SILENT,
    **dict.fromkeys(_of_typing("overload"), Decorator(OVERLOAD)),
    **dict.fromkeys(_of_typing("dataclass_transform", "deprecated", "final", "no_type_check", "override"), _SILENT),
    **dict.fromkeys(_of_typing("runtime_checkable", "type_check_only"), _SILENT),
}
KEEP_CALL = frozenset(name for name, each in DECORATORS.items() if each.keeps_call)
RETURN_FUNCTION = frozenset(name for name, each in DECORATORS.items() if each.returns_function)
ACCESSORS = {"setter": ACCESSOR, "deleter": ACCESSOR, "getter": PROPERTY}
"""The decorators that a property itself provides: `@x.setter`."""
FLAGS_BY_NAME = {name.rpartition(".")[2]: each.says for name, each in DECORATORS.items() if each.says} | ACCESSORS
"""What the last name of a decorator says about a function."""
DECORATED = reduce(or_, (each.says for each in DECORATORS.values()))
"""All flags that known decorators set."""
DATACLASS = "dataclasses.dataclass"
"""The class decorator that makes a constructor."""

CLASS_METHODS = frozenset(("__init_subclass__", "__class_getitem__"))
STATIC_METHODS = frozenset(("__new__",))
"""Methods that are class or static methods without a decorator."""

PROTOCOLS = _of_typing("Protocol")
SILENT_BASES = frozenset(("builtins.object", "abc.ABC")) | _of_typing("Generic") | PROTOCOLS
"""Bases that have no constructor and no attributes of their own."""
PLAIN_METACLASSES = frozenset(("abc.ABCMeta", "builtins.type"))
NAMED_TUPLES = _of_typing("NamedTuple")
TYPED_DICTS = _of_typing("TypedDict")
ENUMS = frozenset(f"enum.{name}" for name in ("Enum", "IntEnum", "StrEnum", "Flag", "IntFlag", "ReprEnum"))
CASTS = _of_typing("cast")
