"""E004 function_removed: a definition was removed that other code still refers to.

What it finds: a function, method, class, constant or field that exists in base and no longer exists, removed or
renamed, and every reference to it that resolved in base and no longer does: calls, imports, base classes, decorators,
annotations, reads. When a whole file was removed, the finding is about its module. It also finds references to
definitions that still exist but are no longer reachable by that path (a module has stopped importing the name, a class
has stopped inheriting it), and every use of a name that a file has stopped importing.

Why: each of these lines fails when it runs, with an ImportError, NameError or AttributeError.

    # helpers.py: def load(path): ...   was removed
    from helpers import load            # E004

Instead: update the references, or restore the name. When a new definition has the same body, the hint names it as the
likely successor. A name that is re-exported from its old module is no finding.

How sure: an error where the name certainly no longer exists. It is a warning where it may still resolve: a class with a
base outside the workspace, a module that has a `__getattr__` or that an installed package may provide, an import inside
a `try`, a field that edited code sets on another object, a member that a class no longer inherits but that its
subclasses may have, an edge below 0.7.

When it is wrong: a name that is created at run time. Suppress it in the configuration, with the reason.
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
    """References to removed definitions, and to definitions that are no longer reachable by that path."""
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
