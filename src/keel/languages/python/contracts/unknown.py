"""Names that mean nothing: nothing in their file binds them, or the module they are imported from does not have them.

Only what the source alone decides is said. Where a star import, `globals()` or `exec` may bind anything, nothing is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from keel.languages.python.resolve.link import NAMES_OF_PYTHON
from keel.model.facts import CONDITIONAL, IMPORTED, STAR, UNBOUND, Reference
from keel.model.kinds import RefKind

if TYPE_CHECKING:
    from keel.languages.python.binding.names import Names

BINDING = frozenset(("globals", "vars", "exec", "setattr"))
"""What may bind names of a module that its text does not show."""


def unknown_names(names: Names, file: int, references: Iterable[Reference]) -> Iterator[tuple[Reference, str]]:
    """The references that certainly find nothing, with the name that is not there."""
    interface = names.interface(file)
    if interface.gaps:
        return
    some = list(references)
    is_open = any(each.flags & STAR for each in interface.imports)
    is_open = is_open or any(one.root == UNBOUND and interface.text(one.text) in BINDING for one in some)
    for one in some:
        if one.root == IMPORTED:
            item = interface.imports[one.value]
            found = names.asked(file, item) if not item.flags & (CONDITIONAL | STAR) else None
            if found is not None and names.is_unfound(file, item) and not names.maker(found):
                yield one, interface.text(item.name)
        elif one.root == UNBOUND and one.kind != RefKind.TYPE and not is_open:  # an annotation may be any text
            first = interface.text(one.text).partition(".")[0]
            if first.isidentifier() and first not in NAMES_OF_PYTHON and not first.startswith("__"):
                yield one, first
