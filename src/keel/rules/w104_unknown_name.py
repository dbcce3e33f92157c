"""W104 unknown_name: edited code uses an undefined name.

What it finds: a name in a changed file that the file neither defines nor imports, or an import of a name that the
module does not have: mistyped, forgotten, or left behind by a rename. Each name is reported once per function. Names
that were undefined in base already, and those that a finding about a removed definition reports, are left out.

Why: it raises as soon as it runs.

    def total(items):
        return sum(itmes)               # W104: nothing in this file defines or imports 'itmes'

Instead: correct the name, or define or import it.

How sure: a warning, since a name may be created at run time. Names that a star import may bring, built-in ones, and
code that handles their absence are no findings.

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
    """Names that nothing defines."""
    for each in case.unknown_names:
        verb = "imports" if each.is_import else "uses"
        where = "which does not exist" if each.is_import else "which nothing in this file defines or imports"
        yield finding_at(
            sys.modules[__name__],
            f"'{each.around}' {verb} '{each.name}', {where}.",
            f"Correct '{each.name}', or define or import it",
            each.file,
            each.line,
            each.root,
            each.around,
        )
