"""Linking one file: each of its references becomes an edge or a reason.

The extractor has said where the first name of a reference is bound; here that binding is followed to its definition,
and the rest of the chain name by name. What hangs on values (variables, parameters, results of calls) is not looked at.
"""

from __future__ import annotations

import builtins
import json
from functools import cached_property
from typing import NamedTuple

from keel.languages.python.resolve.lookup import (
    EXTERNAL,
    LEXICAL,
    NOT_LOOKED,
    RECEIVER,
    VARIABLES,
    Answer,
    Lookup,
    capped,
)
from keel.languages.python.resolve.tables import (
    MODULE_DEF,
    Bound,
    Imported,
    Table,
    bound_names,
    build_table,
    visible,
)
from keel.model.facts import (
    IMPORTED,
    SELF,
    STAR,
    TYPE_ONLY,
    UNBOUND,
    Interface,
    Reference,
    decode_references,
)
from keel.model.ids import Id
from keel.model.kinds import EdgeKind, NodeKind, Reason, RefKind, Tier
from keel.model.rows import EdgeRow, FileLinks
from keel.ports.language import Tree

BUILTINS = frozenset(dir(builtins)) | {"reveal_type", "reveal_locals", "WindowsError", "__file__", "__path__"}

EDGES = {
    RefKind.IMPORT: EdgeKind.IMPORTS,
    RefKind.CALL: EdgeKind.CALLS,
    RefKind.TYPE: EdgeKind.TYPE_OF,
    RefKind.INHERIT: EdgeKind.INHERITS,
    RefKind.DECORATE: EdgeKind.DECORATES,
    RefKind.READ: EdgeKind.REFERENCES,
}
CALLABLE = frozenset((NodeKind.FUNCTION, NodeKind.METHOD))


class _File(NamedTuple):
    """The file being linked, with what its references need at hand."""

    number: int
    interface: Interface
    bindings: list[tuple[Bound, ...]]


class PythonLinker:
    """Links Python files over a workspace; look-ups are remembered for as long as it lives."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._tables: dict[int, Table] = {}

    @cached_property
    def _lookup(self) -> Lookup:
        return Lookup(self._tree, self._table)

    def learn(self, file: int, interface: Interface) -> None:
        """Takes in a file while its interface is at hand."""
        self._tables[file] = build_table(interface)

    def _table(self, file: int) -> Table:
        table = self._tables.get(file)
        if table is None:
            table = self._tables[file] = build_table(self._tree.interface(file))
        return table

    def module(self, file: int) -> str:
        """The dotted name of a file."""
        return self._lookup.modules.name(file)

    def settings(self) -> bytes:
        """The source roots as one value."""
        return self._lookup.modules.settings()

    def link(self, file: int, references: bytes) -> FileLinks:
        """Edges and reasons for all references of a file, with everything that was looked up for them."""
        interface = self._tree.interface(file)
        at_hand = _open_file(file, interface)
        recorder: set[int] = set()
        self._lookup.keys = recorder
        edges: list[EdgeRow] = []
        reasons = bytearray()
        candidates: dict[int, list[str]] = {}
        remembered: dict[tuple[int, int], Answer] = {}
        for index, reference in enumerate(decode_references(references).items):
            question = (reference.root, reference.text)
            answer = remembered.get(question)
            if answer is None:
                answer = self._answer(at_hand, reference)
                if _holds_everywhere(at_hand, reference):
                    remembered[question] = answer
            edge, reason = self._edge(at_hand, reference, answer)
            if edge is not None:
                edges.append(edge)
            elif reason == Reason.AMBIGUOUS:
                candidates[index] = self._ids(answer.candidates)
            reasons.append(reason)
        self._lookup.keys = set()
        return FileLinks(file, edges, bytes(reasons), candidates, recorder)

    def _answer(self, at_hand: _File, reference: Reference) -> Answer:
        root = reference.root
        interface = at_hand.interface
        if root == IMPORTED:
            return self._import(at_hand, reference)
        text = interface.strings[reference.text]
        first, *rest = text.split(".")
        if root >= 0:
            sites = at_hand.bindings[root]
            same_scope = interface.bindings[root].scope == reference.source
            answer = self._lookup.choose(at_hand.number, visible(sites, reference.at if same_scope else None))
        elif root == UNBOUND:
            answer = self._lookup.from_stars(at_hand.number, first)
            if answer.reason == Reason.NO_CANDIDATE and first in BUILTINS:
                answer = EXTERNAL
        elif root == SELF and rest:
            answer = self._receiver(at_hand, reference, rest.pop(0))
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

    def _receiver(self, at_hand: _File, reference: Reference, name: str) -> Answer:
        """`self.name`: the class around the method that `self` belongs to."""
        interface = at_hand.interface
        receiver = interface.strings[reference.text].partition(".")[0]
        ordinal = reference.source
        while ordinal > MODULE_DEF:
            definition = interface.defs[ordinal]
            params = definition.signature.params if definition.signature else []
            in_class = interface.defs[definition.parent].kind == NodeKind.CLASS
            if in_class and params and interface.strings[params[0].name] == receiver:
                answer = self._lookup.attribute(at_hand.number, definition.parent, name)
                return capped(answer, RECEIVER)
            ordinal = definition.parent
        return NOT_LOOKED

    def _edge(
        self, at_hand: _File, reference: Reference, answer: Answer
    ) -> tuple[EdgeRow | None, Reason]:
        if answer.reason != Reason.LINKED:
            return None, answer.reason
        kind = EDGES[RefKind(reference.kind)]
        if kind == EdgeKind.CALLS and answer.kind not in CALLABLE:
            if answer.kind != NodeKind.CLASS:
                return None, Reason.NOT_LOOKED
            kind = EdgeKind.INSTANTIATES
        elif kind == EdgeKind.INHERITS and answer.kind in VARIABLES:
            return None, Reason.NOT_LOOKED
        lexical = answer.file == at_hand.number and answer.confidence == LEXICAL
        return (
            EdgeRow(
                reference.source,
                reference.at - at_hand.interface.defs[reference.source].start,
                kind,
                answer.file,
                answer.ordinal,
                Tier.TIER1_TREESITTER if lexical else Tier.TIER2_TREESITTER_HEURISTIC,
                answer.confidence,
                int(answer.type_only),
                self._metadata(answer),
            ),
            Reason.LINKED,
        )

    def _metadata(self, answer: Answer) -> str:
        if not answer.star and not answer.candidates:
            return ""
        metadata: dict[str, object] = {}
        if answer.star:
            metadata["warning"] = f"star import from '{answer.star}' — resolution is ambiguous"
        if answer.candidates:
            metadata["candidates"] = self._ids(answer.candidates)
        return json.dumps(metadata, ensure_ascii=False, sort_keys=True)

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


def _open_file(file: int, interface: Interface) -> _File:
    scopes = bound_names(interface)
    bindings = [scopes[binding.scope][interface.strings[binding.name]] for binding in interface.bindings]
    return _File(file, interface, bindings)


def _holds_everywhere(at_hand: _File, reference: Reference) -> bool:
    """Whether the same text with the same root means the same at any place of the file."""
    root = reference.root
    return root == UNBOUND or (root >= 0 and len(at_hand.bindings[root]) == 1)

