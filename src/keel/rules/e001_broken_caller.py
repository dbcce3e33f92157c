"""E001 broken_caller: a signature has changed, and callers rely on the old one.

What it finds: a parameter was renamed or removed (or can no longer be passed by name) and a call passes it by that
name; a function became or stopped being async, a generator or a property; a static or class method became another kind
of method so that a call no longer binds; the type of a parameter or of the result changed; a parameter was moved, added
or removed so that a positional argument reaches another parameter than before.

Why: the call is still valid syntax and fails when it runs, often far from the edit.

    def send(to, text): ...          →   def send(recipient, text): ...

    send(to=me, text="hi")           # E001: unexpected keyword 'to'

Instead: change the callers in the same edit, or keep the old name working.

How sure: an error where the call cannot bind, or where a plain function became async or a property. A caller that
already awaits the result is not affected when the function becomes async; a caller that only passes the result on when
the function stops being async gets a warning. A result that is annotated as awaitable or as an iterator counts as that
of an async function or a generator. A function that becomes a generator is a warning, since a caller that iterates over
the result still works. A call that still binds but passes an argument to another parameter is a warning, for callers
that the edit did not change. An edge below 0.7 gives a warning. Not reported: a parameter whose union gains members, a
result whose union loses some, and an annotation that is added.

With ty: a caller that ty reports since the edit, and did not report before, is an error, changes of types included; one
where ty knows the signature and reports nothing is no finding. A result that is not awaited, or that is read as a
property, and that ty does not confirm is a warning. Without ty, or where it has no type, annotations are compared as
they are written: a change is a warning, for callers that the edit did not change and that pass something not known to
fit.

When it is wrong: a call through a value that is replaced at run time. Suppress it at the definition, with the reason.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence

from keel.model.findings import ERROR, Finding
from keel.ports.rule import Break, Case, How, Subject
from keel.rules._places import affected, callers, changes, findings, places, title

CODE = "E001"
CATEGORY = "broken_caller"
SEVERITY = ERROR
IS_BREAKING = True
MINE = (How.NAMES, How.KIND_CHANGE, How.TYPES)


def check(case: Case) -> Iterator[Finding]:
    """Callers that rely on a signature that has changed."""
    yield from findings(sys.modules[__name__], (each for each in case.breaks if each.how in MINE), _format_message)


def _format_message(subject: Subject, group: Sequence[Break]) -> tuple[str, str]:
    verb = "relies" if len(affected(group)) == 1 else "rely"
    message = f"{title(subject)} signature changed: {changes(group)}. {callers(group)} {verb} on the old one."
    return message, f"Update {callers(group)} of '{subject.name}' ({changes(group)}): {places(group)}"
