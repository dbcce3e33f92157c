"""E001 broken_caller: a contract has changed, and callers rely on the old one.

What it finds: a parameter was renamed or removed (or cannot be given by name any more) and a call passes it by that
name; a function became or stopped being async, a generator or a property; a static or class method became another sort
of method so that a call does not bind any more; the type of a parameter or of the result means something else; a
parameter was moved, put in or taken out so that an argument without a name reaches another one than before.

Why: the call is valid text and fails when it runs, often far from the edit.

    def send(to, text): ...          →   def send(recipient, text): ...

    send(to=me, text="hi")           # E001: unexpected keyword 'to'

Instead: change the callers in the same edit, or keep the old name working.

How sure: an error where the call cannot bind, or where a plain function became async or a property. Who awaits a result
already does not notice that the function is async now; who only hands on that of one that no longer is gets a warning.
A result that is annotated as awaitable or iterated over counts as that of an async function or a generator. A function
that becomes a generator is a warning: whoever iterates over the result is fine. A call that still binds and gives an
argument to another parameter is a warning, for callers that are as they were. An edge below 0.7 gives a warning. A
union that gains members (a parameter), that loses some (a result), and an annotation that is added are no findings.

With ty: a caller that ty complains about since the edit, and did not before, is an error, changes of types included;
one where ty knows the signature and does not complain is no finding. A result that is not awaited, or read as a
property, which ty does not confirm is a warning. Without ty, or where it knows nothing, types are compared as they are
written: a change is a warning, for callers that pass something that is not known to fit and are as they were before the
edit.

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
    """Callers that rely on a contract that has changed."""
    yield from findings(sys.modules[__name__], (each for each in case.breaks if each.how in MINE), _format_message)


def _format_message(subject: Subject, group: Sequence[Break]) -> tuple[str, str]:
    verb = "relies" if len(affected(group)) == 1 else "rely"
    message = f"{title(subject)} signature changed: {changes(group)}. {callers(group)} {verb} on the old one."
    return message, f"Update {callers(group)} of '{subject.name}' ({changes(group)}): {places(group)}"
