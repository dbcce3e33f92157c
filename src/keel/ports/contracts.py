"""The Contracts socket: what a language knows about calls and definitions of two trees, base and now.

Which calls are looked at, and what a finding is, is not its business.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from typing import NamedTuple, Protocol

from keel.model.contracts import Alteration, Spot, Successor, Verdict
from keel.model.facts import Facts, Import, Interface, Reference
from keel.ports.tree import Given, Tree


class Side(NamedTuple):
    """One of the two trees."""

    tree: Tree
    references: Callable[[int], bytes]
    """The encoded references of a file."""
    given: Given


class Contracts(Protocol):
    """Judgements about two trees."""

    def fits_now(self, file: int, reference: Reference, callee: Spot) -> Verdict:
        """Whether a call of a file as it is now fits what it calls."""

    def fitted(self, file: int, reference: Reference, callee: Spot) -> Verdict:
        """The same in base."""

    def alterations(self, before: Spot, after: Spot) -> Sequence[Alteration]:
        """What has changed about a definition for those who rely on it."""

    def is_touched(self, file: int, reference: Reference, callee: Spot, alteration: Alteration) -> bool:
        """Whether a call, as it is now, has to do with a change: it gives the parameter a value, it uses the result.

        False where it is proven that the call is as good as before.
        """

    def is_named(self, file: int, reference: Reference, callee: Spot) -> bool:
        """Whether a call as it is now names what it calls, rather than to call a value that may be another one."""

    def extent(self, interface: Interface, reference: Reference) -> tuple[int, int]:
        """Where a use begins and ends, as offsets: a call with its arguments, else the name with what it hangs on."""

    def is_awaited(self, lines: Sequence[str], interface: Interface, reference: Reference) -> bool:
        """Whether what a call gives is awaited at once, or handed to whoever awaits it."""

    def is_used_up(self, lines: Sequence[str], interface: Interface, reference: Reference) -> bool:
        """Whether what a call gives is used on the spot, as a value and not as something that is awaited later."""

    def successors(self, before: Mapping[str, Facts], after: Mapping[str, Facts]) -> dict[tuple[str, str], Successor]:
        """What has likely become of definitions that are gone, by path and qualified name."""

    def is_excused(self, lines: Sequence[str], line: int, is_import: bool) -> bool:
        """Whether the source itself says that this line may be wrong: a test that expects the failure."""

    def is_missing(self, file: int, reference: Reference) -> bool:
        """Whether a reference of now, which leads out of the workspace, certainly finds nothing there."""

    def is_unfound(self, file: int, reference: Reference) -> bool:
        """Whether a reference of now takes a name from a module of the workspace that does not say it has it."""

    def asked_modules(self, file: int, reference: Reference) -> Set[int]:
        """The modules of the workspace, by their files, that the imports behind a reference of now take it from."""

    def may_be_made(self, file: int, reference: Reference) -> bool:
        """Whether a module that a reference of now takes a name from may have names that it does not say."""

    def unknown(self, file: int, references: Sequence[Reference], is_now: bool) -> Iterator[tuple[Reference, str]]:
        """The references of a file, as it is now or was in base, that certainly find nothing, with the missing name."""

    def is_meant(self, file: int, reference: Reference, name: str) -> bool:
        """Whether a reference of now, which finds nothing, says this name on something that may be known to have it.

        False for a value that is called or read under another name, and on a receiver nobody knows any more: who holds
        what has changed somewhere else, and is found there.
        """

    def is_set_on(self, file: int, place: int, member: Spot) -> bool:
        """Whether the attribute of base that the value at a place of the tape names is a member of a known class."""

    def unbound(self, before: Interface, after: Interface) -> Set[str]:
        """The names that a file bound in base, and that nothing at its top binds now; none where that is not seen."""

    def imported_as(self, interface: Interface, item: Import) -> str:
        """What an import calls what it brings."""

    def is_guarded(self, interface: Interface, reference: Reference) -> bool:
        """Whether the source is prepared for the name not to be there: an import inside a `try`."""

    def untyped(self, interface: Interface, ordinal: int) -> tuple[Sequence[str], bool] | None:
        """Parameters without a type, and whether the result has none; None where the language asks for none."""

    def undocumented(self, interface: Interface, ordinal: int, full: bool) -> str | None:
        """What the doc of a public function lacks, in words; None when nothing, or when it is not public."""
