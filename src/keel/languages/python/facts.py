"""Python's facts: the common ones (`model/facts.py`) with those that only Python's own linker and contracts read.

Bindings, cells and where names are bound are settled while a file is read; what they resolve to in other files is left
to `resolve/`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec
from msgspec import Struct, field

from keel.languages.python import forms
from keel.model import facts as common
from keel.model.expressions import Value
from keel.model.facts import ASSIGNED, FROM_IMPORT, NOTHING, Reference, Site
from keel.ports.contracts import TreeVersion
from keel.ports.tree import Tree

# where the first name of a reference is bound, when it is not a binding of the interface (>= 0)
UNBOUND = -1
LOCAL = -2
SELF = -3
VALUE = -4
"""The text is looked up on a value that is not a plain chain: `f().x`."""
IMPORTED = -5
"""An import statement's own name; `value` is the index of the import."""
CELLS = -16
"""The root of a CHAIN that begins with a variable of a function around: `CELLS - index`, of the interface's cells."""


class Def(common.Def, array_like=True, frozen=True):
    """A definition, with Python's own fields."""

    keywords: tuple[tuple[int, int], ...] = ()
    """Class keywords such as `metaclass=M`: name and value."""
    used_parameters: int = 0
    """Which parameters the body uses as values: a bit for each."""


class Import(common.Import, array_like=True, frozen=True, gc=False):
    """One imported name: `from <level dots><module> import <name> as <alias>`; without a name, `import <module>`."""

    module: int
    level: int


class Binding(Struct, array_like=True, frozen=True):
    """All sites at which a scope (a definition) binds one name, in source order."""

    scope: int
    name: int
    sites: list[Site]


class Interface(common.Interface, array_like=True, frozen=True):
    """The interface of a Python file, with the fields that only Python reads behind the common ones."""

    defs: list[Def]
    imports: list[Import]
    bindings: list[Binding] = field(default_factory=list)
    cells: list[list[int]] = field(default_factory=list)
    """The values that a variable of a function may hold, for those that other functions read: all it is assigned."""

    def expression(self, at: int) -> Value:
        """The value of an expression, with Python's own forms."""
        return forms.read(self.ir, self.strings, at)

    def imported_as(self, item: common.Import) -> str:
        """The alias, the name, or the first name of a dotted module."""
        return self.text(item.alias) or self.text(item.name) or self.text(item.specifier).partition(".")[0]

    def scope_of(self, reference: Reference) -> int:
        """The scope of the binding that the first name of a reference has."""
        return self.bindings[reference.root].scope if reference.root >= 0 else NOTHING

    def is_free(self, reference: Reference) -> bool:
        """Whether nothing in the file binds the first name of a reference."""
        return reference.root == UNBOUND

    def imports_of(self, reference: Reference) -> list[Import]:
        """The imports that bind the first name of a reference."""
        if reference.root == IMPORTED:
            return [self.imports[reference.value]]
        sites = self.bindings[reference.root].sites if reference.root >= 0 else []
        return [self.imports[site.target] for site in sites if site.what == FROM_IMPORT]

    def module_imports_of(self, reference: Reference) -> list[Import]:
        """The imports of whole modules that bind the first name of a reference, where nothing else does."""
        sites = self.bindings[reference.root].sites if reference.root >= 0 else []
        if any(site.what != ASSIGNED or self.ir[site.target] != forms.IMPORT for site in sites):
            return []
        return [self.imports[self.ir[site.target + 1]] for site in sites]

    def names_of(self, scope: int) -> Mapping[str, Sequence[Site]]:
        """The names that a scope binds; attributes that methods set on instances are apart from the class body."""
        names: dict[str, list[Site]] = {}
        for each in self.bindings:
            if each.scope == scope and each.sites:
                names.setdefault(self.strings[each.name], []).extend(each.sites)
        return names


class References(common.References, array_like=True, frozen=True):
    """The references of a Python file."""

    uses: list[int] = field(default_factory=list)
    """Where methods may run without a call being written, three numbers each: the definition around, the offset counted
    from the start of that, and the expression."""


class Facts(common.Facts, frozen=True):
    """Interface and references of a Python file."""

    interface: Interface
    references: References


PythonTree = Tree[Interface]
PythonSide = TreeVersion[Interface]

decode_interface = msgspec.msgpack.Decoder(Interface).decode
decode_references = msgspec.msgpack.Decoder(References).decode
