"""E003 missing_docstring: a public function has no docstring.

What it finds: a public function, or a public method of a public class, without a docstring. With
`docstring_format = "full"` the docstring has to name every parameter and say what is returned. Private names, special
methods, nested functions, overloads, setters and overrides of something documented are left out.

Why: those who call it, people and agents, read the docstring instead of the body.

    def validate(token: str) -> bool:              # E003
        return token in known

Instead:

    def validate(token: str) -> bool:
        \"\"\"Whether a token was handed out and has not expired.\"\"\"

How strict: `docstrings` for functions that are new or changed since base (an error, unless configured otherwise),
`docstrings_existing` for those that are as they were (a warning).

When it is wrong: public by name only, such as test functions. Set `docstrings` for the path in
`[enforcement.overrides]`.
"""

from __future__ import annotations

from collections.abc import Iterator

from keel.model.findings import ERROR, Finding
from keel.ports.rule import Case
from keel.rules._graded import graded

CODE = "E003"
CATEGORY = "missing_docstring"
SEVERITY = ERROR
KEY = "docstrings"


def check(case: Case) -> Iterator[Finding]:
    """Public functions whose docstring lacks something."""
    for function in case.functions:
        if function.undocumented:
            subject = function.subject
            doc = subject.syntax.doc_comment
            todo = f"Add a {doc} to" if function.undocumented == f"no {doc}" else f"Complete the {doc} of"
            yield from graded(
                (CODE, CATEGORY, KEY),
                case,
                subject,
                f"Public {subject.kind} '{subject.qualified_name}' has {function.undocumented}.",
                f"{todo} public {subject.kind} '{subject.name}'",
            )
