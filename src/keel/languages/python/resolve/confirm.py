"""Confirmation: the links of a file are merged with what a type checker resolves the same references to.

Each reference is decided by itself, so that it does not matter which of them are confirmed when. Running the type
checker, and storing its answers, is left to `indexing`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from keel.languages.python.facts import IMPORTED, SELF, UNBOUND, Interface, PythonTree, decode_references
from keel.languages.python.resolve.evaluate.evaluator import Evaluator
from keel.languages.python.resolve.flow.edges import (
    CALL,
    CALLS,
    DECORATE,
    DECORATES,
    IMPLICIT,
    INSTANTIATES,
    METHOD,
    Linked,
)
from keel.languages.python.resolve.lookup.answer_cache import Trace
from keel.languages.python.resolve.lookup.keys import definition
from keel.languages.python.resolve.lookup.lookup import CLASS, FUNCTIONS, LINKED, STAR_UNLISTED
from keel.model.facts import DEFINED, FROM_IMPORT, STAR, TYPE_ONLY, Reference
from keel.model.ids import Id
from keel.model.kinds import EdgeKind, RefKind, Tier
from keel.model.metadata import own_of, star_of, stored
from keel.model.refs import DefKey
from keel.model.rows import Amendment, EdgeRow, FileLinks
from keel.ports.language import Confirmed, HelperTargets, Question

IMPORT, INHERIT = int(RefKind.IMPORT), int(RefKind.INHERIT)
KINDS = {
    CALL: (CALLS, INSTANTIATES),
    DECORATE: (DECORATES,),
    IMPORT: (int(EdgeKind.IMPORTS),),
    INHERIT: (int(EdgeKind.INHERITS),),
}
"""The kinds of references that are asked about, each with the edges that say what it names."""
LEXICAL_TIER = int(Tier.TIER1_TREESITTER)
NAMED, RECEIVED = 95, 93
"""Confidence in hundredths: by a name, or through the type of a receiver."""
AGREED = 97
"""Confidence when a helper of tier 3 agrees."""
TIERS_3 = frozenset({int(Tier.TIER3_LSP), int(Tier.TIER3_SCIP)})
CONSTRUCTORS = ("__init__", "__new__")
FUTURE = "__future__"


def questions(interface: Interface, references: bytes) -> list[Question]:
    """What a type checker is asked about a file: each name once, as long as it cannot mean something else elsewhere."""
    groups: dict[object, list[int]] = {}
    items = decode_references(references).items
    has_stars = any(item.flags & STAR for item in interface.imports)
    for index, reference in enumerate(items):
        if reference.kind in KINDS and _is_worth_asking(interface, reference, has_stars):
            groups.setdefault(_sharing(interface, reference) or ~index, []).append(index)
    return [
        Question(tuple(group), interface.defs[items[group[0]].source].start + items[group[0]].at)
        for group in groups.values()
    ]


def _is_worth_asking(interface: Interface, reference: Reference, has_stars: bool) -> bool:
    """Not without an identifier, not about a built-in, and not about what the file itself defines, once."""
    if reference.root == IMPORTED:
        item = interface.imports[reference.value]
        return not item.flags & STAR and interface.text(item.module) != FUTURE
    text = interface.text(reference.text)
    if not text.rpartition(".")[2].isidentifier() or (reference.root == UNBOUND and not has_stars):
        return False
    if reference.root < 0 or "." in text:
        return True
    sites = interface.bindings[reference.root].sites
    is_plain = len(sites) == 1 and sites[0].what == DEFINED and not interface.defs[sites[0].target].decorators
    return not is_plain


def _sharing(interface: Interface, reference: Reference) -> object:
    """A key that references share when they mean the same for sure; None for one that shares it with no other."""
    if reference.root >= 0:
        sites = interface.bindings[reference.root].sites
        is_sure = len(sites) == 1 and sites[0].what in (DEFINED, FROM_IMPORT)
        return (reference.root, reference.text) if is_sure else None
    # an attribute of an attribute may have been assigned in between
    if reference.root == SELF and interface.text(reference.text).count(".") == 1:
        return (reference.source, reference.text, SELF)
    return None


class Confirmation(Linked):
    """A file whose links are confirmed."""

    def __init__(
        self, evaluator: Evaluator, tree: PythonTree, links: FileLinks, references: Sequence[Reference], tier: int
    ) -> None:
        super().__init__(evaluator, links.file, references)
        self._tree = tree
        self._tier = tier
        self._edges = {row[:5]: row for row in links.edges}
        self._reasons = bytearray(links.reasons)
        self._open = dict(links.candidates)
        self._found: dict[int, list[EdgeRow]] = {}
        """The edges by their offset."""
        for row in links.edges:
            self._found.setdefault(self._offset(row.source, row.at), []).append(row)
        self._disagreements = 0
        self._named: set[int] = set()
        """Keys that targets found only by the type checker exist: linking did not look them up."""

    def confirmed(self, said: HelperTargets) -> Confirmed:
        """The links merged with the answers about some references."""
        trace = Trace()
        self._evaluator.lookup.traced(trace, self._merge_all, said.places)
        keys = trace.all_keys() | self._named
        keys |= {definition(one.root, one.path, one.qualified_name, one.occurrence) for one in said.lost}
        edges = list(self._edges.values())
        return Confirmed(
            Amendment(self.file, edges, bytes(self._reasons), self._open, keys),
            self._disagreements,
        )

    def _merge_all(self, said: Mapping[int, Sequence[DefKey]]) -> None:
        for index in sorted(said):
            self._merge(index, said[index])

    def _merge(self, index: int, targets: Sequence[DefKey]) -> None:
        """Settles one reference."""
        reference = self.references[index]
        named = self._fitting(reference, targets)
        if not named:
            return  # a variable, which is only an intermediate step
        own = self._own_targets(reference)
        matched = {ref for target in named if (ref := self._match(own, target)) is not None}
        for ref in matched:
            self._promote(reference, own[ref])
        if matched and reference.kind == IMPORT:
            return
        fresh = [target for target in named if self._match(own, target) is None]
        instead: list[str] | None = None
        if not own:
            instead = []
        elif not matched and not self._is_compatible(own, fresh):
            instead = self._disagree(reference, own)
        for target in fresh:
            self._name(reference, target, instead)
        self._reasons[index] = LINKED
        self._open.pop(index, None)

    # what was found, and what is named

    def _own_targets(self, reference: Reference) -> dict[DefKey, EdgeRow]:
        """The targets that linking found for a reference; what runs beside it is left out."""
        kinds = KINDS[reference.kind]
        rows = self._found.get(self._offset(reference.source, reference.at), ())
        found = [row for row in rows if row.kind in kinds and row.metadata != IMPLICIT]
        if any(row.kind == INSTANTIATES for row in found):
            found = [row for row in found if row.kind == INSTANTIATES or not self._is_constructor(row[3:5])]
        return {row[3:5]: row for row in found}

    def _fitting(self, reference: Reference, targets: Iterable[DefKey]) -> list[DefKey]:
        """Those of the named definitions that the reference can mean: not a variable that is called."""
        if reference.kind == IMPORT:
            found = list(targets)
            name = self._interface.text(reference.text).rpartition(".")[2]
            # a variable is named together with what it holds: it is the variable that is imported
            return [one for one in found if self._name_of(one) == name] or found
        kinds = {CLASS} if reference.kind == INHERIT else {CLASS, *FUNCTIONS}
        return [one for one in targets if self._kind(one) in kinds]

    def _match(self, own: Mapping[DefKey, EdgeRow], target: DefKey) -> DefKey | None:
        """The one of linking's targets that is the same definition."""
        if target in own:
            return target
        return next((ref for ref in own if self._is_same(ref, target)), None)

    def _is_same(self, ref: DefKey, target: DefKey) -> bool:
        """Overloads are one function, a stub and its source one module, and making an instance runs a constructor."""
        if self._qualified(ref) == self._qualified(target):
            return ref[0] == target[0] or self._module_path(ref) == self._module_path(target)
        if self._kind(ref) != CLASS or not self._is_constructor(target):
            return False
        answer = self._evaluator.lookup.special(*ref, self._name_of(target))
        return (answer.file, answer.ordinal) == target

    def _is_compatible(self, own: Iterable[DefKey], named: Iterable[DefKey]) -> bool:
        """Whether both can be right: a method and what it overrides, a decorated function and its replacement."""
        return any(self._decorated(target) or self._overrides(ref, target) for ref in own for target in named)

    def _decorated(self, target: DefKey) -> bool:
        return bool(self._evaluator.source(target[0]).defs[target[1]].decorators)

    def _overrides(self, ref: DefKey, target: DefKey) -> bool:
        if self._kind(ref) != METHOD or self._kind(target) != METHOD or self._name_of(ref) != self._name_of(target):
            return False
        order, _ = self._evaluator.lookup.order(*self._class_of(ref))
        return self._class_of(target) in order

    # the outcome

    def _promote(self, reference: Reference, row: EdgeRow) -> None:
        """An edge that was found by both."""
        if row.tier == LEXICAL_TIER:
            return  # the file itself is the best evidence
        star = star_of(row.metadata)
        agreed = AGREED if self._tier in TIERS_3 else self._confidence(reference, row[3:5])
        confidence = row.confidence if star else agreed
        # what another helper had found instead of linking remains in the record
        target = (*row[3:5], self._tier, confidence, row.type_only, stored(star, [], own_of(row.metadata)))
        for made in self._rows_of(reference, row.kind, target):
            if made[:5] in self._edges:
                self._edges[made[:5]] = made

    def _name(self, reference: Reference, ref: DefKey, instead: list[str] | None) -> None:
        """An edge that only the type checker found."""
        confidence, star = self._confidence(reference, ref), ""
        if reference.root == UNBOUND and self._has_stars:
            confidence, star = STAR_UNLISTED, self._first_star()
        kind = KINDS[reference.kind][reference.kind == CALL and self._kind(ref) == CLASS]
        type_only = reference.kind == IMPORT and self._interface.imports[reference.value].flags & TYPE_ONLY
        target = (*ref, self._tier, confidence, int(bool(type_only)), stored(star, [], instead))
        for made in self._rows_of(reference, kind, target):
            self._edges.setdefault(made[:5], made)
        row = self._tree.files[ref[0]]
        occurrence = self._evaluator.source(ref[0]).defs[ref[1]].occurrence
        self._named.add(definition(row.root, row.path, self._qualified(ref), occurrence))

    def _disagree(self, reference: Reference, own: Mapping[DefKey, EdgeRow]) -> list[str]:
        """Removes the edges that linking found; their ids, for the record."""
        self._disagreements += 1
        for row in own.values():
            for made in self._rows_of(reference, row.kind, row[3:9]):
                self._edges.pop(made[:5], None)
        return [self._id(ref) for ref in own]

    def _rows_of(
        self, reference: Reference, kind: int, target: tuple[int, int, int, int, int, str]
    ) -> Iterator[EdgeRow]:
        """All edges that a reference makes with a target, constructors and decorators that run among them."""
        self._rows = []
        self._add(reference, kind, target)
        yield from self._rows

    def _confidence(self, reference: Reference, ref: DefKey) -> int:
        through_receiver = self._kind(ref) == METHOD and self._has_receiver(reference)
        return RECEIVED if through_receiver else NAMED

    def _first_star(self) -> str:
        item = next(item for item in self._interface.imports if item.flags & STAR)
        return "." * item.level + self._interface.text(item.module)

    # definitions

    def _offset(self, source: int, at: int) -> int:
        return self._interface.defs[source].start + at

    def _kind(self, ref: DefKey) -> int:
        return self._evaluator.source(ref[0]).defs[ref[1]].kind

    def _qualified(self, ref: DefKey) -> str:
        source = self._evaluator.source(ref[0])
        return source.strings[source.defs[ref[1]].qualified_name]

    def _name_of(self, ref: DefKey) -> str:
        source = self._evaluator.source(ref[0])
        return source.strings[source.defs[ref[1]].name]

    def _class_of(self, ref: DefKey) -> DefKey:
        return ref[0], self._evaluator.source(ref[0]).defs[ref[1]].parent

    def _is_constructor(self, ref: DefKey) -> bool:
        return self._kind(ref) == METHOD and self._name_of(ref) in CONSTRUCTORS

    def _module_path(self, ref: DefKey) -> tuple[str, str]:
        row = self._tree.files[ref[0]]
        return row.root, row.path.removesuffix("i")

    def _id(self, ref: DefKey) -> str:
        row = self._tree.files[ref[0]]
        definition = self._evaluator.source(ref[0]).defs[ref[1]]
        return str(Id("sym", row.root, row.path, self._qualified(ref), definition.occurrence))
