"""Commands: finds them by name and lists them by group.

A command is an operation, or one of the command line's own in `own/`. Its module may set `GROUP`, its heading in the
help. Running one is left to `main.py`.
"""

from __future__ import annotations

import os
from importlib import import_module

from keel import registry
from keel.errors import UsageError, brief

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from keel.ports.operation import Operation

OTHERS = "others"


def command(verb: str) -> Operation:
    """The command of that name."""
    found = registry.operation(verb) or own(verb)
    if found is None:
        from keel.surfaces.cli.arguments import did_you_mean

        hint = did_you_mean(verb, names()) or "`keel --help` lists them"
        raise UsageError(f"unknown command '{brief(verb)}'", hint)
    return found


def own(verb: str) -> Any:
    """One of the command line's own commands, or None."""
    return import_module(f"keel.surfaces.cli.own.{verb}") if verb in _own_names() else None


def names() -> list[str]:
    """All commands by name."""
    return sorted([*registry.names(registry.OPERATIONS), *_own_names()])


def groups() -> dict[str, list[tuple[str, str]]]:
    """All commands by group, each with the first line of its docstring; those without a group come last."""
    found: dict[str, list[tuple[str, str]]] = {}
    for verb, module in _modules():
        found.setdefault(getattr(module, "GROUP", OTHERS), []).append((verb, summary(module)))
    return dict(sorted(found.items(), key=lambda item: (item[0] == OTHERS, item[0])))


def summary(module: object) -> str:
    """What a command does, in a line."""
    return (module.__doc__ or "").strip().partition("\n")[0]


def _modules() -> Iterator[tuple[str, object]]:
    for verb in names():
        try:
            yield verb, command(verb)
        except Exception as error:  # a broken plugin must not hide the other commands
            yield verb, _Broken(error)


class _Broken:
    """A placeholder for a command that cannot be loaded."""

    def __init__(self, error: Exception) -> None:
        self.__doc__ = f"(cannot be loaded: {type(error).__name__}: {error})"


def _own_names() -> list[str]:
    folder = os.path.join(os.path.dirname(__file__), "own")
    return [name.removesuffix(".py") for name in os.listdir(folder) if name.endswith(".py") and name[0] != "_"]
