"""The Contracts socket for Python. Binding and comparison are imported only when something differs, which is rare.

Each judgement is left to a module of its own here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from functools import cached_property
from typing import TYPE_CHECKING

from keel.languages.python.facts import Import, Interface, PythonSide
from keel.model.contracts import Alteration, Successor, Verdict
from keel.model.facts import CONDITIONAL, TYPE_ONLY, Facts, Reference
from keel.model.kinds import RefKind
from keel.model.refs import DefRef
from keel.ports.contracts import Contracts, NameContracts, ResultContracts

if TYPE_CHECKING:
    from keel.languages.python.binding.names import Asked, Names
    from keel.languages.python.contracts.calls import Calls


class PythonContracts(Contracts, NameContracts, ResultContracts):
    """Judgements about Python in two trees."""

    def __init__(self, base: PythonSide, now: PythonSide) -> None:
        self._base, self._now = base, now

    @property
    def names(self) -> NameContracts:
        """Unbound names are judged here too."""
        return self

    @property
    def results(self) -> ResultContracts:
        """As are results."""
        return self

    @cached_property
    def _names_then(self) -> Names:
        from keel.languages.python.binding.names import Names

        return Names(self._base.tree)

    @cached_property
    def _names_now(self) -> Names:
        from keel.languages.python.binding.names import Names

        return Names(self._now.tree)

    @cached_property
    def _calls_then(self) -> Calls:
        from keel.languages.python.contracts.calls import Calls

        return Calls(self._base, self._names_then)

    @cached_property
    def _calls_now(self) -> Calls:
        from keel.languages.python.contracts.calls import Calls

        return Calls(self._now, self._names_now)

    def fits(self, file: int, reference: Reference, callee: DefRef, is_now: bool = True) -> Verdict:
        """Whether a call fits what it calls."""
        return (self._calls_now if is_now else self._calls_then).fit(file, reference, callee)

    def alterations(self, before: DefRef, after: DefRef) -> Sequence[Alteration]:
        """What has changed about a definition."""
        from keel.languages.python.comparison.signatures import Version, alterations
        from keel.model.refs import DefRef

        return alterations(Version(self._names_then, DefRef(*before)), Version(self._names_now, DefRef(*after)))

    def is_touched(self, file: int, reference: Reference, callee: DefRef, alteration: Alteration) -> bool:
        """Whether a call of the current tree is affected by a change."""
        return self._calls_now.is_touched(file, reference, callee, alteration)

    def is_named(self, file: int, reference: Reference, callee: DefRef) -> bool:
        """Whether a call of the current tree names its callee."""
        return self._calls_now.is_named(file, reference, callee)

    def extent(self, interface: Interface, reference: Reference) -> tuple[int, int]:
        """Where a use begins and ends."""
        from keel.languages.python.contracts.excuses import extent

        return extent(interface, reference)

    def is_awaited(self, lines: Sequence[str], interface: Interface, reference: Reference) -> bool:
        """Whether the result of a call is awaited."""
        from keel.languages.python.contracts.excuses import is_awaited

        return is_awaited(lines, interface, reference)

    def is_used_up(self, lines: Sequence[str], interface: Interface, reference: Reference) -> bool:
        """Whether the result of a call is used on the spot, and cannot be awaited later."""
        from keel.languages.python.contracts.results import is_used_up

        return is_used_up(lines, interface, reference)

    def successors(self, before: Mapping[str, Facts], after: Mapping[str, Facts]) -> dict[tuple[str, str], Successor]:
        """Where removed definitions have likely moved to."""
        from keel.languages.python.comparison.signatures import successors

        return successors(before, after)

    def is_excused(self, lines: Sequence[str], line: int, is_import: bool) -> bool:
        """Whether the source says that a line may be wrong."""
        from keel.languages.python.contracts.excuses import is_excused

        return is_excused(lines, line, is_import)

    def is_missing(self, file: int, reference: Reference) -> bool:
        """Whether the import behind a reference names something inside a package of the workspace."""
        names = self._names_now
        interface = names.interface(file)
        items = interface.imports_of(reference)
        tops = [
            names.module(file, interface.text(item.module).partition(".")[0], 0) for item in items if not item.level
        ]
        return bool(items) and all(top is not None and top >= 0 for top in tops)

    def is_unfound(self, file: int, reference: Reference) -> bool:
        """Whether the import behind a reference asks a module for a name that it does not have.

        A new `__getattr__` is taken to compute names that were removed.
        """
        asked = self._asked(file, reference)
        has_new_maker = any(self._makes_names(each.module) is False for each in asked)
        return bool(asked) and not has_new_maker and all(self._names_now.is_unfound(file, each) for each in asked)

    def unknown(self, file: int, references: Sequence[Reference], is_now: bool) -> Iterator[tuple[Reference, str]]:
        """The references of a file that certainly do not resolve."""
        from keel.languages.python.contracts.unbound import unknown_names

        return unknown_names(self._names_now if is_now else self._names_then, file, references)

    def may_be_made(self, file: int, reference: Reference) -> bool:
        """Whether a module that the imports behind a reference ask has a `__getattr__`."""
        return any(self._makes_names(each.module) is not None for each in self._asked(file, reference))

    def asked_modules(self, file: int, reference: Reference) -> Set[int]:
        """The modules that the imports behind a reference ask."""
        return {each.module for each in self._asked(file, reference)}

    def _asked(self, file: int, reference: Reference) -> list[Asked]:
        """The names that the imports behind a reference take from modules; none unless that is known of all of them."""
        interface = self._names_now.interface(file)
        _, *rest = interface.text(reference.text).split(".")
        items = interface.imports_of(reference) or interface.module_imports_of(reference)
        found = [self._names_now.asked(file, item, rest) for item in items]
        return [each for each in found if each is not None] if None not in found else []

    def _makes_names(self, file: int) -> bool | None:
        """Whether the `__getattr__` of a module is the function that it was; None where it has none."""
        from keel.languages.python.binding.names import only_definition

        now = self._names_now.maker(file)
        if not now:
            return None
        then = self._names_then.maker(file) if file in self._base.tree.files else ()
        sides = ((now, self._names_now), (then, self._names_then))
        found = [(only_definition(sites), names.interface(file)) for sites, names in sides if sites]
        hashes = [interface.defs[ordinal].body_hash for ordinal, interface in found if ordinal is not None]
        return len(hashes) == len(sides) and hashes[0] == hashes[1]

    def is_meant(self, file: int, reference: Reference, name: str) -> bool:
        """Whether a reference of the current tree is a name on a known value, or through an import."""
        items = self._names_now.interface(file).imports_of(reference)
        if not items:
            return reference.kind == RefKind.IMPORT or self._calls_now.is_spelled(file, reference, name)
        return not all(self._is_from_elsewhere(file, item) for item in items)

    def _is_from_elsewhere(self, file: int, item: Import) -> bool:
        """Whether an import that base does not have binds a name from outside the workspace."""
        from keel.languages.python.binding.names import OUTSIDE

        now, then = self._names_now.interface(file), self._names_then.interface(file)
        module = now.text(item.module)
        if item.level or self._names_now.module(file, module.partition(".")[0], 0) != OUTSIDE:
            return False
        return all(each.level or then.text(each.module) != module for each in then.imports)

    def is_member(self, file: int, target: int, member: DefRef) -> bool:
        """Whether an attribute of base is a member of a class."""
        return self._calls_then.is_member(file, target, member)

    def unbound(self, before: Interface, after: Interface) -> Set[str]:
        """The names that nothing binds any more."""
        from keel.languages.python.contracts.unbound import unbound

        return unbound(before, after)

    def is_guarded(self, interface: Interface, reference: Reference) -> bool:
        """Whether the import behind a reference is inside a `try` or under a condition."""
        flags = [item.flags for item in interface.imports_of(reference)]
        return any(each & CONDITIONAL and not each & TYPE_ONLY for each in flags)
