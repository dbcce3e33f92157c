"""The Contracts socket for Python: calls bound, definitions compared, types and natures weighed.

A judgement of a call is asked for by reference and callee; everything else about it is found here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

from keel.languages.python.binding.bind import bind
from keel.languages.python.binding.callees import Reached, callee_of
from keel.languages.python.binding.calls import arguments, read_call
from keel.languages.python.binding.names import Names, Place
from keel.languages.python.binding.outcomes import Fault, Misfit, NotKnown, Outcome, Reason
from keel.languages.python.binding.shapes import POSITIONAL
from keel.languages.python.comparison.annotations import Relation, meaning
from keel.languages.python.comparison.changes import Change, ChangeKind
from keel.languages.python.comparison.parameters import free
from keel.languages.python.comparison.renames import moves
from keel.languages.python.comparison.signatures import Version, compare
from keel.languages.python.contracts import asked, excuses
from keel.languages.python.contracts.reach import Reach
from keel.model import values
from keel.model.contracts import Alteration, Aspect, Spot, State, Successor, Verdict
from keel.model.facts import CONDITIONAL, FROM_IMPORT, IMPORTED, TYPE_ONLY, Facts, Import, Interface, Reference
from keel.model.kinds import NodeKind
from keel.ports.contracts import Side

FITS = Verdict(State.FITS)
NOT_KNOWN = Verdict(State.NOT_KNOWN)
BY_NAME = (Fault.UNEXPECTED_KEYWORD, Fault.POSITIONAL_ONLY, Fault.MULTIPLE_VALUES)
CERTAIN = frozenset(("async", "a property"))
"""Natures whose change no use survives; a generator may be iterated over as the list before it was."""
BOUND_NATURES = frozenset(("a static method", "a class method", "a class"))
"""Natures that only matter where a call does not bind for them."""
HARMLESS = {
    ChangeKind.PARAMETER_TYPE: (Relation.WIDENED, Relation.REMOVED),
    ChangeKind.RETURN_TYPE: (Relation.NARROWED, Relation.REMOVED),
}
LITERALS = {values.STRING: "builtins.str", values.FORMAT: "builtins.str"}
ATOMS = {
    values.NONE: "None",
    values.TRUE: "builtins.bool",
    values.FALSE: "builtins.bool",
    values.BYTES: "builtins.bytes",
}


class PythonContracts:
    """Judgements about Python in two trees."""

    def __init__(self, base: Side, now: Side) -> None:
        self._base, self._now = base, now

    @cached_property
    def _names(self) -> dict[bool, Names]:
        return {False: Names(self._base.tree), True: Names(self._now.tree)}

    @cached_property
    def _reach(self) -> dict[bool, Reach]:
        return {False: Reach(self._base.tree, self._base.given), True: Reach(self._now.tree, self._now.given)}

    def fits_now(self, file: int, reference: Reference, callee: Spot) -> Verdict:
        """Whether a call as it is now fits what it calls."""
        return self._fit(True, file, reference, callee)

    def fitted(self, file: int, reference: Reference, callee: Spot) -> Verdict:
        """Whether a call of base fitted."""
        return self._fit(False, file, reference, callee)

    def _fit(self, is_now: bool, file: int, reference: Reference, callee: Spot) -> Verdict:
        names = self._names[is_now]
        interface = names.interface(file)
        if not _is_call(interface, reference):
            return NOT_KNOWN
        reached = self._reach[is_now].of(file, reference.value, callee)
        if reached is None:
            return NOT_KNOWN
        taken = callee_of(names, Place(*callee), reached)
        return _verdict(bind(read_call(interface, reference.value), taken))

    def alterations(self, before: Spot, after: Spot) -> Sequence[Alteration]:
        """What has changed about a definition."""
        old, new = (Version(self._names[now], Place(*spot)) for now, spot in ((False, before), (True, after)))
        is_method = new.definition.kind == NodeKind.METHOD
        found = compare(old, new, Reached.INSTANCE if is_method else Reached.NAME)
        return [made for change in found.changes if (made := _alteration(change)) is not None]

    def is_touched(self, file: int, reference: Reference, callee: Spot, alteration: Alteration) -> bool:
        """Whether a call as it is now has to do with a change."""
        names = self._names[True]
        interface = names.interface(file)
        if not _is_call(interface, reference):
            return False
        if alteration.aspect is Aspect.PARAMETER_TYPE:
            value = self._passed(file, reference.value, callee, alteration.name)
            return value is not None and not _is_proven(interface, value, names.interface(callee.file), alteration)
        return True

    def _passed(self, file: int, call: int, callee: Spot, name: str) -> int | None:
        """The place of the argument that a parameter is given; -1 where a star may hold it, None when it is not."""
        interface = self._names[True].interface(file)
        positional, named = arguments(interface, call)
        if name in named:
            return named[name]
        reached = self._reach[True].of(file, call, callee) or Reached.NAME
        taken = callee_of(self._names[True], Place(*callee), reached)
        params = [param.name for shape in taken.shapes[-1:] for param in free(shape) if param.kind in POSITIONAL]
        if interface.tape[call + 3]:  # a star
            return -1
        at = params.index(name) if name in params else len(positional)
        return positional[at] if at < len(positional) else None

    def successors(self, before: Mapping[str, Facts], after: Mapping[str, Facts]) -> dict[tuple[str, str], Successor]:
        """What has likely become of definitions that are gone."""
        return {
            (each.before.path, each.before.name): Successor(each.after.path, each.after.name, each.likeness)
            for each in moves(before, after)
        }

    def is_excused(self, lines: Sequence[str], line: int) -> bool:
        """Whether the source says that a line may be wrong."""
        return excuses.is_excused(lines, line)

    def is_missing(self, file: int, reference: Reference) -> bool:
        """Whether the import behind a reference names something inside a package of the workspace."""
        names = self._names[True]
        interface = names.interface(file)
        items = _imports(interface, reference)
        tops = [
            names.module(file, interface.text(item.module).partition(".")[0], 0) for item in items if not item.level
        ]
        return bool(items) and all(top is not None and top >= 0 for top in tops)

    def is_guarded(self, interface: Interface, reference: Reference) -> bool:
        """Whether the import behind a reference stands in a `try` or under a condition."""
        flags = [item.flags for item in _imports(interface, reference)]
        return any(each & CONDITIONAL and not each & TYPE_ONLY for each in flags)

    def untyped(self, interface: Interface, ordinal: int) -> tuple[Sequence[str], bool] | None:
        """Parameters without annotation, and whether the result has none."""
        return asked.untyped(interface, ordinal)

    def undocumented(self, interface: Interface, ordinal: int, full: bool) -> str | None:
        """What the docstring of a public function lacks."""
        return asked.undocumented(interface, ordinal, full)


def _imports(interface: Interface, reference: Reference) -> list[Import]:
    """The imports that bring the first name of a reference."""
    if reference.root == IMPORTED:
        return [interface.imports[reference.value]]
    sites = interface.bindings[reference.root].sites if reference.root >= 0 else []
    return [interface.imports[site.target] for site in sites if site.what == FROM_IMPORT]


def _is_call(interface: Interface, reference: Reference) -> bool:
    return reference.value >= 0 and interface.tape[reference.value] == values.CALL


def _verdict(outcome: Outcome) -> Verdict:
    if isinstance(outcome, Misfit):
        return Verdict(State.MISFIT, _words(outcome.reasons), _is_by_name(outcome.reasons))
    if isinstance(outcome, NotKnown):
        reasons = outcome.suspected
        words = f"{_words(reasons)} ({outcome.doubt.words})" if reasons else outcome.doubt.words
        return Verdict(State.NOT_KNOWN, words, _is_by_name(reasons), bool(reasons))
    return FITS


def _words(reasons: tuple[Reason, ...]) -> str:
    return ", ".join(reason.words for reason in reasons)


def _is_by_name(reasons: tuple[Reason, ...]) -> bool:
    return any(reason.fault in BY_NAME for reason in reasons)


def _alteration(change: Change) -> Alteration | None:
    """A change in the words of all languages; None for one that nobody notices."""
    if change.kind is ChangeKind.NATURE:
        if change.name in BOUND_NATURES:
            return Alteration(Aspect.CALL, change.words, change.name)
        return Alteration(Aspect.NATURE, change.words, change.name, is_certain=change.name in CERTAIN)
    if change.kind in HARMLESS:
        if change.relation in HARMLESS[change.kind]:
            return None
        aspect = Aspect.PARAMETER_TYPE if change.kind is ChangeKind.PARAMETER_TYPE else Aspect.RETURN_TYPE
        return Alteration(aspect, change.words, change.name, change.after)
    return Alteration(Aspect.CALL, change.words, change.name)


def _is_proven(interface: Interface, value: int, callee: Interface, alteration: Alteration) -> bool:
    """Whether an argument is a literal of a type that the parameter takes now."""
    if value < 0:
        return False
    tape = interface.tape
    kind = ATOMS.get(tape[value + 1]) if tape[value] == values.ATOM else LITERALS.get(tape[value])
    if tape[value] == values.NUMBER:
        kind = "builtins.int" if interface.strings[tape[value + 1]].isdecimal() else None
    wanted = meaning(alteration.after, callee)
    return kind is not None and wanted is not None and kind in wanted.members
