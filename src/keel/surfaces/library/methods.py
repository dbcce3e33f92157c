"""A command as a method: its signature, and how arguments become the parameters of its operation.

Positional parameters of the command come first, a list of them as further arguments; all others are given by name.
Which commands exist is left to the registry, running one to `workspace.py`.
"""

from __future__ import annotations

from inspect import Parameter, Signature
from typing import TYPE_CHECKING, Any

from keel.model.record import MISSING, Field, fields_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from keel.ports.operation import Operation

SEVERAL = "tuple["


def name_of(verb: str) -> str:
    """The name of a verb's method: `tools_list` for `tools list`."""
    return verb.replace(" ", "_").replace("-", "_")


def method_of(verb: str, operation: Operation, ask: Callable[..., Any]) -> Callable[..., Any]:
    """A function that takes what the verb takes, and asks it."""
    signature = signature_of(operation)

    def method(*given: Any, **named: Any) -> Any:
        bound = signature.bind(*given, **named)
        return ask(verb, **bound.arguments)

    method.__name__ = method.__qualname__ = name_of(verb)
    method.__doc__ = (operation.__doc__ or "").strip().partition("\n")[0]
    method.__signature__ = signature  # type: ignore[attr-defined]  # `inspect` looks for it
    return method


def signature_of(operation: Operation) -> Signature:
    """What a verb takes; parameters that are for people at a terminal are left out."""
    aside = getattr(operation.Params, "AT_TERMINAL", ())
    fields = {name: said for name, said in fields_of(operation.Params).items() if name not in aside}
    first = [_parameter(name, said) for name, said in fields.items() if said.positional]
    named = [_parameter(name, said) for name, said in fields.items() if not said.positional]
    return Signature([*_required_first(first), *named])


def _parameter(name: str, said: Field) -> Parameter:
    default = Parameter.empty if said.default is MISSING else said.default
    if not said.positional:
        return Parameter(name, Parameter.KEYWORD_ONLY, default=default, annotation=said.type)
    if said.type.startswith(SEVERAL):
        return Parameter(name, Parameter.VAR_POSITIONAL, annotation=said.type)
    return Parameter(name, Parameter.POSITIONAL_OR_KEYWORD, default=default, annotation=said.type)


def _required_first(parameters: Iterable[Parameter]) -> list[Parameter]:
    """In the order that signatures have: what must be given, what may be, and what takes the rest."""
    return sorted(parameters, key=lambda one: (one.kind, one.default is not Parameter.empty))
