"""Strict names: the one definition that a name means, or its dotted name outside, when there is no other possibility.

Resolution proper (`resolve`) answers as well as it can and says how sure it is. Binding may only build on what is
certain: a name with two meanings, a value that is computed, a star import in the way all mean that nothing is known.
A class's bases are such names; members along their order are left to `callees`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from keel.languages.python import forms
from keel.languages.python.binding.calls import held, text_of
from keel.languages.python.facts import CELLS, UNBOUND, Import, Interface, PythonTree
from keel.languages.python.resolve.inheritance import method_order
from keel.languages.python.resolve.lookup.modules import Modules
from keel.languages.python.resolve.lookup.tables import visible
from keel.languages.python.standard_library import BUILTINS
from keel.model.facts import DEFINED, FROM_IMPORT, INSTANCE, MODULE_DEF, NOTHING, STAR, Site
from keel.model.kinds import NodeKind
from keel.model.refs import DefRef

MAX_STEPS = 20
"""How many names are followed from one to the next; more of them are a cycle."""


class Asked(NamedTuple):
    """A name that a file takes from a module of the workspace, and the local name."""

    module: int
    name: str
    dotted: str
    level: int


Meaning = DefRef | str | None
"""A definition, the dotted name of something outside the workspace, or nothing that is certain."""

OUTSIDE = -1


class Names:
    """The names of a workspace as it is now; what a file binds is read once."""

    def __init__(self, tree: PythonTree) -> None:
        self.interface = tree.interface
        self._modules = tree.layout(Modules)
        self._sites: dict[int, dict[tuple[int, str], Sequence[Site]]] = {}

    def meaning(self, file: int, expr: int, steps: int = 0) -> Meaning:
        """What the value of an expression of a file means."""
        interface = self.interface(file)
        expr = held(interface, expr)
        if expr < 0 or steps > MAX_STEPS:
            return None
        ir = interface.ir
        op = ir[expr]
        if op == forms.CHAIN:
            return self._chain(file, interface.strings[ir[expr + 1]], ir[expr + 2], steps)
        if op == forms.BOUND:
            parts = interface.strings[ir[expr + 1]].split(".")
            known = ir[expr + 3] or len(parts)
            if known > 1:  # an attribute that was set: what setting it does is not known
                return None
            rest, value = parts[known:], ir[expr + 2]
            if value >= 0 and ir[value] == forms.IMPORT:
                return self._imported(file, ir[value + 1], rest, steps)
            return self._members(self.meaning(file, value, steps + 1), rest, steps)
        if op == forms.ATTR:
            owner = self.meaning(file, ir[expr + 1], steps + 1)
            return self._members(owner, [interface.strings[ir[expr + 2]]], steps)
        if op in (forms.DEFINED, forms.LAMBDA):
            return DefRef(file, ir[expr + 1])
        return self._imported(file, ir[expr + 1], (), steps) if op == forms.IMPORT else None

    def written(self, file: int, dotted: str, steps: int = 0) -> Meaning:
        """What a dotted name means that is written at the top level of a file, as in a quoted annotation."""
        first, *rest = dotted.split(".")
        sites = self.sites(file, MODULE_DEF, first)
        if not sites:
            return self._members(self._unbound(file, first), rest, steps)
        return self._of_sites(file, sites, rest, steps)

    def sites(self, file: int, scope: int, name: str) -> Sequence[Site]:
        """The sites of a scope that bind a name and may hold at its end, without names that only instances have."""
        known = self._sites.get(file)
        if known is None:
            known = self._sites[file] = _sites_of(self.interface(file))
        return known.get((scope, name), [])

    def label(self, ref: DefRef) -> str:
        """The qualified name of a definition."""
        interface = self.interface(ref.file)
        return interface.text(interface.defs[ref.ordinal].qualified_name)

    def _chain(self, file: int, text: str, root: int, steps: int) -> Meaning:
        first, *rest = text.split(".")
        interface = self.interface(file)
        if root >= 0:
            return self._of_sites(file, visible(interface.bindings[root].sites), rest, steps)
        if root <= CELLS:
            exprs = interface.cells[CELLS - root]
            only = self.meaning(file, exprs[0], steps + 1) if len(exprs) == 1 else None
            return self._members(only, rest, steps)
        return self._members(self._unbound(file, first), rest, steps) if root == UNBOUND else None

    def _of_sites(self, file: int, sites: Sequence[Site], rest: Sequence[str], steps: int) -> Meaning:
        found = {self._site(file, site, rest, steps) for site in sites}
        return found.pop() if len(found) == 1 else None

    def _site(self, file: int, site: Site, rest: Sequence[str], steps: int) -> Meaning:
        if site.what == FROM_IMPORT:
            return self._imported(file, site.target, rest, steps)
        if site.what == DEFINED:
            return self._members(DefRef(file, site.target), rest, steps)
        return self._members(self.meaning(file, site.target, steps + 1), rest, steps)

    def _unbound(self, file: int, name: str) -> Meaning:
        interface = self.interface(file)
        has_stars = any(item.flags & STAR for item in interface.imports)
        return f"builtins.{name}" if name in BUILTINS and not has_stars else None

    def _imported(self, file: int, index: int, rest: Sequence[str], steps: int) -> Meaning:
        """What an import binds, and then an attribute of it."""
        interface = self.interface(file)
        item = interface.imports[index]
        module, name = interface.text(item.module), interface.text(item.name)
        if name:
            return self._members(self._from(file, module, item.level, name, steps), rest, steps)
        parts = module.split(".") if item.alias >= 0 else [module.partition(".")[0], *rest]
        rest = rest if item.alias >= 0 else ()
        for length in range(len(parts), 0, -1):  # `import a.b` binds `a`, through which `a.b.c` is reached
            found = self.module(file, ".".join(parts[:length]), 0)
            if found != OUTSIDE and found is not None:
                return self._members(DefRef(found, MODULE_DEF), [*parts[length:], *rest], steps)
        return ".".join([*parts, *rest]) if self.module(file, parts[0], 0) == OUTSIDE else None

    def _from(self, file: int, module: str, level: int, name: str, steps: int) -> Meaning:
        found = self.module(file, module, level)
        if found == OUTSIDE:
            return f"{module}.{name}"
        if found is not None and self.sites(found, MODULE_DEF, name):
            return self._members(DefRef(found, MODULE_DEF), [name], steps)
        below = self.module(file, f"{module}.{name}" if module else name, level)
        return DefRef(below, MODULE_DEF) if below is not None and below >= 0 else None

    def _members(self, owner: Meaning, names: Sequence[str], steps: int) -> Meaning:
        for name in names:
            if isinstance(owner, str):
                owner = f"{owner}.{name}"
            elif owner is not None and steps < MAX_STEPS:
                kind = self.interface(owner.file).defs[owner.ordinal].kind
                inside = kind in (NodeKind.MODULE, NodeKind.CLASS)
                sites = self.sites(owner.file, owner.ordinal, name) if inside else []
                owner = self._of_sites(owner.file, sites, (), steps + 1)
            else:
                return None
        return owner

    def asked(self, file: int, item: Import, rest: Sequence[str] = ()) -> Asked | None:
        """The module of the workspace that an import takes a name from; for `import a`, with the names that follow."""
        interface = self.interface(file)
        module, name = interface.text(item.module), interface.text(item.name)
        if name:
            return self._asked_from(file, item, module, name, rest)
        parts = [*(module.split(".") if item.alias >= 0 else [module.partition(".")[0]]), *rest]
        for length in range(len(parts) - 1, 0, -1):
            found = self.module(file, ".".join(parts[:length]), 0)
            if found is not None and found != OUTSIDE:
                return Asked(found, parts[length], ".".join(parts[:length]), 0)
        return None

    def _asked_from(self, file: int, item: Import, module: str, name: str, rest: Sequence[str]) -> Asked | None:
        """The module that a `from` import names, or the submodule that it binds, when a name follows that."""
        found = self.module(file, module, item.level)
        has_own = found is not None and found != OUTSIDE and bool(self.sites(found, MODULE_DEF, name))
        dotted = f"{module}.{name}" if module else name
        below = self.module(file, dotted, item.level) if rest and not has_own else None
        if below is not None and below != OUTSIDE:
            return Asked(below, rest[0], dotted, item.level)
        return None if found is None or found == OUTSIDE else Asked(found, name, module, item.level)

    def is_unfound(self, file: int, asked: Asked) -> bool:
        """Whether a module lacks a name that a file imports from it, unless the module computes it."""
        there = self.interface(asked.module)
        if there.gaps or any(each.flags & STAR for each in there.imports):
            return False
        dotted, level = asked.dotted, asked.level
        below = self.module(file, f"{dotted}.{asked.name}" if dotted else asked.name, level)
        is_below = below not in (None, OUTSIDE) if level else below != OUTSIDE
        return not is_below and not self.sites(asked.module, MODULE_DEF, asked.name)

    def maker(self, file: int) -> Sequence[Site]:
        """What computes names of a module on access."""
        return self.sites(file, MODULE_DEF, "__getattr__")

    def module(self, file: int, dotted: str, level: int) -> int | None:
        """The file of a module, as an import of a file names it; OUTSIDE, or None where that is not certain."""
        if level:
            near = self._modules.relative(file, level, dotted, set())
            return near.file if near is not None and near.file >= 0 else None
        found = self._modules.absolute(file, dotted, set())
        if not found:
            return OUTSIDE
        return found[0].file if len(found) == 1 and found[0].file >= 0 else None


def _sites_of(interface: Interface) -> dict[tuple[int, str], Sequence[Site]]:
    """The sites of every name of a file that may hold in the end, by scope and name."""
    found: dict[tuple[int, str], list[Site]] = {}
    for binding in interface.bindings:
        sites = [
            site
            for site in binding.sites
            if not (site.what == DEFINED and interface.defs[site.target].flags & INSTANCE)
        ]
        found.setdefault((binding.scope, interface.strings[binding.name]), []).extend(sites)
    return {key: visible(sites) for key, sites in found.items()}


def only_definition(sites: Sequence[Site]) -> int | None:
    """The one definition that sites bind a name to."""
    if len(sites) == 1 and sites[0].what == DEFINED and not sites[0].conditional:
        return sites[0].target
    return None


class Stranger(NamedTuple):
    """A base that is no class of the workspace."""

    text: str
    """Its dotted name: outside, or in the file where that is not certain."""
    known: bool
    file: int = NOTHING
    base: int = NOTHING
    """Its offset, when it is a value and not a name."""


Ancestor = DefRef | Stranger
MAX_DEEP = 50


def ancestors(names: Names, ref: DefRef, depth: int = 0) -> list[Ancestor]:
    """The class and its bases, in Python's order."""
    interface = names.interface(ref.file)
    bases: list[tuple[Ancestor, list[Ancestor]]] = []
    for base in interface.defs[ref.ordinal].bases:
        parent = base_of(names, ref.file, base)
        if isinstance(parent, DefRef) and depth >= MAX_DEEP:  # a class that is its own base
            parent = Stranger(text_of(interface, base), False)
        bases.append((parent, ancestors(names, parent, depth + 1) if isinstance(parent, DefRef) else [parent]))
    return method_order(ref, bases)


def base_of(names: Names, file: int, base: int) -> Ancestor:
    """What a base is."""
    interface = names.interface(file)
    text = text_of(interface, base)
    meaning = names.meaning(file, base)
    if isinstance(meaning, str):
        return Stranger(meaning, True)
    if meaning is None:
        return Stranger(text, False, file, base)
    kind = names.interface(meaning.file).defs[meaning.ordinal].kind
    return meaning if kind == NodeKind.CLASS else Stranger(text, False, file, base)
