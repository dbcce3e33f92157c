"""What the write line works with: where to read, with what, and where to write.

The recipe over it is `pipeline`; who chooses these things is `bootstrap`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from keel.model.syntax import Syntaxes, syntaxes_of

if TYPE_CHECKING:
    from keel.indexing.cache.graph_cache import GraphCache
    from keel.model.facts import Interface
    from keel.model.rows import FileRow
    from keel.ports.definitions import Helper
    from keel.ports.embedder import Embedder
    from keel.ports.facts_cache import FactsCache
    from keel.ports.language import Language
    from keel.ports.runner import Runner
    from keel.ports.store import GraphReader, Store


VECTORS = "vectors"
"""A note about the whole graph: the model that all its vectors are of; empty while some are missing."""


class IndexContext(NamedTuple):
    """Everything the write line works with: where to read, with what, and where to write."""

    roots: Mapping[str, str]
    languages: Sequence[Language]
    store: Store
    cache: FactsCache
    runner: Callable[[int], Runner]
    """A runner fit for so many files."""
    helpers: Mapping[str, Sequence[Helper]] = MappingProxyType({})
    """Who is asked after linking, by language, one after the other."""
    others: Callable[[], Sequence[Store]] = tuple
    """The graphs of other working trees, the likeliest first; the one here may start from one of them."""
    embedder: Callable[[], Embedder | None] = lambda: None
    """Who makes vectors of symbols, if anybody does."""
    graph_cache: GraphCache | None = None
    """What a process that stays keeps from one run to the next; None in one that ends."""

    @property
    def suffixes(self) -> dict[str, Language]:
        """Which language reads files of a suffix."""
        return {suffix: language for language in self.languages for suffix in language.suffixes}

    @property
    def syntaxes(self) -> Syntaxes:
        """How each language is written."""
        return syntaxes_of(self.languages)

    def files(self, reader: GraphReader) -> list[FileRow]:
        """All files of the graph, by root and path."""
        return reader.files() if self.graph_cache is None else self.graph_cache.files(reader)

    def decode(self, language: Language, data: bytes) -> Interface:
        """What an encoded interface says, as its language reads it."""
        return language.decode(data) if self.graph_cache is None else self.graph_cache.decode(language, data)

    @property
    def versions(self) -> bytes:
        """Who made the facts: when this differs, they are made again."""
        return "\n".join(f"{language.name} {language.version}" for language in self.languages).encode()
