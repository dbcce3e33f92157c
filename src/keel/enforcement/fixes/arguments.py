"""Fixes of arguments: a call as the function takes it now, where only one change is possible.

A parameter was renamed: pass the argument by its new name. It was removed: leave the argument out. It lost its default:
pass the old default. It is new: pass on the caller's parameter of the same name.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from keel.enforcement.fixes.same_text import is_same_parameter
from keel.enforcement.fixes.source_text import SourceTexts
from keel.enforcement.fixes.steps import Fix, Left, fix_of
from keel.model.contracts import Alteration, Shift
from keel.model.edits import Edit
from keel.model.facts import MODULE_DEF, Interface
from keel.model.kinds import ParamKind
from keel.model.refs import DefRef
from keel.ports.editing import Editing
from keel.ports.rule import Site


class ArgumentFixer:
    """Fixes of calls that no longer fit."""

    def __init__(self, written: SourceTexts, editing: Editing) -> None:
        self._written, self._comparison, self._editing = written, written.comparison, editing

    def fix(self, source: bytes, site: Site, cause: DefRef, changes: Sequence[Alteration]) -> Fix | Left:
        """The arguments as the function takes them now."""
        words: list[str] = []
        edits: list[Edit] = []
        for change in changes:
            made = self._argument(source, site, cause, change)
            if isinstance(made, Left):
                return made
            words += [made.words] if made.edits else []
            edits += made.edits
        return Fix(", ".join(words), tuple(edits)) if edits else Left("no change of a parameter explains the break")

    def _argument(self, source: bytes, site: Site, cause: DefRef, change: Alteration) -> Fix | Left:
        at = self._written.place(site)
        editing, name = self._editing, change.name
        edits: list[Edit] | None
        match change.shift:
            case Shift.RENAMED:
                if not self._is_same_parameter(cause, name, change.after):
                    return Left(f"'{change.after}' is in the place of '{name}', and may mean something else")
                edits = editing.rename_argument(source, at, name, change.after)
                return fix_of(f"pass '{name}' as '{change.after}'", edits, name)
            case Shift.REMOVED:
                place = self._reached(site).index(name) if name in self._reached(site) else -1
                edits = editing.drop_argument(source, at, name, place)
                return fix_of(f"leave out the argument for '{name}', which is not taken any more", edits, name)
            case Shift.REQUIRED:
                if self._has_to_be_placed(cause, name) or not editing.given_around(source, at, name):
                    return Left(f"the value for '{name}' is not known at the call")
                return fix_of(f"pass on '{name}'", self._handed_on(source, at, cause, name), name)
            case Shift.DEFAULT_GONE:
                default = self._default_before(cause, name)
                is_same = editing.is_plain(default) or self._is_seen_alike(source, site, cause, default)
                if self._has_to_be_placed(cause, name) or not is_same:
                    return Left(f"'{name}' had no default that means the same at the call")
                edits = editing.add_argument(source, at, name, default, self._is_named_only(cause, name))
                return fix_of(f"pass '{name}={default}', the default it had", edits, name)
            case _:
                return Left(f"it has no single fix: {change.words}")

    def _reached(self, site: Site) -> Sequence[str]:
        """The parameters that the positional arguments of a call reached before the edit."""
        comparison = self._comparison
        for one in comparison.same_in_base(site.file, site.reference):
            at = comparison.base.facts.interface(site.file).defs[one.source].start + one.at
            for edge in comparison.base.out_of_offset(site.file, at):
                given = comparison.contracts.fits(site.file, one, edge.target, is_now=False).given
                if given:
                    return given
        return ()

    def _has_to_be_placed(self, cause: DefRef, name: str) -> bool:
        """Whether a parameter is positional-only."""
        param = self._written.params(cause, is_now=True).get(name)
        return param is None or param.kind == ParamKind.POSITIONAL_ONLY

    def _is_named_only(self, cause: DefRef, name: str) -> bool:
        """Whether a parameter is keyword-only."""
        return self._written.params(cause, is_now=True)[name].kind == ParamKind.KEYWORD_ONLY

    def _handed_on(self, source: bytes, at: int, cause: DefRef, name: str) -> list[Edit] | None:
        return self._editing.add_argument(source, at, name, name, self._is_named_only(cause, name))

    def _is_seen_alike(self, source: bytes, site: Site, cause: DefRef, value: str) -> bool:
        """Whether a value is a name that its file binds once, at its top level, and that means the same at the call."""
        if site.file != cause.file:
            return False
        interface = self._comparison.now.facts.interface(cause.file)
        is_fixed = not any(value in interface.names_of(scope) for scope in _around(interface, cause.ordinal))
        is_once = len(interface.names_of(MODULE_DEF).get(value, ())) == 1
        return is_fixed and is_once and self._editing.is_of_module(source, self._written.place(site), value)

    def _default_before(self, cause: DefRef, name: str) -> str:
        before = self._comparison.base.counterpart(cause)
        param = self._written.params(before, is_now=False).get(name)
        return self._comparison.base.facts.interface(before.file).text(param.default) if before and param else ""

    def _is_same_parameter(self, cause: DefRef, old: str, new: str) -> bool:
        before = self._comparison.base.counterpart(cause)
        was = self._written.definition(before, is_now=False) if before else None
        now = self._written.definition(cause, is_now=True)
        return was is not None and now is not None and is_same_parameter(was, now, old, new)


def _around(interface: Interface, ordinal: int) -> Iterator[int]:
    """A definition and those around it, without the module: names that they bind hide those of the module."""
    while ordinal > MODULE_DEF:
        yield ordinal
        ordinal = interface.defs[ordinal].parent
