"""Changes: what may be different about a definition for those who use it, each with its words.

How they are found is left to `signatures`; what a finding makes of them, to rules.
"""

from __future__ import annotations

from enum import Enum

from msgspec import Struct

from keel.languages.python.binding.outcomes import Doubt, Fault, Reason
from keel.languages.python.binding.shapes import CallShape
from keel.languages.python.comparison.annotations import Relation


class ChangeKind(Enum):
    """What has changed."""

    REMOVED = "removed"
    """A parameter is gone."""
    RENAMED = "renamed"
    """A parameter has another name."""
    REQUIRED_ADDED = "required_added"
    """There is a new parameter without default."""
    INSERTED = "inserted"
    """There is a new place among the positional parameters: what stood there lands elsewhere."""
    DEFAULT_REMOVED = "default_removed"
    """A parameter has no default any more."""
    POSITIONAL_ONLY = "positional_only"
    """A parameter is no longer taken by name."""
    KEYWORD_ONLY = "keyword_only"
    """A parameter is no longer taken by position."""
    ORDER = "order"
    """Positional parameters have another order."""
    STAR_REMOVED = "star_removed"
    """`*args` is gone."""
    DOUBLE_STAR_REMOVED = "double_star_removed"
    """`**kwargs` is gone."""
    KEYWORD_TAKEN = "keyword_taken"
    """A keyword that went into `**kwargs` is now that of a positional parameter."""
    CALLS = "calls"
    """It takes other calls, in a way that no single parameter tells."""
    NATURE = "nature"
    """It became or is no longer async, a generator, a property, a static or class method, …"""
    PARAMETER_TYPE = "parameter_type"
    """A parameter's annotation means another type."""
    RETURN_TYPE = "return_type"
    """The return annotation means another type."""


class Change(Struct, frozen=True):
    """One change. `name` is the parameter (or the nature) it is about."""

    kind: ChangeKind
    name: str = ""
    before: str = ""
    after: str = ""
    relation: Relation | None = None
    """Of types: how the one after stands to the one before."""

    @property
    def words(self) -> str:
        """The change as a phrase: `parameter 'a' renamed to 'b'`."""
        if self.kind is ChangeKind.NATURE:
            return f"became {self.name}" if self.after else f"is no longer {self.name}"
        unsure = "may have changed" if self.relation is Relation.NOT_KNOWN else "changed"
        return _WORDS[self.kind].format(
            name=f"'{self.name}'", before=f"'{self.before}'", after=f"'{self.after}'", changed=unsure
        )


_WORDS = {
    ChangeKind.REMOVED: "parameter {name} removed",
    ChangeKind.RENAMED: "parameter {before} renamed to {after}",
    ChangeKind.REQUIRED_ADDED: "required parameter {name} added",
    ChangeKind.INSERTED: "parameter {name} inserted before others",
    ChangeKind.DEFAULT_REMOVED: "parameter {name} has no default any more",
    ChangeKind.POSITIONAL_ONLY: "parameter {name} is positional-only now",
    ChangeKind.KEYWORD_ONLY: "parameter {name} is keyword-only now",
    ChangeKind.ORDER: "parameters in another order: {before}, now {after}",
    ChangeKind.STAR_REMOVED: "{name} takes no further positional arguments any more",
    ChangeKind.DOUBLE_STAR_REMOVED: "{name} takes no further keywords any more",
    ChangeKind.KEYWORD_TAKEN: "keyword {name} is that of a positional parameter now",
    ChangeKind.CALLS: "takes other calls than before",
    ChangeKind.PARAMETER_TYPE: "type of parameter {name} {changed} from {before} to {after}",
    ChangeKind.RETURN_TYPE: "return type {changed} from {before} to {after}",
}


class Comparison(Struct, frozen=True):
    """What has changed between two versions of a definition."""

    changes: tuple[Change, ...] = ()
    broken: CallShape | None = None
    """A call that fitted before and cannot fit after, when there is one."""
    doubt: Doubt | None = None
    """Why what it takes, before or after, is not known for certain."""


def cause_of(reason: Reason, changes: tuple[Change, ...]) -> Change | None:
    """The change that a reason why a call does not fit comes from, as far as the names tell."""
    kinds = _CAUSES[reason.fault]
    for kind in kinds:
        for change in changes:
            about = {change.name, change.before if kind is ChangeKind.RENAMED else change.name}
            about |= {change.after} if kind is ChangeKind.RENAMED and reason.fault is not _UNEXPECTED else set()
            if change.kind is kind and (not reason.names or about & {*reason.names}):
                return change
    wide = (ChangeKind.DOUBLE_STAR_REMOVED, ChangeKind.STAR_REMOVED, ChangeKind.INSERTED, ChangeKind.ORDER)
    return next((change for change in changes if change.kind in wide), None)


_UNEXPECTED = Fault.UNEXPECTED_KEYWORD
_CAUSES = {
    Fault.UNEXPECTED_KEYWORD: (ChangeKind.RENAMED, ChangeKind.REMOVED),
    Fault.POSITIONAL_ONLY: (ChangeKind.POSITIONAL_ONLY,),
    Fault.TOO_MANY: (ChangeKind.REMOVED, ChangeKind.KEYWORD_ONLY, ChangeKind.STAR_REMOVED),
    Fault.MISSING: (
        *(ChangeKind.REQUIRED_ADDED, ChangeKind.DEFAULT_REMOVED, ChangeKind.RENAMED),
        ChangeKind.POSITIONAL_ONLY,
    ),
    Fault.MISSING_KEYWORD: (
        *(ChangeKind.REQUIRED_ADDED, ChangeKind.DEFAULT_REMOVED, ChangeKind.RENAMED),
        ChangeKind.KEYWORD_ONLY,
    ),
    Fault.MULTIPLE_VALUES: (ChangeKind.KEYWORD_TAKEN, ChangeKind.INSERTED, ChangeKind.RENAMED),
}
"""The changes that a fault may come from, the likeliest first."""
