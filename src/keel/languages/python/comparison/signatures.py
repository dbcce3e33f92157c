"""Signatures before and after: what callers of a function or class will notice, also as language-neutral changes.

The recipe is `compare`. Parameters are paired and their changes named; whether any call can notice them is found by
trying calls: for every number of positional arguments the one that passes no more than it must, and that one with each
single further keyword. A call that breaks does so for the number of its arguments, for one keyword, or for one
parameter it leaves out, and each of these is tried alone. Types are left to `annotations`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from keel.languages.python import forms
from keel.languages.python.binding.bind import Callee, CallShape, Fits, Misfit, Parameter, Shape, bind, free
from keel.languages.python.binding.callees import Reached, callee_of
from keel.languages.python.binding.functions import own_shape
from keel.languages.python.binding.names import Names
from keel.languages.python.comparison.annotations import Relation, relation
from keel.languages.python.comparison.changes import Change, ChangeKind, Comparison, moves
from keel.languages.python.facts import Def, Interface
from keel.languages.python.resolve.parameters import NAMEABLE, POSITIONAL
from keel.model.contracts import Alteration, Aspect, Shift, Successor
from keel.model.facts import ASYNC, CLASSMETHOD, GENERATOR, PROPERTY, STATIC, Facts
from keel.model.kinds import NodeKind, ParamKind
from keel.model.refs import DefRef
from keel.model.signatures import chain_text

KIND_FLAGS = {
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
"""Annotations of a result that is used like the result of such a function."""


class Version(Struct, frozen=True):
    """A definition in one of the two trees."""

    names: Names
    ref: DefRef

    @property
    def interface(self) -> Interface:
        """The file that holds it."""
        return self.names.interface(self.ref.file)

    @property
    def definition(self) -> Def:
        """The definition itself."""
        return self.interface.defs[self.ref.ordinal]


def compare(before: Version, after: Version, reached: Reached = Reached.NAME) -> Comparison:
    """What has changed between two versions of a function, method or class, for callers that access it in this way."""
    old = callee_of(before.names, before.ref, reached)
    new = callee_of(after.names, after.ref, reached)
    taken = compare_callees(old, new)
    kinds = tuple(_kinds(before, after))
    types = tuple(_types(before, after))
    return Comparison((*taken.changes, *kinds, *types), taken.broken, taken.doubt)


def compare_callees(before: Callee, after: Callee) -> Comparison:
    """The changes in parameters. Nothing is named when every call that fitted still fits, and means the same."""
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


def _kinds(before: Version, after: Version) -> Iterator[Change]:
    """The callee of a function or class; a value that replaces one, or is replaced by one, is read as it was."""
    if before.definition.kind == NodeKind.FUNCTION and _is_literal(after):
        yield Change(ChangeKind.KIND_CHANGE, "a value that cannot be called", "", "yes")
    if before.definition.kind not in CALLABLE or after.definition.kind not in CALLABLE:
        return
    was, now = set(_kind_changes(before)), set(_kind_changes(after))
    for name in sorted(was ^ now):
        if _result(after if name in was else before) in ALIKE.get(name, ()):
            continue
        yield Change(ChangeKind.KIND_CHANGE, name, "yes" if name in was else "", "yes" if name in now else "")


def _is_literal(version: Version) -> bool:
    """Whether a definition is a constant of its module that is set once, to a number, a text or a display."""
    definition, ir = version.definition, version.interface.ir
    if definition.kind != NodeKind.CONSTANT or definition.value < 0 or ir[definition.value] not in LITERALS:
        return False
    sites = version.names.sites(version.ref.file, definition.parent, version.interface.text(definition.name))
    return len(sites) == 1 and not sites[0].conditional


def _kind_changes(version: Version) -> Iterator[str]:
    definition = version.definition
    names = {chain_text(version.interface, expr).rpartition(".")[2] for expr in definition.decorators}
    if definition.kind == NodeKind.CLASS:
        yield "a class"
    if names & MANAGERS:
        yield "a context manager"
    for name, flag in KIND_FLAGS.items():
        if definition.flags & flag and not (flag & (GENERATOR | ASYNC) and names & MANAGERS):
            yield name


def _result(version: Version) -> str:
    """The first name in the annotation of a result: `Iterator` of `t.Iterator[int]`."""
    signature = version.definition.signature
    text = version.interface.text(signature.returns) if signature is not None else ""
    return text.strip("\"' ").partition("[")[0].rpartition(".")[2]


def _class_around(version: Version) -> str:
    """The class that a method belongs to."""
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


SILENT = frozenset((ChangeKind.ORDER, ChangeKind.INSERTED))
"""Changes after which a call may still fit and mean something else."""


def parameter_changes(old: Sequence[Parameter], new: Sequence[Parameter]) -> list[Change]:
    """The changes between two parameter lists after which some call may not fit, or mean something else."""
    pairs = paired(old, new)
    changes = [change for before, after in pairs for change in _pair_changes(before, after)]
    changes += _order(pairs, old, new)
    room = _room(old)
    positional = [param for param in new if param.kind in POSITIONAL]
    came_from = {after.name: before for before, after in pairs if after is not None}
    takes_all = any(param.kind == ParamKind.VAR_KEYWORD for param in old)
    for param in new:
        before = came_from.get(param.name)
        is_inside = param in positional and positional.index(param) < room
        if before is None and param.kind in (*POSITIONAL, ParamKind.KEYWORD_ONLY):
            if param.required:
                changes.append(Change(ChangeKind.REQUIRED_ADDED, param.name))
            elif is_inside:
                changes.append(Change(ChangeKind.INSERTED, param.name))
        elif before is not None and before.kind == ParamKind.KEYWORD_ONLY and is_inside:
            changes.append(Change(ChangeKind.INSERTED, param.name))
        elif before is not None and takes_all and is_inside and before.kind not in NAMEABLE and param.kind in NAMEABLE:
            changes.append(Change(ChangeKind.KEYWORD_TAKEN, param.name))
    return changes + list(_stars(old, new))


def paired(old: Sequence[Parameter], new: Sequence[Parameter]) -> list[tuple[Parameter, Parameter | None]]:
    """Each parameter with its counterpart: by name, else by position, else as the only one of its kind."""
    by_name = {param.name: param for param in new if param.kind in (*POSITIONAL, *NAMEABLE)}
    named = {param.name for param in old if param.kind in (*POSITIONAL, *NAMEABLE)}
    positional = [param for param in new if param.kind in POSITIONAL]
    loose = [param for param in new if param.kind == ParamKind.KEYWORD_ONLY and param.name not in named]
    gone = [param for param in old if param.kind == ParamKind.KEYWORD_ONLY and param.name not in by_name]
    taken: set[str] = set()
    found: list[tuple[Parameter, Parameter | None]] = []
    index = 0
    for param in old:
        if param.kind not in (*POSITIONAL, *NAMEABLE):
            continue
        partner = by_name.get(param.name)
        if param.kind in POSITIONAL:
            if partner is None and index < len(positional) and positional[index].name not in named | taken:
                partner = positional[index]
            index += 1
        elif partner is None and len(loose) == len(gone) == 1:
            partner = loose[0]
        if partner is not None:
            taken.add(partner.name)
        found.append((param, partner))
    return found


def _pair_changes(before: Parameter, after: Parameter | None) -> Iterator[Change]:
    if after is None:
        yield Change(ChangeKind.REMOVED, before.name)
        return
    if before.name != after.name and before.kind in NAMEABLE:
        yield Change(ChangeKind.RENAMED, before.name, before.name, after.name)
    if before.kind in NAMEABLE and after.kind not in NAMEABLE:
        yield Change(ChangeKind.POSITIONAL_ONLY, after.name)
    if before.kind in POSITIONAL and after.kind not in POSITIONAL:
        yield Change(ChangeKind.KEYWORD_ONLY, after.name)
    if after.required and not before.required:
        yield Change(ChangeKind.DEFAULT_REMOVED, after.name)


def _order(
    pairs: list[tuple[Parameter, Parameter | None]], old: Sequence[Parameter], new: Sequence[Parameter]
) -> list[Change]:
    """Whether parameters that are positional before and after have changed their order."""
    kept = [after.name for before, after in pairs if after and before.kind in POSITIONAL and after.kind in POSITIONAL]
    now = [param.name for param in new if param.kind in POSITIONAL and param.name in kept]
    if kept == now:
        return []
    was = [param.name for param in old if param.kind in POSITIONAL]
    names = [param.name for param in new if param.kind in POSITIONAL]
    return [Change(ChangeKind.ORDER, "", ", ".join(was), ", ".join(names))]


def _room(params: Sequence[Parameter]) -> float:
    """How many positional arguments a list takes."""
    if any(param.kind == ParamKind.VAR_POSITIONAL for param in params):
        return float("inf")
    return sum(param.kind in POSITIONAL for param in params)


def _stars(old: Sequence[Parameter], new: Sequence[Parameter]) -> Iterator[Change]:
    for kind, gone in (
        (ParamKind.VAR_POSITIONAL, ChangeKind.STAR_REMOVED),
        (ParamKind.VAR_KEYWORD, ChangeKind.DOUBLE_STAR_REMOVED),
    ):
        before = next((param for param in old if param.kind == kind), None)
        if before is not None and not any(param.kind == kind for param in new):
            yield Change(gone, ("*" if kind == ParamKind.VAR_POSITIONAL else "**") + before.name)


OTHER = "another_keyword"


def broken_call(before: Callee, after: Callee) -> CallShape | None:
    """A call that fits before and cannot fit after, or None when there is none."""
    for call in _tried(before, after):
        if isinstance(bind(call, before), Fits) and isinstance(bind(call, after), Misfit):
            return call
    return None


def _tried(before: Callee, after: Callee) -> Iterator[CallShape]:
    shapes = (*before.shapes, *before.overloads)
    params = [param for shape in (*shapes, *after.shapes, *after.overloads) for param in free(shape)]
    names = sorted({param.name for param in params if param.kind in (*POSITIONAL, *NAMEABLE)})
    most = max((_positional_count(shape) for shape in (*shapes, *after.shapes, *after.overloads)), default=0) + 2
    for shape in shapes:
        for count in range(most):
            needed = _needed(shape, count)
            yield CallShape(count, needed)
            for name in (*names, OTHER):
                if name not in needed:
                    yield CallShape(count, (*needed, name))


def _positional_count(shape: Shape) -> int:
    return sum(param.kind in POSITIONAL for param in free(shape))


def _needed(shape: Shape, count: int) -> tuple[str, ...]:
    """The keywords that a call with so many positional arguments cannot do without."""
    positional = [param for param in free(shape) if param.kind in POSITIONAL]
    rest = positional[count:] + [param for param in free(shape) if param.kind not in POSITIONAL]
    return tuple(param.name for param in rest if param.required and param.kind in NAMEABLE)


CERTAIN = frozenset(("async", "a property", "a value that cannot be called"))
"""Kind changes that no use survives; a generator may be iterated over as the list before it was."""
BOUND_KINDS = frozenset(("a static method", "a class method", "a class"))
"""Kind changes that only matter where binding a call does not show them."""
HARMLESS = {
    ChangeKind.PARAMETER_TYPE: (Relation.WIDENED, Relation.REMOVED),
    ChangeKind.RETURN_TYPE: (Relation.NARROWED, Relation.REMOVED),
}
SHIFTS = {
    ChangeKind.RENAMED: Shift.RENAMED,
    ChangeKind.REMOVED: Shift.REMOVED,
    ChangeKind.REQUIRED_ADDED: Shift.REQUIRED,
    ChangeKind.DEFAULT_REMOVED: Shift.DEFAULT_GONE,
}
NOTHING = "None"


def alterations(before: Version, after: Version) -> list[Alteration]:
    """What has changed about a definition for its users."""
    is_method = after.definition.kind == NodeKind.METHOD
    found = compare(before, after, Reached.INSTANCE if is_method else Reached.NAME)
    return [made for change in found.changes if (made := _alteration(change)) is not None]


def _alteration(change: Change) -> Alteration | None:
    """A language-neutral change; None for one that no user can notice."""
    if change.kind is ChangeKind.KIND_CHANGE:
        if change.name in BOUND_KINDS:
            return Alteration(Aspect.CALL, change.words, change.name)
        return Alteration(Aspect.KIND_CHANGE, change.words, change.name, is_certain=change.name in CERTAIN)
    if change.kind in HARMLESS:
        is_return = change.kind is ChangeKind.RETURN_TYPE
        # what returned nothing before has no callers that use the result
        if change.relation in HARMLESS[change.kind] or (is_return and change.before == NOTHING):
            return None
        aspect = Aspect.RETURN_TYPE if is_return else Aspect.PARAMETER_TYPE
        return Alteration(aspect, change.words, change.name, change.after)
    after = change.after if change.kind is ChangeKind.RENAMED else ""
    return Alteration(Aspect.CALL, change.words, change.name, after, shift=SHIFTS.get(change.kind, Shift.OTHER))


def successors(before: Mapping[str, Facts], after: Mapping[str, Facts]) -> dict[tuple[str, str], Successor]:
    """Where removed definitions have likely moved to, by path and qualified name."""
    return {
        (each.before.path, each.before.name): Successor(each.after.path, each.after.name, each.likeness)
        for each in moves(before, after)
    }
