"""Placement: how well a function fits each module, by what it uses, what uses it, and its name.

Five signals, each a sign that points to modules with a weight: what the function calls, what calls it, the types it
uses, the words it shares with its siblings' names; the fifth, a better module elsewhere, is the comparison of the sums.
A sign does not only point to the module of a callee, but to all users of the callee: a library is called from
everywhere, a private helper only from its own module. So a module that calls a library is not mistaken for a part of
it.

The functions here are pure but for reading the graph. Which functions are judged, and what is reported, is left to the
rule and to `where-to-put`.
"""

from __future__ import annotations

from collections import Counter
from math import log2
from typing import TYPE_CHECKING, NamedTuple

from keel.graph.placement.decorators import decorators_of, is_registering
from keel.graph.placement.modules import is_apart, is_utility
from keel.model.facts import MODULE_DEF
from keel.model.kinds import EdgeKind, NodeKind
from keel.model.text.topics import name_topics
from keel.model.text.words import stem

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from keel.graph.placement.modules import Modules
    from keel.model.profiles import Folder
    from keel.model.rows import StoredNode
    from keel.model.syntax import Syntax

CALLS, CALLED_BY, TOUCHES, NAMED = "calls", "called_by", "touches", "named"
"""The signals."""

MARGIN = 0.5
"""The least margin of another module before it is suggested: read off the curve of `make bench-placement`."""
NESTED = 0.2
"""How much less a module counts that is inside the function's own or around it: the boundary is less clear there."""
LEAST_WEIGHT = 1.0
"""Below this total weight of the signs nothing is suggested: one word, or one callee that all code calls."""
LEAST_SIZE = 5
"""A module with fewer functions is too small to judge that a function does not belong to it."""
LEAST_THERE = 3
"""A module with fewer functions is too small to be suggested."""
MAX_USERS = 100
"""A callee with more users tells nothing about any one module."""
NAME_WEIGHT = 0.5
"""The weight of a word in the name, where a callee that one module uses has 1."""
MAX_CALLERS = 3
"""Callers count at most like so many, however many there are."""

MAX_SIBLINGS, MAX_NAMED = 3, 3
"""How many are named in an answer."""
SAID = {CALLS: "uses", TOUCHES: "touches the type", CALLED_BY: "is used by", NAMED: "names there share"}
"""Signals as answers name them."""
TYPES = (NodeKind.CLASS, NodeKind.INTERFACE, NodeKind.TRAIT, NodeKind.STRUCT, NodeKind.ENUM, NodeKind.TYPE_ALIAS)
USES = tuple(int(kind) for kind in EdgeKind if kind not in (EdgeKind.CONTAINS, EdgeKind.EXPORTS, EdgeKind.IMPORTS))
"""Edges that mean use, rather than containment or how a name is reached."""


class Sign(NamedTuple):
    """One piece of evidence that points to modules."""

    signal: str
    what: str
    """The callee, the caller, the type or the word."""
    weight: float
    shares: Mapping[Folder, float]
    """The modules it points to, with the share of each: together 1, or 1 for the best."""
    home: Folder | None = None
    """The module of the callee, the caller or the type itself."""


class Fit(NamedTuple):
    """How well a function fits a module."""

    folder: Folder
    score: float
    """From 0 to 1: the share of all signs that points there."""
    signs: tuple[Sign, ...]
    """Those that do, the heaviest first."""


class Better(NamedTuple):
    """The modules in which a function would fit better than in its own, or best of all others."""

    fits: tuple[Fit, ...]
    """The best ones, at most three."""
    margin: float
    """How much better the first one is; below 0 when it is not."""


def signs_of(modules: Modules, function: StoredNode) -> list[Sign]:
    """All signs of a function; its own code is left out."""
    inside = _inside(modules, function)
    return [*_callees(modules, inside), *_callers(modules, inside, function), *_words(modules, function)]


def fits_of(signs: Sequence[Sign]) -> list[Fit]:
    """How well the function that has these signs fits each module that one of them points to, best first."""
    whole = sum(sign.weight for sign in signs)
    held: dict[Folder, list[Sign]] = {}
    for sign in signs:
        for folder in sign.shares:
            held.setdefault(folder, []).append(sign)
    fits = [
        Fit(folder, sum(sign.weight * sign.shares[folder] for sign in own) / whole, _heaviest(own, folder))
        for folder, own in held.items()
    ]
    return sorted(fits, key=lambda fit: (-fit.score, fit.folder))


def better_of(modules: Modules, function: StoredNode) -> Better | None:
    """Where a function would fit much better than in its own module; None when there is no such module."""
    if is_registered(modules, function):
        return None
    host = modules.folders[function.file]
    others = elsewhere(modules, signs_of(modules, function), host, besides=1)
    return others if others is not None and others.margin >= MARGIN else None


def elsewhere(modules: Modules, signs: Sequence[Sign], host: Folder, besides: int = 0) -> Better | None:
    """The modules other than its own in which the function that has these signs would fit best.

    None when there is none, and when too little is known: of the function, or of its own module, which has this many
    functions besides those to compare with. Another module counts only if the function uses something of it: a word
    alone is not enough.
    """
    profile = modules.profiles.get(host)
    if profile is None or profile.size - besides < LEAST_SIZE or sum(sign.weight for sign in signs) < LEAST_WEIGHT:
        return None
    fits = fits_of(signs)
    here = next((fit.score for fit in fits if fit.folder == host), 0.0)
    others = [fit for fit in fits if fit.folder != host and is_candidate(modules, fit)]
    if not others:
        return None
    return Better(tuple(others[:3]), others[0].score - here - NESTED * _are_nested(host, others[0].folder))


def _are_nested(one: Folder, other: Folder) -> bool:
    """Whether one directory is inside the other."""
    inner, outer = sorted(((*folder[1].split("/"),) if folder[1] else () for folder in (one, other)), key=len)[::-1]
    return one[0] == other[0] and inner[: len(outer)] == outer


def is_placeable(node: StoredNode, path: str, syntax: Syntax) -> bool:
    """Whether a function's placement can be judged at all: at the top level of a module with a topic."""
    is_function = node.kind == NodeKind.FUNCTION and node.parent == MODULE_DEF and node.name != syntax.nameless
    return (
        is_function
        and node.name != syntax.entry_point
        and not (syntax.is_test(path) or is_apart(path) or is_utility(path))
    )


def is_registered(modules: Modules, function: StoredNode) -> bool:
    """Whether a decorator registers a function with a framework (`@app.get`, `@register.tag`), which fixes its
    module."""
    interface = modules.interface(function.file)
    return is_registering(decorators_of(interface, interface.defs[function.ordinal]))


def siblings_of(
    modules: Modules, fit: Fit, most: int = MAX_SIBLINGS, besides: Collection[str] = frozenset()
) -> list[str]:
    """Functions of a module to name beside another: those it uses there, then those named like it, then others.

    For a module without functions, its classes. `besides` are as new as it is, and are no evidence of where it belongs.
    """
    profile = modules.profiles[fit.folder]
    syntax, own = modules.syntax(fit.folder), profile.functions or profile.classes
    dealt = [sign.what.partition(syntax.separator)[0] for sign in fit.signs if sign.home == fit.folder]
    words = {stem(sign.what) for sign in fit.signs if sign.home is None}
    alike = [name for name in own if not words.isdisjoint(name_topics(name))]
    alike.sort(key=lambda name: not syntax.is_public(name))
    known = set(own) - set(besides)
    return [name for name in dict.fromkeys([*dealt, *alike, *own]) if name in known][:most]


def reasons_of(fit: Fit, syntax: Syntax) -> list[str]:
    """Why a function fits a module, in words: what it uses there, and the words it shares."""
    said = []
    for signal, words in SAID.items():
        own = (sign.what for sign in fit.signs if sign.signal == signal and sign.home in (None, fit.folder))
        named = [name for name in dict.fromkeys(own) if not syntax.is_special(syntax.last_name(name))]
        if named:
            said.append(f"{words} {some(named)}")
    return said


def some(names: Sequence[str]) -> str:
    """The first of some names, and the number of the others."""
    more = f" and {len(names) - MAX_NAMED} more" if len(names) > MAX_NAMED else ""
    return f"{', '.join(names[:MAX_NAMED])}{more}"


def is_candidate(modules: Modules, fit: Fit) -> bool:
    """Whether a module can be suggested: it is no collection of utilities, and not too small."""
    profile = modules.profiles.get(fit.folder)
    deals = any(sign.home == fit.folder for sign in fit.signs)
    return deals and profile is not None and profile.size >= LEAST_THERE and not is_utility(profile.path)


def _heaviest(signs: Iterable[Sign], folder: Folder) -> tuple[Sign, ...]:
    return tuple(sorted(signs, key=lambda sign: (-sign.weight * sign.shares[folder], sign.signal, sign.what)))


def _inside(modules: Modules, function: StoredNode) -> list[StoredNode]:
    """The function and everything that is defined in it."""
    ordinals = {function.ordinal}
    found = []
    for node in modules.reader.nodes(function.file):  # a parent comes before its children
        if node.ordinal in ordinals or node.parent in ordinals:
            ordinals.add(node.ordinal)
            found.append(node)
    return found


def _callees(modules: Modules, inside: Sequence[StoredNode]) -> Iterator[Sign]:
    """What the function uses, each pointing to the modules that use it too."""
    own = {node.number for node in inside}
    edges = (edge for node in inside for edge in modules.reader.edges_from(node.number))
    targets = dict.fromkeys(edge.target for edge in edges if edge.kind in USES and edge.target not in own)
    for number in targets:
        target = modules.reader.node(number)
        home = modules.folders.get(target.file) if target is not None else None
        users = _users(modules, number, own) if home is not None else None
        if target is None or home is None or users is None:
            continue
        pointed = Counter(modules.folders[user.file] for user in users)
        pointed[home] += 1
        signal = TOUCHES if target.kind in TYPES else CALLS
        yield _sign(signal, target.qualified_name, 1.0, pointed, home)


def _callers(modules: Modules, inside: Sequence[StoredNode], function: StoredNode) -> Iterator[Sign]:
    """What uses the function, each pointing to its own module."""
    users = _users(modules, function.number, {node.number for node in inside})
    if not users:
        return
    folders = {modules.folders[user.file] for user in users}
    each = min(len(users), MAX_CALLERS) / len(users) / log2(1 + len(folders))
    for user in users:
        folder = modules.folders[user.file]
        yield Sign(CALLED_BY, user.qualified_name, each, {folder: 1.0}, folder)


def _words(modules: Modules, function: StoredNode) -> Iterator[Sign]:
    """The words of its name, each pointing to modules by how many of their functions and classes have it."""
    host = modules.folders[function.file]
    for root, word in sorted(name_topics(function.name).items()):
        pointed = modules.named(root)
        pointed[host] -= 1
        pointed = +pointed
        if pointed:
            yield _sign(NAMED, word, NAME_WEIGHT, pointed)


def _users(modules: Modules, number: int, own: set[int]) -> list[StoredNode] | None:
    """What uses a node, tests and the function itself aside; None when it has too many users."""
    users = modules.reader.users(number, USES, MAX_USERS + 1)
    if len(users) > MAX_USERS:
        return None
    return [node for node in users if node.number not in own and node.file in modules.folders]


def _sign(signal: str, what: str, weight: float, pointed: Counter[Folder], home: Folder | None = None) -> Sign:
    """A sign that points to several modules has less weight."""
    whole = sum(pointed.values())
    shares = {folder: count / whole for folder, count in pointed.items()}
    return Sign(signal, what, weight / log2(1 + len(pointed)), shares, home)
