"""Decorators of a function as they are written, without their arguments: `app.get`, `functools.cache`.

What a decorator does is left to the languages; here only its name counts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from keel.model.expressions import Call, Member, Name, Value
from keel.model.text.topics import name_topics
from keel.model.text.words import stem

if TYPE_CHECKING:
    from collections.abc import Iterable

    from keel.model.facts import Def, Interface

REGISTERING = frozenset(
    stem(word)
    for word in (
        *(
            "command",
            "delete",
            "filter",
            "fixture",
            "get",
            "handler",
            "head",
            "hook",
            "hookimpl",
            "listener",
            "listens",
        ),
        *("options", "patch", "post", "put", "receiver", "register", "route", "signal", "tag", "task", "websocket"),
    )
)
"""Words of decorators that register a function with a framework, which calls it."""


def decorators_of(interface: Interface, definition: Def) -> list[str]:
    """The names of its decorators; empty for one that is not a name."""
    return [_name(interface.expression(decorator)) for decorator in definition.decorators]


def is_registering(decorators: Iterable[str]) -> bool:
    """Whether one of some decorators registers a function with a framework: `app.get`, `register.tag`."""
    return any(not REGISTERING.isdisjoint(name_topics(name)) for name in decorators)


def _name(value: Value) -> str:
    match value:
        case Name(text):
            return text
        case Member(owner, name):
            return f"{_name(owner)}.{name}"
        case Call(function):
            return _name(function)
        case _:
            return ""
