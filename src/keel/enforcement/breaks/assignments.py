"""Assignments to a property that was removed, or has lost its setter: `page.size = 3` calls the setter.

An assignment is no reference and has no edge. So it is searched by the name that it sets, in the files with edges into
that of the property, and matched by the type that base has for its receiver.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from keel.enforcement.comparison import Comparison
from keel.enforcement.delta import is_lost_setter
from keel.enforcement.graphs import Edge
from keel.model.facts import PLAIN, PROPERTY, Assign, Interface, Reference
from keel.model.kinds import EdgeKind, RefKind, Tier
from keel.model.refs import DefRef

CONFIDENCE = 80
"""Of the use, in hundredths: the same as for a member that is read from a known receiver."""
MAX_FILES = 300
"""Files with edges into that of the property that are searched."""


class Assignment(NamedTuple):
    """A current assignment, in the form of a reference with an edge."""

    edge: Edge
    reference: Reference
    why: str
    is_certain: bool
    """Whether it fails: a name that no class defines can still be set."""


def assignments(comparison: Comparison, ref: DefRef) -> Iterator[Assignment]:
    """The assignments that called a setter in base, when the setter or its getter was removed."""
    base = comparison.base.facts
    definition = base.interface(ref.file).defs[ref.ordinal]
    is_setter = is_lost_setter(base, comparison.now.facts, ref, comparison.syntax(ref.file, is_now=False))
    getter = base.named(ref.file, (base.name(ref)[0], 1)) if is_setter else ref
    if getter is None or not (is_setter or definition.flags & PROPERTY):
        return
    why = "sets it, and it has no setter now" if is_setter else "sets it"
    name = base.interface(ref.file).text(definition.name)
    for file in dict.fromkeys([ref.file, *comparison.now.files_into(ref.file)[:MAX_FILES]]):
        if base.has(file) and comparison.now.facts.has(file) and comparison.now.mentions(file, [name.encode()]):
            for reference in _setting(comparison, file, name, getter):
                at = comparison.now.facts.interface(file).defs[reference.source].start + reference.at
                tier = Tier.TIER2_TREESITTER_HEURISTIC
                edge = Edge(file, reference.source, at, EdgeKind.CALLS, ref, tier, CONFIDENCE, True)
                yield Assignment(edge, reference, why, is_setter)


def _setting(comparison: Comparison, file: int, name: str, getter: DefRef) -> Iterator[Reference]:
    """The current assignments of a file that base has too, where they set a property."""
    base, now = comparison.base.facts.interface(file), comparison.now.facts.interface(file)
    wanted = {
        _key(base, each)
        for each in base.assigns
        if _sets(base, each, name) and comparison.contracts.names.is_member(file, each.target, getter)
    }
    for each in now.assigns if wanted else ():
        if _sets(now, each, name) and _key(now, each) in wanted:
            text = now.chain(each.target) or ""
            at = each.at + len(text.encode()) - len(name.encode()) - now.defs[each.scope].start
            yield Reference(RefKind.READ, each.scope, at, now.strings.index(text))


def _sets(interface: Interface, assign: Assign, name: str) -> bool:
    """Whether an assignment sets an attribute of that name at the end of a chain."""
    text = interface.chain(assign.target) if assign.how == PLAIN else None
    return text is not None and text.endswith(f".{name}")


def _key(interface: Interface, assign: Assign) -> tuple[str, str]:
    """What an assignment sets, and in which definition."""
    around = interface.text(interface.defs[assign.scope].qualified_name)
    return around, interface.chain(assign.target) or ""
