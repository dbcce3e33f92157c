"""Names that mean nothing: nothing in their file binds them, or the module they are imported from does not have them.

Only what the source alone decides is said. Where a star import, `globals()` or `exec` may bind anything, nothing is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from keel.languages.python.contracts.unbound import UNSEEN, is_there
from keel.languages.python.facts import IMPORTED, UNBOUND
from keel.model.facts import CONDITIONAL, STAR, Reference
from keel.model.kinds import RefKind

if TYPE_CHECKING:
    from keel.languages.python.binding.names import Names


def unknown_names(names: Names, file: int, references: Iterable[Reference]) -> Iterator[tuple[Reference, str]]:
    """The references that certainly find nothing, with the name that is not there."""
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
