"""W104 unknown_name: edited code uses a name that nothing provides.

What it finds: a name in a file that differs from base that nothing in the file defines or imports, or an import of a
name that the module does not have: mistyped, forgotten, or left behind by a renaming. Each is told once for a function.
What was unknown in base already, and what a finding about something removed tells of, is left out.

Why: it raises as soon as it runs.

    def total(items):
        return sum(itmes)               # W104: nothing in this file defines or imports 'itmes'

Instead: correct the name, or define or import it.

How sure: a warning, since a name may be put in place at run time. Names that a star import may bring, built-in ones,
and code that is prepared for their absence are no findings.

When it is wrong: names that a framework puts into a module. Suppress it in `[suppress]`, with the reason.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

from keel.model.findings import WARNING, Finding
from keel.ports.rule import Case, finding_at

CODE = "W104"
CATEGORY = "unknown_name"
SEVERITY = WARNING


def check(case: Case) -> Iterator[Finding]:
    """Names that are not there."""
    for each in case.unknown_names:
        verb = "imports" if each.is_import else "uses"
        where = "which is not there" if each.is_import else "which nothing in this file defines or imports"
        yield finding_at(
            sys.modules[__name__],
            f"'{each.around}' {verb} '{each.name}', {where}.",
            f"Correct '{each.name}', or define or import it",
            each.file,
            each.line,
            each.root,
            each.around,
        )
