"""Filters as a request writes them, `{"module": ["shop.cart"]}`, checked and turned into what a store understands.

Strict: an unknown key or value is refused with a list of the valid ones, never ignored. Any value of a key matches, and
all keys must; values match exactly, those of keys that end in `_prefix` by prefix. Querying is left to the stores.
"""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING

from keel.errors import UsageError, brief
from keel.graph.lookup.endpoints import (
    ANNOTATION,
    CAPABILITY,
    CLIENT_KIND,
    FRAMEWORK,
    METHOD,
    METHODS,
    PATH,
    ROLE,
    TARGET,
)
from keel.graph.lookup.handles import is_text
from keel.model.kinds import NodeKind, Visibility
from keel.model.rows import NodeFilter

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

SYMBOL, ROUTE, CLIENT = "symbol", "route", "client"
KEYS = {
    SYMBOL: (
        *("root", "module", "service", "role", "exclude_roles", "annotation", "capability"),
        *("qualified_name_prefix", "symbol_kind", "symbol_kinds", "language", "visibility"),
    ),
    ROUTE: ("service", "module", "http_method", "path_prefix", "framework"),
    CLIENT: ("service", "module", "client_kind", "target_service", "path_prefix", "http_method"),
}
"""The keys of each kind."""
NOT_SYMBOLS = (NodeKind.FILE, NodeKind.ROUTE, NodeKind.CLIENT, NodeKind.PRODUCER, NodeKind.PACKAGE, NodeKind.TOOL)
SYMBOL_KINDS = tuple(kind.word for kind in NodeKind if kind not in NOT_SYMBOLS)
CHOICES = {
    "symbol_kind": SYMBOL_KINDS,
    "symbol_kinds": SYMBOL_KINDS,
    "visibility": Visibility.words(),
    "http_method": tuple(sorted(METHODS)),
}
ATTRIBUTES = {
    "role": ROLE,
    "annotation": ANNOTATION,
    "capability": CAPABILITY,
    "http_method": METHOD,
    "framework": FRAMEWORK,
    "client_kind": CLIENT_KIND,
    "target_service": TARGET,
}
PREFIX = "_prefix"
WILDCARDS = "*?"
MAX_VALUES = 100
"""Values of one key: an SQL statement takes no more than some hundreds."""


def filter_of(kind: str, given: Mapping[str, str | tuple[str, ...]]) -> NodeFilter:
    """The filter for nodes of a kind."""
    values = _checked(given, KEYS[kind], kind)
    kinds = {SYMBOL: SYMBOL_KINDS, ROUTE: (ROUTE,), CLIENT: (CLIENT,)}[kind]
    named = values.get("symbol_kind", ()) + values.get("symbol_kinds", ())
    return _made(values, named or kinds)


def filter_of_any(given: Mapping[str, str | tuple[str, ...]]) -> NodeFilter:
    """The filter for nodes of any kind: it accepts the keys of all."""
    values = _checked(given, tuple(dict.fromkeys(key for keys in KEYS.values() for key in keys)), "")
    return _made(values, values.get("symbol_kind", ()) + values.get("symbol_kinds", ()))


def _checked(
    given: Mapping[str, str | tuple[str, ...]], keys: tuple[str, ...], kind: str
) -> dict[str, tuple[str, ...]]:
    checked: dict[str, tuple[str, ...]] = {}
    for key, value in given.items():
        values = (value,) if isinstance(value, str) else tuple(value)
        if key not in keys:
            raise UsageError(_unknown(key, kind), f"the keys of {kind or 'a filter'} are {', '.join(keys)}")
        if not values or len(values) > MAX_VALUES:
            raise UsageError(f"the filter '{key}' has {len(values):,} values", f"give it from 1 to {MAX_VALUES}")
        checked[key] = tuple(_value(key, each, keys) for each in values)
    return checked


def _unknown(key: str, kind: str) -> str:
    others = [other for other, keys in KEYS.items() if key in keys]
    if others:
        return f"'{brief(key)}' is a filter of {' and '.join(others)}, not of {kind}"
    near = get_close_matches(key, {each for keys in KEYS.values() for each in keys}, n=1) if len(key) < 100 else []
    return f"there is no filter '{brief(key)}'" + (f", did you mean {near[0]}?" if near else "")


def _value(key: str, value: str, keys: Iterable[str]) -> str:
    if not is_text(value):
        raise UsageError(f"the filter '{key}' has a value that is no text")
    if key.endswith(PREFIX) and any(sign in value for sign in WILDCARDS):
        hint = f"a prefix needs no wildcard; the keys are {', '.join(keys)}"
        raise UsageError(f"the filter '{key}' takes a beginning as it is, not '{brief(value)}'", hint)
    plain = value.upper() if key == "http_method" else value
    choices = CHOICES.get(key, ())
    if choices and plain not in choices:
        raise UsageError(f"the filter '{key}' cannot be '{brief(value)}'", f"it can be {', '.join(choices)}")
    return plain


def _made(values: Mapping[str, tuple[str, ...]], kinds: Iterable[str]) -> NodeFilter:
    def of(key: str) -> frozenset[str]:
        return frozenset(values.get(key, ()))

    return NodeFilter(
        kinds=frozenset(int(NodeKind.named(word)) for word in kinds),
        roots=of("root"),
        modules=of("module"),
        services=of("service"),
        languages=of("language"),
        visibilities=frozenset(int(Visibility.named(word)) for word in of("visibility")),
        beginnings=of("qualified_name_prefix"),
        attributes={name: of(key) for key, name in ATTRIBUTES.items() if of(key)},
        without={ROLE: of("exclude_roles")} if of("exclude_roles") else {},
        attribute_beginnings={PATH: of("path_prefix")} if of("path_prefix") else {},
    )
