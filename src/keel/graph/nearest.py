"""The names nearest to one that nothing has, for errors that help.

Whether a name is known is `handles.py`'s question.
"""

from __future__ import annotations

import difflib
import re
from collections import Counter
from functools import partial
from typing import TYPE_CHECKING

from keel.graph.naming import dotted
from keel.model.words import pieces_of

if TYPE_CHECKING:
    from keel.ports.store import GraphReader

MOST = 5
LOOKED_AT = 1000
LONGEST = 200
"""No name is as long; what is, is no mistyped one."""

_line = re.compile(r"(:\d+)+$")


def nearest_names(reader: GraphReader, handle: str) -> list[str]:
    """What may have been meant, the most alike first: paths for a path, members for a member, else names."""
    if len(handle) > LONGEST:
        return []
    handle = handle.encode("utf-8", "replace").decode()  # bytes that are no text come here as lone surrogates
    ways = (_paths,) if "/" in handle else (_members, _within, _paths, _namesakes, _names)
    return next((near for near in (way(reader, handle) for way in ways) if near), [])


def _paths(reader: GraphReader, handle: str) -> list[str]:
    """Files of the same or nearly the same name, those in the most similar folders first."""
    wanted = _line.sub("", handle)
    base = wanted.rpartition("/")[2]
    if "/" not in wanted and "." not in base:
        return []
    files: dict[str, list[str]] = {}
    for file in reader.files():
        files.setdefault(file.path.rpartition("/")[2], []).append(file.path)
    suffix = base.rpartition(".")[2]
    alike = files.keys() & {base} or difflib.get_close_matches(
        base, [name for name in files if name.endswith(f".{suffix}")], n=MOST, cutoff=0.8
    )
    paths = [path for name in alike for path in files[name]][:LOOKED_AT]
    return difflib.get_close_matches(wanted, paths, n=MOST, cutoff=0.4)


def _members(reader: GraphReader, handle: str) -> list[str]:
    """`Session.gett`: what `Session` has that looks like it, be it said with its module or without."""
    before, dot, last = handle.rpartition(".")
    for owner in dict.fromkeys((before, before.rpartition(".")[2])) if dot and before else ():
        names = [name.removeprefix(f"{owner}.") for name in reader.names_beginning(f"{owner}.", LOOKED_AT)]
        near = _alike(last, [name for name in names if "." not in name])
        if near:
            return [f"{owner}.{name}" for name in near]
    return []


def _within(reader: GraphReader, handle: str) -> list[str]:
    """`httpx.Client`: what is called `Client` somewhere below `httpx`, as what a package passes on is."""
    owner, dot, last = handle.rpartition(".")
    if not dot or not owner or not last:
        return []
    named = reader.with_name(last)[:LOOKED_AT]
    whole = {dotted(node, file) for node in named if (file := reader.file(node.file)) is not None}
    below = [name for name in whole if name.startswith(f"{owner}.")]
    return sorted(below, key=lambda name: (name.count("."), name))[:MOST]


def _namesakes(reader: GraphReader, handle: str) -> list[str]:
    """`Sesion.get`: what is called `get` in something that looks like it."""
    owner, dot, last = handle.rpartition(".")
    if not dot or not owner or not last:
        return []
    found = dict.fromkeys(node.qualified_name for node in reader.with_name(last)[:LOOKED_AT])
    within = f"{owner.rpartition('.')[2]}.{last}"  # of a name with its module, what stands within a file
    near = difflib.get_close_matches(handle, found, n=MOST, cutoff=0.7)
    return near or difflib.get_close_matches(within, found, n=MOST, cutoff=0.7)


def _names(reader: GraphReader, handle: str) -> list[str]:
    """Names that look like the last part of a handle."""
    last = re.split(r"[.:/#]", handle)[-1] or handle
    words = pieces_of(last)
    attempts = (" ".join([last, *words]), _beginnings(words, 3), _beginnings(words[:1], 1))
    for text in attempts:
        near = _alike(last, reader.names_like(text, LOOKED_AT))
        if near:
            return near
    return []


def _beginnings(words: list[str], letters: int) -> str:
    """What is likely to be right even when a word is mistyped."""
    return " ".join(word[:letters] for word in words)


def _alike(wanted: str, names: list[str]) -> list[str]:
    """The most alike first. Capitals are mistyped as easily as letters: they count between equal names alone."""
    written: dict[str, list[str]] = {}
    for name in names:
        written.setdefault(name.lower(), []).append(name)
    alike = difflib.get_close_matches(wanted.lower(), written, n=MOST)
    return [name for lowered in alike for name in sorted(written[lowered], key=partial(_strange, wanted))][:MOST]


def _strange(wanted: str, name: str) -> tuple[int, str]:
    """How many letters of a name were not typed, a capital being another letter than the small one."""
    return sum((Counter(name) - Counter(wanted)).values()), name
