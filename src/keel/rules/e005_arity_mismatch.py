"""E005 arity_mismatch: a call passes too few or too many arguments.

What it finds: calls that fitted before the edit and no longer fit the parameters of the function, because a required
parameter was added or lost its default, a parameter was removed, or one can no longer be passed by position; and new
calls that do not fit. Arguments are bound by the rules of the language: defaults, `*args` and `**kwargs`,
positional-only and keyword-only parameters, receivers, constructors, dataclasses, overloads, decorators. Applying a
decorator is a call too.

Why: the call raises as soon as it runs.

    def charge(order, amount): ...      →   def charge(order, amount, currency): ...

    charge(order, 10)                   # E005: missing required 'currency'

Instead: pass the argument in every caller, or give the parameter a default.

How sure: an error where the call cannot fit, whatever values it passes. A `*` or `**` argument that may fill the gap is
no finding. A decorator, base class or metaclass that is not known makes it a warning, and so do an edge below 0.7, and
a new call of a value that may come from elsewhere (a parameter, an attribute) or on a receiver that may have another
type.

When it is wrong: a callee that is replaced at run time by one that takes more. Suppress it at the definition, with the
reason; calls that expect the failure (`pytest.raises(TypeError)`, `# type: ignore`) are left out.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence

from keel.model.findings import ERROR, Finding
from keel.model.text.wording import counted
from keel.ports.rule import Break, Case, How, Subject
from keel.rules._places import affected, callers, changes, findings, places, title

CODE = "E005"
CATEGORY = "arity_mismatch"
SEVERITY = ERROR
IS_BREAKING = True


def check(case: Case) -> Iterator[Finding]:
    """Calls whose arguments do not fit, by callee; new calls, by caller."""
    this = sys.modules[__name__]
    yield from findings(this, (each for each in case.breaks if each.how is How.ARGUMENTS), _of_callee)
    yield from findings(this, (each for each in case.breaks if each.how is How.NEW_CALL), _of_caller)


def _of_callee(subject: Subject, group: Sequence[Break]) -> tuple[str, str]:
    count = len(affected(group))
    verb = "passes" if count == 1 else "pass"
    message = f"{title(subject)} takes other arguments now: {changes(group)}. {callers(group)} {verb} the wrong ones."
    return message, f"Update {callers(group)} of '{subject.name}' ({changes(group)}): {places(group)}"


def _of_caller(subject: Subject, group: Sequence[Break]) -> tuple[str, str]:
    each = "; ".join(f"line {one.line}, {one.why}" for one in affected(group))
    count = counted(len(affected(group)), "new call")
    verb = "does" if len(affected(group)) == 1 else "do"
    return f"{title(subject)} has {count} that {verb} not fit: {each}.", f"Pass what is taken: {places(group)}"
