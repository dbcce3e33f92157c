"""Facts of the accepted tree: those of the files that differ from it now, from the facts cache where it has them.

Which files these are is left to `accepted_tree.py`, linking them to `graph.py`.
"""

from __future__ import annotations

from collections.abc import Mapping

from keel.indexing.base.sources import Sources
from keel.indexing.context import IndexContext
from keel.indexing.facts import cache_key, suffix_of
from keel.model.facts import encode
from keel.model.refs import FileKey
from keel.ports.language import Language
from keel.ports.runner import Lost

Encoded = tuple[bytes, bytes]
"""Interface and references."""


class Extractor:
    """Extracts facts from sources; can be pickled for other processes."""

    def __init__(self, languages: Mapping[str, Language]) -> None:
        self._languages = languages

    def __call__(self, item: tuple[FileKey, bytes]) -> tuple[FileKey, bytes, bytes]:
        """The encoded facts of one file."""
        place, data = item
        facts = self._languages[suffix_of(place[1])].extract(data, place[1])
        return place, encode(facts.interface), encode(facts.references)


def facts_of(context: IndexContext, sources: Sources) -> dict[FileKey, Encoded | None]:
    """The facts of accepted files; those in the cache are not extracted again. A file that cannot be read is left
    out."""
    keys = {
        place: cache_key(context.suffixes[suffix_of(place[1])], place[1], content)
        for place, content in sources.contents.items()
        if content is not None
    }
    known = context.cache.get(list(keys.values())) if keys else {}
    found: dict[FileKey, Encoded | None] = {place: None for place in sources if place not in keys}
    found |= {place: known[key] for place, key in keys.items() if key in known}
    rest = [(place, sources[place] or b"") for place in keys if place not in found]
    made: list[tuple[bytes, bytes, bytes]] = []
    for outcome in context.runner(len(rest)).run(Extractor(context.suffixes), rest) if rest else ():
        if not isinstance(outcome, Lost):
            place, *encoded = outcome
            found[place] = encoded[0], encoded[1]
            made.append((keys[place], *found[place]))  # type: ignore[misc]  # it is there, just put
    context.cache.put(made)
    return found
