"""Conventions of functions: annotations of parameters and result, and a docstring if the function is public.

Where they are required, and how strictly, is left to rules and configuration.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from keel.languages.python.facts import Def, Interface
from keel.model.facts import ABSTRACT, ACCESSOR, MODULE_DEF, NOTHING, OVERLOAD, STATIC, STUB, Signature
from keel.model.kinds import NodeKind, ParamKind, Visibility

FUNCTIONS = (NodeKind.FUNCTION, NodeKind.METHOD)
STARS = {ParamKind.VAR_POSITIONAL: "*", ParamKind.VAR_KEYWORD: "**"}
POSITIONAL = (ParamKind.POSITIONAL_ONLY, ParamKind.POSITIONAL_OR_KEYWORD)
LAMBDA = "<lambda>"
_returns = re.compile(r"\b(?:returns?|yields?)\b\s*:?", re.IGNORECASE).search


class PythonConventions:
    """The Conventions socket for Python."""

    def __init__(self) -> None:
        self._overloaded: tuple[Interface | None, frozenset[int]] = (None, frozenset())
        """The file that was asked about last, and its names with overloads."""

    def untyped(self, interface: Interface, ordinal: int) -> tuple[Sequence[str], bool] | None:
        """Parameters without annotation, and whether the result has none."""
        known, names = self._overloaded
        if known is not interface:  # functions are asked about file by file
            names = overloaded(interface)
            self._overloaded = interface, names
        return untyped(interface, ordinal, names)

    def undocumented(self, interface: Interface, ordinal: int, full: bool) -> str | None:
        """What the docstring of a public function lacks."""
        return undocumented(interface, ordinal, full)


def untyped(interface: Interface, ordinal: int, overloaded: Collection[int]) -> tuple[list[str], bool] | None:
    """Parameters without annotation, and whether the result has none; None for what is no function of its own.

    `overloaded` are the names with overloads: the implementation behind them needs no types, since those have them.
    """
    definition = interface.defs[ordinal]
    signature = definition.signature
    if not is_function(interface, definition) or signature is None:
        return None
    if definition.qualified_name in overloaded and not definition.flags & OVERLOAD:
        return None
    names = [
        STARS.get(param.kind, "") + interface.text(param.name)
        for param in signature.params[_receivers(definition, signature) :]
        if param.annotation == NOTHING
    ]
    return names, signature.returns == NOTHING


def undocumented(interface: Interface, ordinal: int, full: bool) -> str | None:
    """What the docstring of a public function lacks."""
    definition = interface.defs[ordinal]
    if not is_function(interface, definition) or not _is_public(interface, ordinal):
        return None
    if definition.flags & (OVERLOAD | ACCESSOR | STUB):
        return None
    doc = interface.text(definition.doc).strip()
    if not doc:
        return "no docstring"
    return (_incomplete(interface, definition, doc) or None) if full else None


def is_function(interface: Interface, definition: Def) -> bool:
    """Whether a definition is a function or method with a name."""
    return definition.kind in FUNCTIONS and interface.text(definition.name) != LAMBDA


def overloaded(interface: Interface) -> frozenset[int]:
    """The qualified names, by index, of which there are overloads."""
    return frozenset(each.qualified_name for each in interface.defs if each.flags & OVERLOAD)


def _receivers(definition: Def, signature: Signature) -> int:
    """How many leading parameters Python itself binds."""
    is_method = definition.kind == NodeKind.METHOD and not definition.flags & STATIC
    return int(is_method and bool(signature.params) and signature.params[0].kind in POSITIONAL)


def _is_public(interface: Interface, ordinal: int) -> bool:
    """Whether others may call it: neither it nor a definition around it is private, special or inside a function."""
    if interface.text(interface.defs[ordinal].name).startswith("_"):
        return False
    while ordinal > MODULE_DEF:
        definition = interface.defs[ordinal]
        if definition.visibility != Visibility.PUBLIC:
            return False
        ordinal = definition.parent
        if interface.defs[ordinal].kind in FUNCTIONS:
            return False
    return True


def _incomplete(interface: Interface, definition: Def, doc: str) -> str:
    """What a docstring that must be full does not describe."""
    signature = definition.signature
    if signature is None:
        return ""
    params = [interface.text(param.name) for param in signature.params[_receivers(definition, signature) :]]
    missing = [name for name in params if not re.search(rf"\b{re.escape(name)}\b", doc)]
    returns = interface.text(signature.returns)
    lacks = [f"parameters {', '.join(missing)}"] if missing else []
    if returns not in ("", "None", "NoReturn", "Never") and not _returns(doc) and not definition.flags & ABSTRACT:
        lacks.append("what it returns")
    return f"a docstring that does not describe {' and '.join(lacks)}" if lacks else ""
