"""Names that a file bound and does not bind any more: to say one of them is a NameError.

Who says them, and what they meant, is left to enforcement.
"""

from __future__ import annotations

from collections.abc import Set

from keel.languages.python.resolve.link import NAMES_OF_PYTHON
from keel.model.facts import STAR, Import, Interface

MODULE = 1
UNSEEN = frozenset(("exec", "globals", "locals", "vars"))
"""What a file may bind names with that nobody sees."""


def unbound(before: Interface, after: Interface) -> Set[str]:
    """Such names; none where the file may have them in a way that is not seen."""
    found = _bound(before) | {imported_as(before, item) for item in before.imports}
    found = {name for name in found - _bound(after) if not is_there(name)}
    if not found or after.gaps or any(item.flags & STAR for item in after.imports) or UNSEEN & set(after.strings):
        return frozenset()
    return found


def is_there(name: str) -> bool:
    """Whether a name is there without being bound."""
    return name in NAMES_OF_PYTHON or name.startswith("__")


def imported_as(interface: Interface, item: Import) -> str:
    """What an import calls what it brings."""
    return interface.text(item.alias) or interface.text(item.name) or interface.text(item.module).partition(".")[0]


def _bound(interface: Interface) -> set[str]:
    """The names that a module binds at its top."""
    return {interface.strings[each.name] for each in interface.bindings if each.scope == MODULE and each.sites}
