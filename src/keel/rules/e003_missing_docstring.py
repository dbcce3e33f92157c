"""E003 missing_docstring: a public function has no docstring.

What it finds: a public function, or a public method of a public class, without a docstring. With
`docstring_format = "full"` the docstring has to name every parameter and say what is returned. Private names, special
methods, nested functions, overloads, setters and overrides of something documented are left out.

Why: people and agents that call a function read its docstring instead of its body.

    def validate(token: str) -> bool:              # E003
        return token in known

Instead:

    def validate(token: str) -> bool:
        \"\"\"Whether a token was handed out and has not expired.\"\"\"

How sure: certain, since it only looks at what is written. How strict it is depends on the configuration: `docstrings`
for functions that are new or changed since base (an error by default), `docstrings_existing` for unchanged ones (a
warning by default).

When it is wrong: functions that are public by name only, such as tests. Set `docstrings` for the path in
`[enforcement.overrides]`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

from keel import config
from keel.model.findings import ERROR, Finding
from keel.model.record import Field
from keel.ports.rule import Case
from keel.rules._graded import graded

CODE = "E003"
CATEGORY = "missing_docstring"
SEVERITY = ERROR
KEY, FORMAT, FULL = "docstrings", "docstring_format", "full"
KEYS = {
    KEY: Field("Docstrings missing in new or changed code.", config.ERROR, config.GRADED),
    f"{KEY}_existing": Field("Docstrings missing in code that is as it was.", config.WARNING, config.GRADED),
    FORMAT: Field(
        "How much a docstring has to say: a first line, or parameters and returns too.",
        "first_line",
        ("first_line", FULL),
    ),
}
IS_DEFERRABLE = True
IS_OF_NOW = True


def check(case: Case) -> Iterator[Finding]:
    """Public functions whose docstring is missing or incomplete."""
    for function in case.functions:
        lacking = function.undocumented(full=case.grade(FORMAT, function.path) == FULL)
        if lacking:
            subject = function.subject
            doc = subject.syntax.doc_comment
            todo = f"Add a {doc} to" if lacking == f"no {doc}" else f"Complete the {doc} of"
            yield from graded(
                sys.modules[__name__],
                KEY,
                case,
                subject,
                f"Public {subject.kind} '{subject.qualified_name}' has {lacking}.",
                f"{todo} public {subject.kind} '{subject.name}'",
            )
