"""The Contracts socket: what a language knows about calls and definitions of two trees, base and now.

It is optional. A language that brings none gets the answers of these Protocols, which are all "not known", so that only
what the links alone prove is reported. Which calls are looked at, and what a finding is, is left to enforcement.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from typing import Any, Generic, NamedTuple, Protocol

from keel.model.contracts import Alteration, State, Successor, Verdict
from keel.model.facts import Facts, Interface, Reference
from keel.model.refs import DefRef
from keel.ports.tree import InterfaceT, SlotContents, Tree

NOT_KNOWN = Verdict(State.NOT_KNOWN)


class TreeVersion(NamedTuple, Generic[InterfaceT]):
    """One of the two trees."""

    tree: Tree[InterfaceT]
    references: Callable[[int], bytes]
    """The encoded references of a file."""
    given: SlotContents


class NameContracts(Protocol):
    """Judgements about names: whether a reference that finds nothing is broken, or may be meant to be so."""

    def is_missing(self, file: int, reference: Reference) -> bool:
        """Whether a reference of now, which leads out of the workspace, certainly finds nothing there."""
        return False

    def is_unfound(self, file: int, reference: Reference) -> bool:
        """Whether a reference of now takes a name from a module of the workspace that does not say it has it."""
        return False

    def asked_modules(self, file: int, reference: Reference) -> Set[int]:
        """The modules of the workspace, by their files, that the imports behind a reference of now take it from."""
        return frozenset()

    def may_be_made(self, file: int, reference: Reference) -> bool:
        """Whether a module that a reference of now takes a name from may have names that it does not say."""
        return False

    def unknown(self, file: int, references: Sequence[Reference], is_now: bool) -> Iterator[tuple[Reference, str]]:
        """The references of a file, as it is now or was in base, that certainly find nothing, with the missing name."""
        return iter(())

    def is_meant(self, file: int, reference: Reference, name: str) -> bool:
        """Whether a reference of now, which finds nothing, says this name on something that may be known to have it.

        False for a value that is called or read under another name, and on a receiver that is no longer known: what it
        holds has changed somewhere else, and is found there.
        """
        return True

    def is_member(self, file: int, target: int, member: DefRef) -> bool:
        """Whether the target of an assignment of base is a member of a known class."""
        return False

    def unbound(self, before: Any, after: Any) -> Set[str]:
        """The names that a file bound in base, and that nothing at its top binds now; none where that is not seen."""
        return frozenset()

    def is_guarded(self, interface: Any, reference: Reference) -> bool:
        """Whether the source is prepared for the name to be missing: an import inside a `try`."""
        return False


class ResultContracts(Protocol):
    """Judgements about what becomes of the result of a call, for languages in which it may have to be awaited."""

    def is_awaited(self, lines: Sequence[str], interface: Any, reference: Reference) -> bool:
        """Whether the result of a call is awaited at once, or handed to a function that awaits it."""
        return True

    def is_used_up(self, lines: Sequence[str], interface: Any, reference: Reference) -> bool:
        """Whether the result of a call is used on the spot, as a value and not as something that is awaited later."""
        return False


class Contracts(Protocol):
    """Judgements about calls and definitions."""

    @property
    def names(self) -> NameContracts:
        """What the language knows of names that find nothing."""
        return UNKNOWN_NAMES

    @property
    def results(self) -> ResultContracts:
        """What the language knows of the results of calls."""
        return UNKNOWN_RESULTS

    def fits(self, file: int, reference: Reference, callee: DefRef, is_now: bool = True) -> Verdict:
        """Whether a call fits what it calls, both as they are now or as they were in base."""
        return NOT_KNOWN

    def alterations(self, before: DefRef, after: DefRef) -> Sequence[Alteration]:
        """What has changed about a definition for those who rely on it."""
        return ()

    def is_touched(self, file: int, reference: Reference, callee: DefRef, alteration: Alteration) -> bool:
        """Whether a call, as it is now, has to do with a change: it gives the parameter a value, it uses the result.

        False where it is proven that the call is as good as before.
        """
        return True

    def is_named(self, file: int, reference: Reference, callee: DefRef) -> bool:
        """Whether a call as it is now names what it calls, rather than calls a value that may be another one."""
        return True

    def extent(self, interface: Any, reference: Reference) -> tuple[int, int]:
        """Where a use begins and ends, as offsets: a call with its arguments, else the name with its receiver."""
        return name_extent(interface, reference)

    def is_excused(self, lines: Sequence[str], line: int, is_import: bool) -> bool:
        """Whether the source itself says that this line may be wrong: a test that expects the failure."""
        return False

    def successors(self, before: Mapping[str, Facts], after: Mapping[str, Facts]) -> dict[tuple[str, str], Successor]:
        """What has likely become of definitions that are gone, by path and qualified name."""
        return {}


def name_extent(interface: Interface, reference: Reference) -> tuple[int, int]:
    """Where the last name of a reference begins and ends."""
    at = interface.defs[reference.source].start + reference.at
    return at, at + len(interface.text(reference.text).rpartition(".")[2].encode())


class _UnknownNames(NameContracts):
    """The answers of a language that says nothing about names."""


class _UnknownResults(ResultContracts):
    """The answers of a language that says nothing about results."""


class UnknownContracts(Contracts):
    """The answers of a language that brings no contracts."""


UNKNOWN_NAMES, UNKNOWN_RESULTS = _UnknownNames(), _UnknownResults()
