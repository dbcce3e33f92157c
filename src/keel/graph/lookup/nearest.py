"""The names nearest to one that does not exist, for errors that help.

Whether a name exists is left to `handles.py`.
"""

from __future__ import annotations

import difflib
import re
from collections import Counter
from functools import partial
from heapq import nlargest
from itertools import pairwise
from typing import TYPE_CHECKING

from keel.graph.lookup.spelling import nearest_word
from keel.graph.naming import FILE_KIND, dotted
from keel.model.text.words import pieces_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from keel.ports.store import GraphReader

MAX_NAMES = 5
LOOKED_AT = 1000
COMPARED = 50
"""How many candidates are compared letter by letter, which takes a tenth of a millisecond each."""
ALMOST = 0.75
"""How similar a word must be to a known one, to be taken for it."""
MAX_NAME_LENGTH = 200
"""No name is longer; longer text is not a mistyped name."""

_line = re.compile(r"(:\d+)+$")


def nearest_names(reader: GraphReader, handle: str) -> list[str]:
    """What may have been meant, the most similar first: paths for a path, members for a member, else names."""
    if len(handle) > MAX_NAME_LENGTH:
        return []
    handle = handle.encode("utf-8", "replace").decode()  # bytes that are not UTF-8 arrive here as lone surrogates
    ways = (_paths,) if "/" in handle else (_members, _within, _paths, _namesakes, _names)
    return next((near for near in (way(reader, handle) for way in ways) if near), [])


def _paths(reader: GraphReader, handle: str) -> list[str]:
    """Files of the same or nearly the same name, those in the most similar folders first."""
    wanted = _line.sub("", handle)
    base = wanted.rpartition("/")[2]
    if "/" not in wanted and "." not in base:
        return []
    suffix = f".{base.rpartition('.')[2]}"
    names = [base]
    if not reader.with_name_and_kind(base, FILE_KIND):
        own = base.removesuffix(suffix)
        spoken = [name for text in _spoken(reader, own) for name in reader.names_like(text, LOOKED_AT)]
        names = _alike(base, [name for name in (*_begun(reader, own), *spoken) if name.endswith(suffix)])
    nodes = [node for name in names for node in reader.with_name_and_kind(name, FILE_KIND)]
    paths = [node.qualified_name for node in nodes]  # the qualified name of a file is its path
    return difflib.get_close_matches(wanted, _likely(wanted, paths), n=MAX_NAMES, cutoff=0.4)


def _members(reader: GraphReader, handle: str) -> list[str]:
    """`Session.gett`: members of `Session` with a similar name, whether or not its module is given."""
    before, dot, last = handle.rpartition(".")
    for owner in dict.fromkeys((before, before.rpartition(".")[2])) if dot and before else ():
        names = [name.removeprefix(f"{owner}.") for name in reader.names_beginning(f"{owner}.", LOOKED_AT)]
        near = _alike(last, [name for name in names if "." not in name])
        if near:
            return [f"{owner}.{name}" for name in near]
    return []


def _within(reader: GraphReader, handle: str) -> list[str]:
    """`httpx.Client`: definitions called `Client` below `httpx`, as those that a package re-exports are."""
    owner, dot, last = handle.rpartition(".")
    if not dot or not owner or not last:
        return []
    named = reader.named(last, LOOKED_AT + 1)
    if len(named) > LOOKED_AT:  # a name such as `__init__`, which is never re-exported
        return []
    whole = {dotted(node, file) for node in named if (file := reader.file(node.file)) is not None}
    below = [name for name in whole if name.startswith(f"{owner}.")]
    return sorted(below, key=lambda name: (name.count("."), name))[:MAX_NAMES]


def _namesakes(reader: GraphReader, handle: str) -> list[str]:
    """`Sesion.get`: definitions called `get` whose owner has a similar name."""
    owner, dot, last = handle.rpartition(".")
    if not dot or not owner or not last:
        return []
    owners = _names(reader, owner)
    found = [node.qualified_name for near in owners for node in reader.with_owner(near, last)]
    return list(dict.fromkeys(found))[:MAX_NAMES]


def _names(reader: GraphReader, handle: str) -> list[str]:
    """Names similar to the last part of a handle: those with the same beginning, or with words of it."""
    last = re.split(r"[.:/#]", handle)[-1] or handle
    begun = _begun(reader, last)
    for text in _spoken(reader, last):
        near = _alike(last, [*begun, *reader.names_like(text, LOOKED_AT)])
        if near:
            return near
    return []


def _begun(reader: GraphReader, name: str) -> list[str]:
    """Names that begin with the first two thirds of one; a class may be mistyped as a function, and the reverse."""
    beginning = name[: len(name) * 2 // 3]
    written = dict.fromkeys((beginning, beginning[:1].swapcase() + beginning[1:])) if beginning else ()
    return [found for one in written for found in reader.names_beginning(one, LOOKED_AT)]


def _spoken(reader: GraphReader, name: str) -> Iterator[str]:
    """The words of a name: as typed, corrected, and the likely corrections of each."""
    words = [word.lower() for word in pieces_of(name)]
    yield " ".join([name, *words])
    yield " ".join(nearest_word(reader, word, ALMOST) or word for word in words)
    yield " ".join(word[:3] for word in words)
    yield "".join(word[:1] for word in words[:1])


def _alike(wanted: str, names: list[str]) -> list[str]:
    """The most similar first. Capitals are mistyped as easily as letters: they only decide between equal names."""
    written: dict[str, list[str]] = {}
    for name in dict.fromkeys(names):
        written.setdefault(name.lower(), []).append(name)
    alike = difflib.get_close_matches(wanted.lower(), _likely(wanted.lower(), written), n=MAX_NAMES)
    return [name for lowered in alike for name in sorted(written[lowered], key=partial(_strange, wanted))][:MAX_NAMES]


def _likely(wanted: str, names: Collection[str]) -> Collection[str]:
    """Those that share most pairs of letters with a name, where there are too many to compare them all."""
    if len(names) <= COMPARED:
        return names
    pairs = set(pairwise(wanted))
    shares = {name: len(pairs.intersection(pairwise(name))) / (len(pairs) + len(name)) for name in names}
    return nlargest(COMPARED, names, key=lambda name: (shares[name], name))


def _strange(wanted: str, name: str) -> tuple[int, str]:
    """How many letters of a name were not typed, a capital being another letter than the small one."""
    return sum((Counter(name) - Counter(wanted)).values()), name
