"""W002 duplicate_name: a new function has the name of an existing one, and is similar to it.

What it finds: a new function at the top level of a file for which the workspace already has one of the same name and a
similar shape: its parameters, and the names that its body uses. An exact copy is reported wherever it is; a similar
function only when at most two others have that name, since a name that many have is a convention.

Why: two versions of one function drift apart, and a fix to one misses the other.

    # src/checkout/labels.py
    def format_date(value: date) -> str:                  # W002: src/text/dates.py has it
        return value.strftime("%d.%m.%Y")

Instead: import the existing one, or give the new one a name that says how it differs.

How sure: always a warning; the more similar the two are, the higher its confidence. `existing` is the other one.

When it is wrong: two functions that share a name and a shape and must stay apart. Left out are methods, tests, `main`
and other names that every module is expected to have, functions that are registered by a decorator, wrappers that call
one of the same name, functions that use a variable or another constant of their own file or different definitions of
one name, files that are similar on purpose (with the same name, unless it is `utils.py` or the like, or with three
names in common), examples, migrations and vendored code. Set `duplicate_detection = "off"` for a path in
`[enforcement.overrides]`, or suppress one with the reason.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

from keel import config
from keel.model.findings import WARNING, Finding
from keel.model.record import Field, Record, field
from keel.ports.rule import Case, Duplicate, finding_about
from keel.rules._places import title

CODE = "W002"
CATEGORY = "duplicate_name"
SEVERITY = WARNING
KEY = "duplicate_detection"
KEYS = {KEY: Field("New functions with the name of another.", config.WARNING, config.ADVICE)}
IS_DEFERRABLE = True
EVIDENCE = "Name, parameters and the names that both bodies use were compared, without any resolution."


class Existing(Record):
    """A function that exists already."""

    hash: str = field("Its handle.")
    file: str = field("The file it is in, relative to its root.")
    line: int = field("The line of its name.")
    root: str = field("The root that the file is in.", default="")


class Repetition(Finding):
    """A finding that names the existing function."""

    existing: Existing = field("W002: the function that exists already.")


def check(case: Case) -> Iterator[Finding]:
    """New functions that repeat another."""
    for each in case.duplicates(lambda path: case.grade(KEY, path) != config.OFF):
        subject, other = each.subject, each.other
        place = f"{other.file}:{other.line}"
        yield finding_about(
            sys.modules[__name__],
            subject,
            f"{title(subject)} already exists in '{place}'{_how(each)}. Consider reusing it.",
            f"Remove duplicate and import existing '{other.name}' from {place} instead",
            Repetition,
            confidence=round(0.5 + each.likeness / 2, 2),
            existing=Existing(hash=other.hash, file=other.file, line=other.line, root=other.root),
        )


def _how(each: Duplicate) -> str:
    """How similar they are, and whether there are more."""
    parts = ["word for word"] if each.is_clone else []
    parts += [f"and in {each.more} more"] if each.more else []
    return f" {' '.join(parts)}" if parts else ""
