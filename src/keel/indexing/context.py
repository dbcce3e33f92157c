"""The context of the indexing pipeline: where to read, with what, and where to write.

The pipeline itself is left to `pipeline.py`, choosing the parts to `bootstrap.py`.
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
"""A note about the whole graph: the model that made all its vectors; empty while some are missing."""


class IndexContext(NamedTuple):
    """Everything that the pipeline works with: where to read, with what, and where to write."""

    roots: Mapping[str, str]
    languages: Sequence[Language]
    store: Store
    cache: FactsCache
    runner: Callable[[int], Runner]
    """A runner suited to so many files."""
    helpers: Mapping[str, Sequence[Helper]] = MappingProxyType({})
    """The helpers that are asked after linking, by language, in order."""
    others: Callable[[], Sequence[Store]] = tuple
    """The graphs of other working trees, the most useful first; a new graph may start from a copy of one."""
    embedder: Callable[[], Embedder | None] = lambda: None
    """The model that makes vectors of symbols, if there is one."""
    graph_cache: GraphCache | None = None
    """The daemon's cache from one run to the next; None in a process that ends."""

    @property
    def suffixes(self) -> dict[str, Language]:
        """The language that reads files of a suffix."""
        return {suffix: language for language in self.languages for suffix in language.suffixes}

    @property
    def syntaxes(self) -> Syntaxes:
        """The syntax of each language."""
        return syntaxes_of(self.languages)

    def files(self, reader: GraphReader) -> list[FileRow]:
        """All files of the graph, by root and path."""
        return reader.files() if self.graph_cache is None else self.graph_cache.files(reader)

    def decode(self, language: Language, data: bytes) -> Interface:
        """A decoded interface."""
        return language.decode(data) if self.graph_cache is None else self.graph_cache.decode(language, data)

    @property
    def versions(self) -> bytes:
        """The versions of all extractors: when this differs, facts are extracted again."""
        return "\n".join(f"{language.name} {language.version}" for language in self.languages).encode()
