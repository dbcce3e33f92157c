"""Every command as a method, looked up in the registry on first use.

Type checkers and editors read `verbs.pyi`, which `make docs` writes. Running a command is left to `workspace.py`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from keel import registry
from keel.surfaces.library.methods import method_of, name_of

if TYPE_CHECKING:
    from collections.abc import Callable


class Verbs:
    """What can be asked of a workspace. Each method is a command, takes what it takes, and answers the same."""

    def ask(self, verb: str, **given: object) -> Any:
        """The answer of a verb that is named."""
        raise NotImplementedError

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if not name.startswith("_"):
            for verb in registry.names(registry.OPERATIONS):
                operation = registry.operation(verb) if name_of(verb) == name else None
                if operation is not None:
                    return method_of(verb, operation, self.ask)
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *map(name_of, registry.names(registry.OPERATIONS))})
