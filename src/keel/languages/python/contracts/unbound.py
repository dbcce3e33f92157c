"""Names that a file bound and does not bind any more: to say one of them is a NameError.

Who says them, and what they meant, is left to enforcement.
"""

from __future__ import annotations

import builtins
from collections.abc import Set

from keel.model.facts import STAR, Import, Interface

MODULE = 1
IMPLICIT = ("__file__", "__path__", "__annotations__", "__class__", "__module__", "__qualname__")
THERE = frozenset((*dir(builtins), *IMPLICIT))
"""Names that are there without being bound."""
UNSEEN = frozenset(("exec", "globals", "locals", "vars"))
"""What a file may bind names with that nobody sees."""


def unbound(before: Interface, after: Interface) -> Set[str]:
    """Such names; none where the file may have them in a way that is not seen."""
    found = _bound(before) | {imported_as(before, item) for item in before.imports}
    found -= _bound(after) | THERE
    if not found or after.gaps or any(item.flags & STAR for item in after.imports) or UNSEEN & set(after.strings):
        return frozenset()
    return found


def imported_as(interface: Interface, item: Import) -> str:
    """What an import calls what it brings."""
    return interface.text(item.alias) or interface.text(item.name) or interface.text(item.module).partition(".")[0]


def _bound(interface: Interface) -> set[str]:
    """The names that a module binds at its top."""
    return {interface.strings[each.name] for each in interface.bindings if each.scope == MODULE and each.sites}
