"""Signatures before and after: what those who call a function or class will notice.

The recipe is `compare`; parameters are compared by `parameters`, types by `annotations`, and `witnesses` finds a call
that breaks.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from keel.languages.python import forms
from keel.languages.python.binding.callees import Reached, callee_of
from keel.languages.python.binding.decorators import own_shape
from keel.languages.python.binding.names import Names, Place
from keel.languages.python.binding.shapes import Callee
from keel.languages.python.comparison.annotations import Relation, relation
from keel.languages.python.comparison.changes import Change, ChangeKind, Comparison
from keel.languages.python.comparison.parameters import SILENT, free, paired, parameter_changes
from keel.languages.python.comparison.witnesses import broken_call
from keel.languages.python.facts import Def, Interface
from keel.model.facts import ASYNC, CLASSMETHOD, GENERATOR, PROPERTY, STATIC
from keel.model.kinds import NodeKind, ParamKind
from keel.model.signatures import chain_text

NATURES = {
    "async": ASYNC,
    "a generator": GENERATOR,
    "a property": PROPERTY,
    "a static method": STATIC,
    "a class method": CLASSMETHOD,
}
STARS = (ParamKind.VAR_POSITIONAL, ParamKind.VAR_KEYWORD)
MANAGERS = frozenset(("contextmanager", "asynccontextmanager"))
LITERALS = (forms.NUMBER, forms.STRING, forms.FORMAT, forms.DISPLAY)
CALLABLE = (NodeKind.FUNCTION, NodeKind.METHOD, NodeKind.CLASS)
ASYNC_RESULTS = frozenset(
    ("Awaitable", "Coroutine", "Future", "Task", "AsyncIterator", "AsyncIterable", "AsyncGenerator")
)
ITERATED_RESULTS = frozenset(("Iterator", "Iterable", "Generator", "AsyncIterator", "AsyncIterable", "AsyncGenerator"))
ALIKE = {"async": ASYNC_RESULTS, "a generator": ITERATED_RESULTS}
"""Annotations of a result that is used as the result of such a function is."""


class Version(Struct, frozen=True):
    """A definition as one tree has it."""

    names: Names
    place: Place

    @property
    def interface(self) -> Interface:
        """The file it stands in."""
        return self.names.interface(self.place.file)

    @property
    def definition(self) -> Def:
        """The definition itself."""
        return self.interface.defs[self.place.ordinal]


def compare(before: Version, after: Version, reached: Reached = Reached.NAME) -> Comparison:
    """What has changed between two versions of a function, method or class, for those who reach it in this way."""
    old = callee_of(before.names, before.place, reached)
    new = callee_of(after.names, after.place, reached)
    taken = compare_callees(old, new)
    natures = tuple(_natures(before, after))
    types = tuple(_types(before, after))
    return Comparison((*taken.changes, *natures, *types), taken.broken, taken.doubt)


def compare_callees(before: Callee, after: Callee) -> Comparison:
    """The changes in what is taken. Nothing is named when every call that fitted still fits, and means the same."""
    old, new = replace(before, doubt=None), replace(after, doubt=None)
    broken = broken_call(old, new)
    named: dict[Change, None] = {}
    first, second = old.shapes or old.overloads, new.shapes or new.overloads
    if first and second:
        changes = parameter_changes(free(first[-1]), free(second[-1]))
        named = dict.fromkeys(change for change in changes if broken is not None or change.kind in SILENT)
    if broken is not None and not named:
        named[Change(ChangeKind.CALLS)] = None
    return Comparison(tuple(named), broken, before.doubt or after.doubt)


def _natures(before: Version, after: Version) -> Iterator[Change]:
    """What a function or class has become; a value that takes its place, or gives it up, is read as it was."""
    if before.definition.kind == NodeKind.FUNCTION and _is_literal(after):
        yield Change(ChangeKind.NATURE, "a value that cannot be called", "", "yes")
    if before.definition.kind not in CALLABLE or after.definition.kind not in CALLABLE:
        return
    was, now = set(_nature(before)), set(_nature(after))
    for name in sorted(was ^ now):
        if _result(after if name in was else before) in ALIKE.get(name, ()):
            continue
        yield Change(ChangeKind.NATURE, name, "yes" if name in was else "", "yes" if name in now else "")


def _is_literal(version: Version) -> bool:
    """Whether a definition is a constant of its module that is set once, to a number, a text or a display."""
    definition, tape = version.definition, version.interface.tape
    if definition.kind != NodeKind.CONSTANT or definition.value < 0 or tape[definition.value] not in LITERALS:
        return False
    sites = version.names.sites(version.place.file, definition.parent, version.interface.text(definition.name))
    return len(sites) == 1 and not sites[0].conditional


def _nature(version: Version) -> Iterator[str]:
    definition = version.definition
    names = {chain_text(version.interface, place).rpartition(".")[2] for place in definition.decorators}
    if definition.kind == NodeKind.CLASS:
        yield "a class"
    if names & MANAGERS:
        yield "a context manager"
    for name, flag in NATURES.items():
        if definition.flags & flag and not (flag & (GENERATOR | ASYNC) and names & MANAGERS):
            yield name


def _result(version: Version) -> str:
    """What the annotation of a result names first: `Iterator` of `t.Iterator[int]`."""
    signature = version.definition.signature
    text = version.interface.text(signature.returns) if signature is not None else ""
    return text.strip("\"' ").partition("[")[0].rpartition(".")[2]


def _class_around(version: Version) -> str:
    """The class that a method stands in."""
    interface = version.interface
    return interface.text(interface.defs[version.definition.parent].name)


def _types(before: Version, after: Version) -> Iterator[Change]:
    """Annotations that mean another type. One that is added where there was none is no change."""
    old, new = before.definition.signature, after.definition.signature
    if old is None or new is None:
        return
    one, other = before.interface, after.interface
    here = {other.text(param.name): other.text(param.annotation) for param in new.params}
    lists = own_shape(one, before.definition).params, own_shape(other, after.definition).params
    stars = [(param, each) for param in lists[0] for each in lists[1] if param.kind == each.kind and each.kind in STARS]
    for param, partner in [*paired(*lists), *stars]:
        text = next(one.text(each.annotation) for each in old.params if one.text(each.name) == param.name)
        now = here[partner.name] if partner is not None else ""
        stands = relation(text, now, one, other) if partner is not None else Relation.SAME
        if stands not in (Relation.SAME, Relation.ADDED):
            yield Change(ChangeKind.PARAMETER_TYPE, param.name, text, now, stands)
    was, now = one.text(old.returns), other.text(new.returns)
    stands = relation(was, now, one, other)
    if {_result(before), _result(after)} == {"Self", _class_around(before)}:
        return
    if stands not in (Relation.SAME, Relation.ADDED):
        yield Change(ChangeKind.RETURN_TYPE, "", was, now, stands)
