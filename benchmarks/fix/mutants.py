"""Mutants of the kinds that leave one thing to do.

A parameter that calls pass by name is renamed, a default is taken away, a function is renamed or moved. How the others
are broken by it, and fixed, is left to `room.py`.
"""

from __future__ import annotations

import copy
from collections.abc import Collection
from random import Random

from benchmarks.fix.moving import moved
from benchmarks.mutations.changes import CHANGES, Made, with_parameters
from benchmarks.mutations.choice import Sources
from benchmarks.mutations.mutants import Kind, Mutant
from benchmarks.mutations.sources import Function, Source

DEFAULT_GONE = "default taken away"
KINDS: tuple[str, ...] = (Kind.RENAME_PARAMETER, Kind.RENAME, Kind.MOVE, DEFAULT_GONE)


def mutant_of(sources: Sources, function: Function, kind: str, chance: Random) -> Mutant | None:
    """A function changed in one way; None where that cannot be done."""
    source, named = sources.files[function.path], sources.passed(function)
    if (function.is_constructor and kind == Kind.RENAME) or _is_one_of_several(source, function):
        return None
    made: Made | None
    if kind == DEFAULT_GONE:
        made = _without_default(source, function, chance, named)
    elif kind == Kind.MOVE:
        made = moved(source, function)
    else:
        made = CHANGES[Kind(kind)](source, function, chance, named)
    if made is None:
        return None
    return Mutant(Kind.ADD_REQUIRED if kind == DEFAULT_GONE else Kind(kind), function, made[0], made[1])


def _is_one_of_several(source: Source, function: Function) -> bool:
    """Whether it is one of some overloads, or a getter with a setter: people do not change one and not the others."""
    return sum(each.qualified == function.qualified for each in source.functions()) > 1


def _without_default(source: Source, function: Function, chance: Random, named: Collection[str]) -> Made | None:
    """A function whose first default, or one of a keyword, is gone."""
    changed = copy.deepcopy(function.node.args)
    keywords = [index for index, default in enumerate(changed.kw_defaults) if default is not None]
    if changed.defaults and (not keywords or chance.random() < 0.5):
        changed.defaults = changed.defaults[1:]
    elif keywords:
        changed.kw_defaults[chance.choice(keywords)] = None
    else:
        return None
    return with_parameters(source, function, changed)
