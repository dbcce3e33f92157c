"""Names that a file bound and does not bind any more: to say one of them is a NameError.

Who says them, and what they meant, is left to enforcement.
"""

from __future__ import annotations

from collections.abc import Set

from keel.languages.python.facts import Interface
from keel.languages.python.resolve.link import NAMES_OF_PYTHON
from keel.model.expressions import Call, Index, Name
from keel.model.facts import MODULE_DEF, STAR

SPACES = frozenset(("globals", "locals", "vars"))
UNSEEN = SPACES | {"exec"}
"""What a file may bind names with that nobody sees."""
FILLING = frozenset((".update", ".setdefault", "exec"))
"""What of it does so; the rest may only read."""


def unbound(before: Interface, after: Interface) -> Set[str]:
    """Such names; none where the file may have them in a way that is not seen."""
    found = _bound(before) | {before.imported_as(item) for item in before.imports}
    found = {name for name in found - _bound(after) if not is_there(name)}
    if not found or after.gaps or any(item.flags & STAR for item in after.imports) or _binds_unseen(before, after):
        return frozenset()
    return found


def _binds_unseen(before: Interface, after: Interface) -> bool:
    """Whether a file may bind names by filling what holds them; a new way to reach that may be meant to."""
    words = set(after.strings)
    ways = UNSEEN & words
    return bool(ways) and (not ways <= set(before.strings) or bool(FILLING & words) or _is_filled(after))


def _is_filled(interface: Interface) -> bool:
    """Whether something is set by its key in what holds the names: `globals()[name] = value`."""
    targets = [interface.expression(each.target) for each in interface.assigns if each.target >= 0]
    owners = [each.value for each in targets if isinstance(each, Index)]
    called = [each.function for each in owners if isinstance(each, Call)]
    return any(isinstance(each, Name) and each.text in SPACES for each in called)


def is_there(name: str) -> bool:
    """Whether a name is there without being bound."""
    return name in NAMES_OF_PYTHON or name.startswith("__")


def _bound(interface: Interface) -> set[str]:
    """The names that a module binds at its top."""
    return {interface.strings[each.name] for each in interface.bindings if each.scope == MODULE_DEF and each.sites}
