"""Linking one file: each of its references becomes an edge or a reason.

The extractor has recorded where the first name of a reference is bound; here that binding is followed to its
definition, and the rest of the chain name by name. References that depend on values (variables, parameters, results)
are left to `edges`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import TypeVar

from keel.languages.python.facts import IMPORTED, LOCAL, SELF, UNBOUND, VALUE, Interface, PythonTree, decode_references
from keel.languages.python.resolve.evaluate import builtin_functions, calls
from keel.languages.python.resolve.evaluate.evaluation import ParameterSlots
from keel.languages.python.resolve.evaluate.evaluator import Evaluator
from keel.languages.python.resolve.evaluate.members import override_edges
from keel.languages.python.resolve.flow.edges import CALLS, Linked
from keel.languages.python.resolve.flow.fixpoint import Fixpoint, PortableValues
from keel.languages.python.resolve.lookup.lookup import (
    AMBIGUOUS,
    CLASS,
    DYNAMIC,
    EXTERNAL,
    FUNCTIONS,
    LEXICAL,
    LINKED,
    MISSING,
    NOT_LOOKED,
    RECEIVER,
    Answer,
    Lookup,
    capped,
)
from keel.languages.python.resolve.lookup.sources import Source
from keel.languages.python.resolve.lookup.tables import VARIABLES, BindingReader, Imported, Table, build_table, visible
from keel.languages.python.standard_library import NAMES_OF_PYTHON
from keel.model.facts import MODULE_DEF, STAR, TYPE_ONLY, Reference
from keel.model.ids import Id
from keel.model.kinds import EdgeKind, NodeKind, Reason, RefKind, Tier
from keel.model.metadata import stored
from keel.model.rows import FileLinks
from keel.ports.language import Confirmed, Flows, HelperTargets

T = TypeVar("T")

EDGES = {
    int(RefKind.IMPORT): int(EdgeKind.IMPORTS),
    int(RefKind.CALL): int(EdgeKind.CALLS),
    int(RefKind.TYPE): int(EdgeKind.TYPE_OF),
    int(RefKind.INHERIT): int(EdgeKind.INHERITS),
    int(RefKind.DECORATE): int(EdgeKind.DECORATES),
    int(RefKind.READ): int(EdgeKind.REFERENCES),
}
TREESITTER, HEURISTIC = int(Tier.TIER1_TREESITTER), int(Tier.TIER2_TREESITTER_HEURISTIC)
INSTANTIATES, INHERITS = int(EdgeKind.INSTANTIATES), int(EdgeKind.INHERITS)
"""Plain numbers, since members of enumerations are slow to reach in a loop over every reference."""
CALLING = builtin_functions.CALLERS | calls.CALLERS
NOT_FOLLOWED = (LOCAL, VALUE)
CALL = int(RefKind.CALL)
CLASS_OF_SELF = ".__class__"
UNSETTLED = (AMBIGUOUS, NOT_LOOKED.reason, DYNAMIC.reason)
"""Reasons that evaluation may replace by an edge."""
MAX_FRAMES = 60_000
"""How deep evaluation may nest: a value may depend on a long chain of others."""


Ready = tuple[int, int, tuple[int, int, int, int, int, str], tuple[tuple[int, int], ...]]
"""An answer as edges need it: reason, kind of target, the last six fields of the edge, candidates."""


class _File:
    """The file being linked, with what its references need at hand."""

    def __init__(self, number: int, interface: Interface) -> None:
        self.number = number
        self.interface = interface
        self.bindings = BindingReader(interface)
        self.certain = [len(binding.sites) == 1 for binding in interface.bindings]
        """Bindings that mean the same everywhere in the file."""
        self._receivers: dict[int, list[tuple[str, int, int]]] = {}

    def class_of(self, source: int, text: int) -> int:
        """The class that the receiver (the first name of a text) refers to in a definition, or -1."""
        return self.method_of(source, text)[1]

    def method_of(self, source: int, text: int) -> tuple[int, int]:
        """The method whose receiver the first name of a text is, and its class; or -1."""
        receivers = self._receivers.get(source)
        if receivers is None:
            receivers = self._receivers[source] = self._methods_around(source)
        name = self.interface.strings[text]
        for receiver, method, owner in receivers:
            if name.startswith(receiver):
                return method, owner
        return -1, -1

    def _methods_around(self, source: int) -> list[tuple[str, int, int]]:
        """Receiver (with its dot), ordinal and class of the methods around a definition, the innermost first."""
        interface = self.interface
        found = []
        while source > MODULE_DEF:
            definition = interface.defs[source]
            params = definition.signature.params if definition.signature else []
            if params and interface.defs[definition.parent].kind == NodeKind.CLASS:
                found.append((interface.strings[params[0].name] + ".", source, definition.parent))
            source = definition.parent
        return found


class _Made(dict[int, T]):
    """What is built from files, each when it is first asked for."""

    def __init__(self, make: Callable[[int], T]) -> None:
        super().__init__()
        self._make = make

    def __missing__(self, file: int) -> T:
        made = self[file] = self._make(file)
        return made


class PythonLinker:
    """Links Python files over a workspace; look-ups are cached until it has linked."""

    def __init__(self, tree: PythonTree) -> None:
        self._tree = tree
        self._strings: dict[str, str] = {}
        self._sources: dict[int, Source] = _Made(lambda file: self._made(tree.interface(file)))
        self._tables: dict[int, Table] = _Made(lambda file: build_table(self._sources[file].interface))
        self._source: Callable[[int], Source] = self._sources.__getitem__
        self._table: Callable[[int], Table] = self._tables.__getitem__

    @cached_property
    def _lookup(self) -> Lookup:
        return Lookup(self._tree, self._table)

    @cached_property
    def _evaluator(self) -> Evaluator:
        slots = ParameterSlots(self._tree.files, self._source, self._lookup)
        return Evaluator(self._tree, self._lookup, self._source, slots)

    def learn(self, file: int, interface: Interface) -> None:
        """Takes in a file while its interface is at hand."""
        self._tables[file] = build_table(interface)
        self._sources[file] = self._made(interface)

    def _made(self, interface: Interface) -> Source:
        """A source; strings that many files share are held once."""
        share = self._strings.setdefault
        return Source(interface, [share(text, text) for text in interface.strings])

    def module(self, file: int) -> str:
        """The dotted name of a file."""
        return self._lookup.modules.name(file)

    def settings(self) -> bytes:
        """The source roots as one value."""
        return self._lookup.modules.settings()

    def imported(self, file: int, module: str, level: int, name: str = "") -> Answer:
        """What `from <dots><module> import <name>`, or the module itself, would resolve to in a file."""
        return self._lookup.imported(file, Imported(module, level, name, True, False))

    def link(self, files: Sequence[int], references: Callable[[int], bytes], flows: Flows) -> Iterator[FileLinks]:
        """Edges and reasons for all references of files, and of those that depend on their argument flow."""
        limit = sys.getrecursionlimit()
        sys.setrecursionlimit(max(limit, MAX_FRAMES))
        try:
            yield from self._fixpoint(lambda file: self._first(file, references(file)), flows).run(files)
        finally:
            sys.setrecursionlimit(limit)
            self._let_go()

    def _fixpoint(self, link: Callable[[int], Linked], flows: Flows) -> Fixpoint:
        return Fixpoint(self._evaluator, link, flows, PortableValues(self._tree, self._source))

    def confirm(self, links: FileLinks, references: bytes, said: HelperTargets, tier: int) -> Confirmed:
        """The links of a file merged with the answers of a type checker."""
        from keel.languages.python.resolve.confirm import Confirmation  # only where a type checker has answered

        items = decode_references(references).items
        return Confirmation(self._evaluator, self._tree, links, items, tier).confirmed(said)

    def _let_go(self) -> None:
        """Forgets everything: it is cyclic, and its collection would delay the caller."""
        self.__dict__.pop("_evaluator", None)
        self.__dict__.pop("_lookup", None)
        self._sources.clear()
        self._tables.clear()
        self._strings.clear()

    def _first(self, file: int, references: bytes) -> Linked:
        """Links all references of a file."""
        decoded = decode_references(references)
        linked = Linked(self._evaluator, file, decoded.items, decoded.uses)
        self._lookup.traced(linked.trace, self._go_over, linked, decoded.items)
        linked.rest()
        if linked.is_settled and self._evaluator.is_test(file):
            self._drop(file)
        return linked

    def _drop(self, file: int) -> None:
        """Few others ask for what is in a test, and a large project has more tests than anything else."""
        del self._sources[file]
        self._tables.pop(file, None)

    def _go_over(self, linked: Linked, references: Sequence[Reference]) -> None:
        at_hand = _File(linked.file, self._source(linked.file).interface)
        remembered: dict[object, Ready] = {}
        certain = at_hand.certain
        question: object
        for index, reference in enumerate(references):
            root = reference.root
            if root in NOT_FOLLOWED:
                linked.follow(index)
                continue
            # what is asked, when the answer holds for all references that ask the same
            if root >= 0:
                question = (root, reference.text) if certain[root] else None
            elif root == SELF:
                question = (at_hand.class_of(reference.source, reference.text), ~reference.text)
            else:
                question = reference.text if root == UNBOUND else None
            found = remembered.get(question) if question is not None else None
            if found is None:
                found = self._ready(at_hand, self._answer(at_hand, reference))
                if question is not None:
                    remembered[question] = found
            reason, kind_of_target, target, among = found
            if reason == LINKED:
                kind = _edge_kind(reference.kind, kind_of_target)
                if kind == CALLS:
                    linked.note(target[0], target[1])
                if kind < 0:
                    linked.follow(index)
                elif kind == CALLS and target[1] in self._table(target[0]).decorated:
                    linked.follow(index, named=target)
                elif root == SELF and kind == CALLS:
                    linked.settle_own(index, target, *at_hand.method_of(reference.source, reference.text))
                else:
                    linked.settle(index, kind, target)
            elif reason in UNSETTLED:
                linked.follow(index, reason)
                if linked.reasons[index] == AMBIGUOUS:
                    linked.candidates[index] = self._ids(among)
            elif reference.kind == CALL and reason == EXTERNAL.reason and self._calls_back(at_hand, reference):
                linked.follow(index, reason)
            elif reference.kind == CALL and reason == MISSING and root >= 0:
                linked.follow(index, reason)  # it may be set from outside
            elif root == SELF and reference.kind == CALL:
                method = at_hand.method_of(reference.source, reference.text)[0]
                if reason == EXTERNAL.reason and CLASS_OF_SELF in at_hand.interface.strings[reference.text]:
                    linked.follow(index, reason)
                elif method >= 0:
                    linked.wait(index, reason, method)
                else:
                    linked.reasons.append(reason)
            else:
                linked.reasons.append(reason)
        linked.add(override_edges(self._lookup, self._table(linked.file), self._source(linked.file), linked.file))
        linked.finish()

    @staticmethod
    def _calls_back(at_hand: _File, reference: Reference) -> bool:
        """Whether something from outside may call its arguments, by its name."""
        return at_hand.interface.strings[reference.text].rpartition(".")[2] in CALLING

    def _answer(self, at_hand: _File, reference: Reference) -> Answer:
        root = reference.root
        interface = at_hand.interface
        if root == IMPORTED:
            return self._import(at_hand, reference)
        first, *rest = interface.strings[reference.text].split(".")
        if root >= 0:
            sites = at_hand.bindings.sites(root)
            source = interface.defs[reference.source]
            evaluated_in = source.parent if reference.at < source.body else reference.source
            same_scope = interface.bindings[root].scope == evaluated_in
            at = source.start + reference.at if same_scope else None
            answer = self._lookup.choose(at_hand.number, visible(sites, at))
        elif root == UNBOUND:
            answer = self._lookup.from_stars(at_hand.number, first)
            if answer.reason == Reason.NO_CANDIDATE and first in NAMES_OF_PYTHON:
                answer = EXTERNAL
        elif root == SELF and rest and (owner := at_hand.class_of(reference.source, reference.text)) >= 0:
            answer = capped(self._lookup.attribute(at_hand.number, owner, rest.pop(0)), RECEIVER)
        else:
            return NOT_LOOKED
        for name in rest:
            answer = self._lookup.member(answer, name)
        return answer

    def _import(self, at_hand: _File, reference: Reference) -> Answer:
        interface = at_hand.interface
        item = interface.imports[reference.value]
        name = "" if item.flags & STAR else interface.text(item.name)
        module, type_only = interface.text(item.module), bool(item.flags & TYPE_ONLY)
        return self._lookup.imported(at_hand.number, Imported(module, item.level, name, True, type_only))

    def _ready(self, at_hand: _File, answer: Answer) -> Ready:
        """An answer in the form that edges need, which many references share."""
        lexical = answer.confidence == LEXICAL and answer.file == at_hand.number
        target = (
            answer.file,
            answer.ordinal,
            TREESITTER if lexical else HEURISTIC,
            answer.confidence,
            int(answer.type_only),
            stored(answer.star, self._ids(answer.candidates)) if answer.star or answer.candidates else "",
        )
        return answer.reason, answer.kind, target, answer.candidates

    def _ids(self, targets: tuple[tuple[int, int], ...]) -> list[str]:
        """Ids of definitions, in the order of the search."""
        ids = []
        for file, ordinal in targets:
            row = self._tree.files[file]
            interface = self._tree.interface(file)
            definition = interface.defs[ordinal]
            name = interface.text(definition.qualified_name)
            ids.append(str(Id("sym", row.root, row.path, name, definition.occurrence)))
        return ids


def _edge_kind(role: int, target: int) -> int:
    """The kind of edge that a role makes with a kind of target; -1 when they do not fit: a variable that is called."""
    kind = EDGES[role]
    if kind == CALLS and target not in FUNCTIONS:
        return INSTANTIATES if target == CLASS else -1
    return -1 if kind == INHERITS and target in VARIABLES else kind
