"""The Contracts socket: what a language knows about calls and definitions of two trees, base and now.

It is optional. A language without one gets the defaults of these Protocols, which all answer "not known", so that only
what the links alone prove is reported. Which calls are checked, and what becomes a finding, is left to enforcement.

An implementation must not guess: a positive answer is a proof from the facts of the two trees, since findings rest on
it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from typing import Any, Generic, NamedTuple, Protocol

from keel.model.contracts import Alteration, State, Successor, Verdict
from keel.model.facts import Facts, Interface, Reference
from keel.model.refs import DefRef
from keel.ports.tree import InterfaceT, SlotContents, Tree

NOT_KNOWN = Verdict(State.NOT_KNOWN)


class TreeVersion(NamedTuple, Generic[InterfaceT]):
    """One of the two trees that are compared."""

    tree: Tree[InterfaceT]
    references: Callable[[int], bytes]
    """The encoded references of a file, by its number."""
    given: SlotContents


class NameContracts(Protocol):
    """Judgements about names: whether a reference that does not resolve is broken, or may be intended so."""

    def is_missing(self, file: int, reference: Reference) -> bool:
        """Whether a current reference, whose target is outside of the workspace, certainly has no target there."""
        return False

    def is_unfound(self, file: int, reference: Reference) -> bool:
        """Whether a current reference takes a name from a module of the workspace whose source does not define that
        name."""
        return False

    def asked_modules(self, file: int, reference: Reference) -> Set[int]:
        """The modules of the workspace, by file number, that the imports behind a current reference take the name
        from."""
        return frozenset()

    def may_be_made(self, file: int, reference: Reference) -> bool:
        """Whether a module that a current reference takes a name from may create names at run time."""
        return False

    def unknown(self, file: int, references: Sequence[Reference], is_now: bool) -> Iterator[tuple[Reference, str]]:
        """The references of a file, of now or of base, that certainly do not resolve, each with the missing name."""
        return iter(())

    def is_meant(self, file: int, reference: Reference, name: str) -> bool:
        """Whether a current reference that does not resolve uses this name on a receiver that may be known to have it.

        False for a value that is called or read under another name, and on a receiver that is no longer known: the
        change of what it holds is elsewhere, and is reported there.
        """
        return True

    def is_member(self, file: int, target: int, member: DefRef) -> bool:
        """Whether the target of an assignment in base is a member of a known class."""
        return False

    def unbound(self, before: Any, after: Any) -> Set[str]:
        """The names that a file bound in base and that nothing at its top level binds now; empty where that is not
        known."""
        return frozenset()

    def is_guarded(self, interface: Any, reference: Reference) -> bool:
        """Whether the source is prepared for the name to be missing: an import inside a `try`."""
        return False


class ResultContracts(Protocol):
    """Judgements about the use of a call's result, for languages in which it may have to be awaited."""

    def is_awaited(self, lines: Sequence[str], interface: Any, reference: Reference) -> bool:
        """Whether the result of a call is awaited at once, or passed to a function that awaits it."""
        return True

    def is_used_up(self, lines: Sequence[str], interface: Any, reference: Reference) -> bool:
        """Whether the result of a call is used immediately as a value, rather than kept to be awaited later."""
        return False


class Contracts(Protocol):
    """Judgements about calls and definitions."""

    @property
    def names(self) -> NameContracts:
        """Judgements about names that do not resolve."""
        return UNKNOWN_NAMES

    @property
    def results(self) -> ResultContracts:
        """Judgements about the results of calls."""
        return UNKNOWN_RESULTS

    def fits(self, file: int, reference: Reference, callee: DefRef, is_now: bool = True) -> Verdict:
        """Whether a call binds to the signature of its callee, both as of now or both as of base."""
        return NOT_KNOWN

    def alterations(self, before: DefRef, after: DefRef) -> Sequence[Alteration]:
        """The changes of a definition that can affect the code that uses it."""
        return ()

    def is_touched(self, file: int, reference: Reference, callee: DefRef, alteration: Alteration) -> bool:
        """Whether a current call is affected by a change: it passes a value to the parameter, or it uses the result.

        False only where the call is proven to work as before.
        """
        return True

    def is_named(self, file: int, reference: Reference, callee: DefRef) -> bool:
        """Whether a current call names its callee, rather than calls a value that may be something else."""
        return True

    def extent(self, interface: Any, reference: Reference) -> tuple[int, int]:
        """The source span of a use, as byte offsets: a call with its arguments, else the name with its receiver."""
        return name_extent(interface, reference)

    def is_excused(self, lines: Sequence[str], line: int, is_import: bool) -> bool:
        """Whether the source itself declares that this line may fail, such as a test that expects the exception."""
        return False

    def successors(self, before: Mapping[str, Facts], after: Mapping[str, Facts]) -> dict[tuple[str, str], Successor]:
        """The likely successors of definitions that were removed, by path and qualified name."""
        return {}


def name_extent(interface: Interface, reference: Reference) -> tuple[int, int]:
    """The source span of the last name of a reference, as byte offsets, whatever separates names in its language."""
    at = interface.defs[reference.source].start + reference.at
    name = _last_name(interface.text(reference.text))
    return at, at + (len(name[0].encode()) if name is not None else 0)


_last_name = re.compile(r"\w+$").search


class _UnknownNames(NameContracts):
    """The defaults, for a language without judgements about names."""


class _UnknownResults(ResultContracts):
    """The defaults, for a language without judgements about results."""


class UnknownContracts(Contracts):
    """The defaults, for a language without contracts."""


UNKNOWN_NAMES, UNKNOWN_RESULTS = _UnknownNames(), _UnknownResults()
