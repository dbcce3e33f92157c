"""The comparison of the base graph and the current graph of one language, with the lookups that finding breaks needs.

What is broken is left to the modules of `enforcement/breaks`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from keel.enforcement.delta import Delta
from keel.enforcement.graphs import BaseGraph, CurrentGraph, Edge, Facts, key_of
from keel.model.contracts import Alteration
from keel.model.facts import MODULE_DEF, Interface, Reference
from keel.model.findings import Affected
from keel.model.hashing import node_hash, to_text
from keel.model.ids import MODULE, Id
from keel.model.kinds import NodeKind, RefKind, Tier
from keel.model.refs import DefRef
from keel.model.syntax import Syntax, Syntaxes
from keel.ports.contracts import Contracts
from keel.ports.conventions import Conventions
from keel.ports.rule import Break, How, Site, Span, Subject


class Comparison(NamedTuple):
    """Base graph and current graph, and what differs between them."""

    base: BaseGraph
    now: CurrentGraph
    delta: Delta
    contracts: Contracts
    conventions: Conventions | None
    """None for a language without conventions for functions, such as annotations and docstrings."""
    lines: Callable[[int], Sequence[str]]
    """The lines of the current text of a file."""
    lines_before: Callable[[int], Sequence[str]]
    """The lines of its text in base."""
    syntaxes: Syntaxes
    """The syntax of each language, by its name."""

    def syntax(self, file: int, is_now: bool = True) -> Syntax:
        """The syntax of the language that a file is written in."""
        facts: Facts = self.now.facts if is_now else self.base.facts
        return self.syntaxes[facts.tree.files[file].language]

    def subject(self, ref: DefRef, is_now: bool = True) -> Subject:
        """A definition as a finding names it."""
        facts: Facts = self.now.facts if is_now else self.base.facts
        row = facts.tree.files[ref.file]
        interface = facts.interface(ref.file)
        definition = interface.defs[ref.ordinal]
        qualified = interface.text(definition.qualified_name)
        name = str(Id("sym", row.root, row.path, qualified, definition.occurrence))
        return Subject(
            name,
            row.root,
            row.path,
            facts.lines(ref.file).line(definition.name_at),
            to_text(node_hash(name, definition.body_hash, interface.text(definition.doc))),
            NodeKind(definition.kind).word,
            row.path if qualified == MODULE else qualified,
            is_now and self.delta.is_new.get(ref, False) and ref not in self.delta.moved,
            self.syntaxes[row.language],
        )

    def broken(
        self,
        how: How,
        subject: Subject,
        edge: Edge,
        place: tuple[int, Reference],
        why: str,
        changes: Sequence[Alteration] = (),
        is_certain: bool = True,
        successor: str = "",
        name: str = "",
        is_displaced: bool = False,
    ) -> Break | None:
        """A broken reference of a current file; None when the source itself marks it as expected to fail."""
        file, reference = place
        interface = self.now.facts.interface(file)
        line = self.now.facts.lines(file).line(interface.defs[reference.source].start + reference.at)
        if self.contracts.is_excused(self.lines(file), line, reference.kind == RefKind.IMPORT):
            return None
        caller = self.subject(DefRef(file, reference.source))
        return Break(
            how,
            subject,
            tuple(changes),
            Affected(
                hash=caller.hash, name=caller.qualified_name, file=caller.file, line=line, why=why, root=caller.root
            ),
            caller,
            edge.confidence / 100,
            Tier(edge.tier).word,
            is_certain,
            self.span(file, reference),
            is_displaced,
            successor,
            name,
            Site(file, reference),
        )

    def span(self, file: int, reference: Reference) -> Span:
        """The position of a current reference."""
        interface = self.now.facts.interface(file)
        lines = self.now.facts.lines(file)
        at = interface.defs[reference.source].start + reference.at
        start, end = self.contracts.extent(interface, reference)
        return Span(file, lines.place(at), lines.place(start), lines.place(end))

    def same_now(self, file: int, reference: Reference) -> list[tuple[int, Reference]]:
        """The current references, with their index, that are the same use as a reference of base.

        In an unchanged file it is the reference itself. In a changed one, it is the reference with the same text in the
        same definition, at the same position among those with that text. Where the definition no longer has it, all
        references with that text elsewhere in the file count, if the text means the same there: `self.name` of another
        class does not.
        """
        if file not in self.delta.changed:
            at = self.now.facts.interface(file).defs[reference.source].start + reference.at
            return [pair for pair in self.now.facts.references_at(file, at) if pair[1] == reference][:1]
        base, now = self.base.facts.interface(file), self.now.facts.interface(file)
        wanted = key_of(base, reference)
        found = self.now.facts.alike(file, wanted)
        around = base.text(base.defs[reference.source].qualified_name)
        inside = [pair for pair in found if now.text(now.defs[pair[1].source].qualified_name) == around]
        turn = [one for _, one in self.base.facts.alike(file, wanted) if one.source == reference.source]
        if inside:
            return inside[turn.index(reference) :][:1]
        return [pair for pair in found if _means_the_same(now, pair[1])]

    def is_as_it_was(self, file: int, reference: Reference) -> bool:
        """Whether the definition around a reference of base is unchanged."""
        if file not in self.delta.changed:
            return True
        now = self.now.facts.named(file, self.base.facts.name(DefRef(file, reference.source)))
        return now is not None and not self.delta.is_new.get(now, True)

    def is_said_alike(self, file: int, then: Reference, now: Reference) -> bool:
        """Whether a use of base and a current one have the same source text: a call with its arguments."""
        if file not in self.delta.changed:
            return True
        before = self._stretch(self.base.facts, self.lines_before(file), file, then)
        return before == self._stretch(self.now.facts, self.lines(file), file, now)

    def _stretch(self, facts: Facts, lines: Sequence[str], file: int, reference: Reference) -> bytes:
        """The source text of a use, read without decoding the rest of the file."""
        start, end = self.contracts.extent(facts.interface(file), reference)
        (line, column), (last, _) = facts.lines(file).place(start), facts.lines(file).place(end)
        text = "\n".join(lines[line - 1 : last]).encode()
        return text[column - 1 : column - 1 + end - start]

    def same_in_base(self, file: int, reference: Reference) -> list[Reference]:
        """The references of base that are the same use as a current one: the same text in the same definition."""
        if file not in self.delta.changed:
            return [reference]
        if not self.base.facts.has(file):
            return []
        base, now = self.base.facts.interface(file), self.now.facts.interface(file)
        around = now.text(now.defs[reference.source].qualified_name)
        return [
            one
            for _, one in self.base.facts.alike(file, key_of(now, reference))
            if base.text(base.defs[one.source].qualified_name) == around
        ]


def _means_the_same(interface: Interface, reference: Reference) -> bool:
    """Whether a text means the same in the whole file: a plain name, or a chain that starts at a name of the module."""
    if "." not in interface.text(reference.text):
        return True
    return reference.kind == RefKind.IMPORT or interface.scope_of(reference) == MODULE_DEF
