"""Scopes of one file: which names each binds, and where a use of a name finds its binding.

Follows Python's own rule (local, enclosing functions, module, built-in; class bodies are skipped from inside
functions). What a binding means in other files is left to `resolve`.
"""

from __future__ import annotations

from collections.abc import Set

from keel.languages.python.facts import LOCAL, SELF, UNBOUND
from keel.model.facts import ASSIGNED

MODULE, CLASS, FUNCTION, INNER = range(4)
"""Kinds of scopes; INNER is a comprehension or the type parameters of a generic definition."""

NONE: frozenset[bytes] = frozenset()
"""Shared by all scopes that have none, which are most."""

RawSite = tuple[int, int, int, bool]
"""Kind, target, offset, conditional: a `Site` before it is frozen."""


class Scope:
    """One scope: the names it binds, each either plainly local or with the sites where it is bound."""

    __slots__ = (
        "bindings",
        "conditional",
        "fields",
        "globals",
        "kind",
        "names",
        "nonlocals",
        "owner",
        "parent",
        "receiver",
        "roots",
        "values",
        "variables",
    )

    def __init__(self, kind: int, parent: Scope | None, owner: int) -> None:
        self.kind = kind
        self.parent = parent
        self.owner = owner
        self.names: dict[bytes, list[RawSite] | None] = {}
        """None: a local variable or parameter, of which nothing more is kept."""
        self.globals: Set[bytes] = NONE
        self.nonlocals: Set[bytes] = NONE
        self.receiver = b""
        """The first parameter of a method: `self` or `cls`."""
        self.fields: dict[bytes, RawSite] = {}
        """Of a class: fields that exist only on instances, which its body does not see as names."""
        self.conditional = 0
        """How many branches, loops or handlers enclose the statement at hand."""
        self.variables: Set[bytes] = set() if kind <= CLASS else NONE
        """Names that have a field or constant node already."""
        self.bindings: dict[bytes, int] = {}
        """Names of this scope that have an index in the file's table of bindings."""
        self.roots: dict[bytes, int] = {}
        """What uses of a name in this scope have been resolved to."""
        self.values: dict[bytes, list[int]] = {}
        """Of a function: every value that each of its variables is assigned."""


def holder(scope: Scope) -> Scope:
    """The scope that statements of this one bind in: a walrus in a comprehension binds outside it."""
    while scope.kind == INNER and scope.parent is not None:
        scope = scope.parent
    return scope


def top(scope: Scope) -> Scope:
    """The module's scope."""
    while scope.parent is not None:
        scope = scope.parent
    return scope


def bind(scope: Scope, name: bytes, site: RawSite) -> None:
    """Binds a name at a site (a definition, an import, or a value)."""
    if name in scope.globals:
        scope = top(scope)
        site = (site[0], site[1], site[2], True)
    elif name in scope.nonlocals:
        outer = look_up(scope, name)[0]
        if outer is not None and outer is not scope:
            bind(outer, name, (site[0], site[1], site[2], True))
        return
    elif name == scope.receiver and name:
        scope.receiver = b""  # no longer the object or class that the method was called on
    sites = scope.names.get(name)
    if scope.kind >= FUNCTION and site[0] == ASSIGNED and sites is None:
        scope.names[name] = None
    elif sites is None:
        earlier: list[RawSite] = [(ASSIGNED, -1, 0, False)] if name in scope.names else []
        scope.names[name] = [*earlier, site]
    else:
        sites.append(site)


def outside(scope: Scope, name: bytes) -> Scope | None:
    """The scope in which a name that this one does not bind means the same; none outside the module."""
    outer = scope if name in scope.globals else scope.parent
    while outer is not None and outer.kind == CLASS and name not in outer.globals:
        outer = outer.parent
    return top(outer) if outer is not None and name in outer.globals else outer


def look_up(start: Scope, name: bytes) -> tuple[Scope | None, int]:
    """Where a use of a name in a scope finds it: the binding scope, and LOCAL, SELF, UNBOUND or 0 for a binding."""
    scope: Scope | None = start
    while scope is not None:
        if name in scope.globals:
            scope = top(scope)
        if name in scope.names and (scope.kind != CLASS or scope is start):
            if scope.names[name] is not None:
                return scope, 0
            return scope, SELF if name == scope.receiver else LOCAL
        scope = scope.parent
    return None, UNBOUND
