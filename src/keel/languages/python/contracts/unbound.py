"""Unbound names: those a file no longer binds, those nothing binds, and imports of names that do not exist.

Only what the source alone decides is reported. Where a star import, `globals()` or `exec` may bind any name, none is.
Who uses such a name, and what it meant, is left to enforcement.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set
from typing import TYPE_CHECKING

from keel.languages.python.facts import IMPORTED, UNBOUND, Interface
from keel.languages.python.standard_library import NAMES_OF_PYTHON
from keel.model.expressions import Call, Index, Name
from keel.model.facts import CONDITIONAL, MODULE_DEF, STAR, Reference
from keel.model.kinds import RefKind

if TYPE_CHECKING:
    from keel.languages.python.binding.names import Names


SPACES = frozenset(("globals", "locals", "vars"))
UNSEEN = SPACES | {"exec"}
"""What may bind names of a file without a binding in its source."""
FILLING = frozenset((".update", ".setdefault", "exec"))
"""Those that always bind; the others may only read."""


def unbound(before: Interface, after: Interface) -> Set[str]:
    """Such names; none where the file may bind them dynamically."""
    found = _bound(before) | {before.imported_as(item) for item in before.imports}
    found = {name for name in found - _bound(after) if not is_there(name)}
    if not found or after.gaps or any(item.flags & STAR for item in after.imports) or _binds_unseen(before, after):
        return frozenset()
    return found


def _binds_unseen(before: Interface, after: Interface) -> bool:
    """Whether a file may bind names by writing to its namespace; a new way to reach that may be meant to."""
    words = set(after.strings)
    ways = UNSEEN & words
    return bool(ways) and (not ways <= set(before.strings) or bool(FILLING & words) or _is_filled(after))


def _is_filled(interface: Interface) -> bool:
    """Whether a key of the namespace is set: `globals()[name] = value`."""
    targets = [interface.expression(each.target) for each in interface.assigns if each.target >= 0]
    owners = [each.value for each in targets if isinstance(each, Index)]
    called = [each.function for each in owners if isinstance(each, Call)]
    return any(isinstance(each, Name) and each.text in SPACES for each in called)


def is_there(name: str) -> bool:
    """Whether a name exists without being bound."""
    return name in NAMES_OF_PYTHON or name.startswith("__")


def _bound(interface: Interface) -> set[str]:
    """The names that a module binds at its top."""
    return {interface.strings[each.name] for each in interface.bindings if each.scope == MODULE_DEF and each.sites}


def unknown_names(names: Names, file: int, references: Iterable[Reference]) -> Iterator[tuple[Reference, str]]:
    """The references that certainly do not resolve, with the name that does not exist."""
    interface = names.interface(file)
    if interface.gaps:
        return
    is_open = any(each.flags & STAR for each in interface.imports) or not UNSEEN.isdisjoint(interface.strings)
    for one in references:
        if one.root == IMPORTED:
            item = interface.imports[one.value]
            asked = names.asked(file, item) if not item.flags & (CONDITIONAL | STAR) else None
            if asked is not None and names.is_unfound(file, asked) and not names.maker(asked.module):
                yield one, interface.text(item.name)
        elif one.root == UNBOUND and one.kind != RefKind.TYPE and not is_open:  # an annotation may be any text
            first = interface.text(one.text).partition(".")[0]
            if first.isidentifier() and not is_there(first):
                yield one, first
