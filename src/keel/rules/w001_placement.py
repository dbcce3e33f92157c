"""W001 placement: a new function may be better placed in a different module.

What it finds: a new function at the top level of a file that fits another directory much better than its own. Five
signals are weighed: its callees, its callers, the types it uses, the words its name shares with its siblings' names,
and whether another module scores much higher on all of these. A callee counts for all modules that use it, so that a
module which calls a library is not mistaken for a part of it.

Why: people look for a function next to related code, and write it again when they do not find it.

    # src/checkout/cart.py
    def estimate_shipping(parcel: Parcel) -> Money:       # W001: src/shipping/ has Parcel, rate_of and carrier_for
        return rate_of(parcel, carrier_for(parcel))

Instead: move it to the suggested module. `suggested_module` is one directory, `runners_up` are the next best two;
`keel where-to-put NAME` shows the weights.

How sure: always a warning. Of the functions of well-structured packages, three in four are reported when they are put
into a wrong directory, half when the function has no callers yet; one or two in a hundred are reported in their right
place (`benchmarks/results/placement.md`). Only new functions are judged. Methods belong to their class, and a function
that a decorator registers with a framework is placed as the framework wants it; both are left out. A module with fewer
than five functions is too small to compare with.

When it is wrong: code that connects modules, such as a facade, belongs to none of them. Utilities (`utils`, `helpers`,
`common`, …), tests, examples, scripts, migrations and vendored code are left out. Exclude others by `placement` in
`[exclude]`, by `placement = "off"` in `[enforcement.overrides]`, or by a suppression with its reason.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

from keel import config
from keel.model.findings import WARNING, Finding
from keel.model.kinds import Tier
from keel.model.record import Field, field
from keel.ports.rule import Case, finding_about
from keel.rules._places import title

CODE = "W001"
CATEGORY = "placement"
SEVERITY = WARNING
KEY = "placement"
KEYS = {KEY: Field("New functions in a module where they do not belong.", config.WARNING, config.ADVICE)}
IS_DEFERRABLE = True
EVIDENCE = "That is weighed from its callers, callees, types and name; `keel where-to-put HASH` shows the weights."


class Placement(Finding):
    """A finding that suggests a module."""

    suggested_module: str = field("W001: the directory where it fits better, with a `/` at the end.")
    runners_up: tuple[str, ...] = field("W001: the next best directories, at most two.")


def check(case: Case) -> Iterator[Finding]:
    """New functions that would fit better elsewhere."""
    for each in case.misplaced(lambda path: case.grade(KEY, path) != config.OFF):
        subject = each.subject
        siblings = ", ".join(each.siblings)
        there, here = _name(each.suggested), _name(each.host)
        yield finding_about(
            sys.modules[__name__],
            subject,
            f"{title(subject)} may belong in module '{there}' (contains: {siblings}) rather than '{here}':"
            f" it {'; '.join(each.reasons)}.",
            f"Move '{subject.name}' to {each.suggested} where related functions {siblings} already live",
            Placement,
            confidence=round(0.5 + each.margin * 0.4, 2),
            resolution_tier=Tier.TIER2_TREESITTER_HEURISTIC.word,
            suggested_module=each.suggested,
            runners_up=tuple(each.runners_up),
        )


def _name(module: str) -> str:
    """The name of a directory in messages: the last part of its path."""
    return module.rstrip("/").rpartition("/")[2]
