"""E004 function_removed: something is gone that others still refer to.

What it finds: a function, method, class, constant or field that base has and the tree now has not, removed or renamed,
and every reference to it that resolved then and does not now: calls, imports, base classes, decorators, annotations,
reads. When a whole file is gone, the finding is about its module. Likewise references to what is still there, but no
longer found where it was: a module has stopped importing it, a class has stopped inheriting it; and every use of a name
that a file has stopped importing, from wherever, and still says.

Why: each of these fails on the line it stands on, with an ImportError, NameError or AttributeError.

    # helpers.py: def load(path): ...   is gone
    from helpers import load            # E004

Instead: update the references, or bring the name back. When a new definition has the same body, the hint names it as
what the old one has become. A name that is re-exported from where it was is no finding.

How sure: an error where the name is certainly not there any more. It is a warning where it may still be found: a class
with a base outside the workspace, a module that has a `__getattr__` or that an installed package may provide, an import
that the source is prepared to do without (inside a `try`), a field that edited code sets on something else, a member
that a class has stopped inheriting but that its subclasses may have, an edge below 0.7.

When it is wrong: a name that is put in place at run time. Suppress it by configuration, with the reason.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence

from keel.model.findings import ERROR, Finding
from keel.model.text.wording import counted
from keel.ports.rule import MODULE, Break, Case, How, Subject
from keel.rules._places import affected, findings, places, title

CODE = "E004"
CATEGORY = "function_removed"
SEVERITY = ERROR
IS_BREAKING = True
IS_OF_BASE = True


def check(case: Case) -> Iterator[Finding]:
    """References to what is gone, and to what is no longer found where it was."""
    yield from findings(sys.modules[__name__], (each for each in case.breaks if each.how is How.GONE), _format_message)
    yield from findings(
        sys.modules[__name__], (each for each in case.breaks if each.how is How.LOST), _format_unresolved
    )


def _format_message(subject: Subject, group: Sequence[Break]) -> tuple[str, str]:
    count = len(affected(group))
    successor = group[0].successor
    became = f" (it is likely {successor} now)" if successor else ""
    message = f"{title(subject)} was removed but is still used in {counted(count, 'place')}{became}."
    if not successor:
        return message, f"Restore '{subject.name}' or update {counted(count, 'reference')}: {places(group)}"
    return message, f"Use {successor} instead of '{subject.name}' in {counted(count, 'place')}: {places(group)}"


def _format_unresolved(subject: Subject, group: Sequence[Break]) -> tuple[str, str]:
    count = len(affected(group))
    names = ", ".join(f"'{name}'" for name in sorted({each.name for each in group}))
    way = "imports" if subject.kind == MODULE else "inherits"
    message = f"{title(subject)} no longer {way} {names}, still used by way of it in {counted(count, 'place')}."
    return message, f"Bring it back, or update {counted(count, 'reference')}: {places(group)}"
