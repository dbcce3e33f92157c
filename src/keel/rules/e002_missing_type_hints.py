"""E002 missing_type_hints: a function has parameters or a result without a type annotation.

What it finds: every parameter of a function or method without an annotation, `*args` and `**kwargs` included, and a
missing return annotation. The receiver (`self`, `cls`), lambdas and the implementation behind overloads are left out.

Why: neither keel nor a type checker can check a signature without types, and callers have to guess them.

    def process(data): ...                                        # E002: 'data' and the return type

Instead:

    def process(data: dict[str, Any]) -> Result: ...

How sure: certain, since it only looks at what is written. How strict it is depends on the configuration: `type_hints`
for functions that are new or changed since base (an error by default), `type_hints_existing` for unchanged ones (a
warning by default).

When it is wrong: code whose types cannot be written down. Set `type_hints` for the path to "warning" or "off" in
`[enforcement.overrides]`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence

from keel import config
from keel.model.findings import ERROR, Finding
from keel.model.record import Field
from keel.ports.rule import Case
from keel.rules._graded import graded
from keel.rules._places import title

CODE = "E002"
CATEGORY = "missing_type_hints"
SEVERITY = ERROR
KEY = "type_hints"
KEYS = {
    KEY: Field("Annotations missing in new or changed code.", config.ERROR, config.GRADED),
    f"{KEY}_existing": Field("Annotations missing in code that is as it was.", config.WARNING, config.GRADED),
}
IS_DEFERRABLE = True
IS_OF_NOW = True


def check(case: Case) -> Iterator[Finding]:
    """Functions with missing annotations."""
    for function in case.functions:
        names, is_result = function.untyped()
        if names or is_result:
            what = _what(names, is_result)
            verb = "are" if len(names) + is_result > 1 else "is"
            subject = function.subject
            yield from graded(
                sys.modules[__name__],
                KEY,
                case,
                subject,
                f"{title(subject)} missing type annotations. {what} {verb} untyped.",
                f"Add type annotations to {_lower(what)} for {subject.kind} '{subject.name}'",
            )


def _what(untyped: Sequence[str], is_result: bool) -> str:
    """`Parameters 'a', 'b' and return type`."""
    names = ", ".join(f"'{name}'" for name in untyped)
    if not names:
        return "Return type"
    noun = "Parameter" if len(untyped) == 1 else "Parameters"
    return f"{noun} {names} and return type" if is_result else f"{noun} {names}"


def _lower(what: str) -> str:
    return what[0].lower() + what[1:]
