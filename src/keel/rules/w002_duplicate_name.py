"""W002 duplicate_name: a new function has the name of another, and is like it.

What it finds: a new function at the top level of a file for which the workspace has one already, of the same name and
of like shape: what it takes and what its body uses. One that is the same word for word is told wherever it is; of
others, one or two namesakes at most, since a name that many have is a custom.

Why: two versions of one thing drift apart, and whoever fixes one does not know of the other.

    # src/checkout/labels.py
    def format_date(value: date) -> str:                  # W002: src/text/dates.py has it
        return value.strftime("%d.%m.%Y")

Instead: import the one that is there, or give the new one a name that says how it differs.

How sure: always a warning, and the more alike the two are, the surer. `existing` is the other one.

When it is wrong: two things that share a name and a shape and must stay apart. Left out are methods, tests, `main` and
other names that are expected of every module, functions that are registered by a decorator, those that hand on to one
of the same name, those that work on a variable or another constant of their own file, or on different things of one
name, files that are made alike on purpose (of one name, unless it is `utils.py` or the like, or with three names in
common), examples, migrations and vendored code. Set `duplicate_detection = "off"` for a path in
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
EVIDENCE = "That is compared by name, parameters, and what both bodies use, without any resolution."


class Existing(Record):
    """A function that exists already."""

    hash: str = field("Its handle.")
    file: str = field("The file it is in, relative to its root.")
    line: int = field("The line of its name.")
    root: str = field("The root that the file is in.", default="")


class Repetition(Finding):
    """A finding that names the function that is repeated."""

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
    """How alike they are, and whether there are more."""
    said = ["word for word"] if each.is_clone else []
    said += [f"and in {each.more} more"] if each.more else []
    return f" {' '.join(said)}" if said else ""
