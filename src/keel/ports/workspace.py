"""The Workspace socket: everything that an operation works with, chosen by `bootstrap.py`.

What is done with it is left to the operations.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from keel.config import Config, Enforcement
    from keel.model.footprint import Footprint
    from keel.model.syntax import Syntaxes
    from keel.ports.agent import Agent
    from keel.ports.definitions import Helper
    from keel.ports.embedder import Embedder
    from keel.ports.facts_cache import FactsCache
    from keel.ports.language import Language
    from keel.ports.rule import Rule
    from keel.ports.runner import Runner
    from keel.ports.store import Store
    from keel.ports.type_checker import TypeChecker


class Workspace(Protocol):
    """One logical graph over one or more roots; its parts are created on first use."""

    @property
    def folder(self) -> str:
        """The workspace folder, absolute."""

    @property
    def here(self) -> str:
        """The caller's working directory: what a typed path is relative to."""

    @property
    def is_watched(self) -> bool:
        """Whether the process that opened it keeps the graph up to date, so that queries need not scan files."""

    @property
    def tells_counts(self) -> bool:
        """Whether the caller wants to know how many edges differ, which takes longer to compute than the findings."""

    @property
    def name(self) -> str:
        """The name of the graph."""

    @property
    def config(self) -> Config:
        """The content of `.keel/config.toml`."""

    @property
    def enforcement(self) -> Enforcement:
        """Its section about rules, checked against the keys that the rules declare."""

    @property
    def roots(self) -> Mapping[str, str]:
        """Absolute folders by name."""

    @property
    def languages(self) -> Sequence[Language]:
        """The languages whose files are read."""

    @property
    def syntaxes(self) -> Syntaxes:
        """The syntax of each of them, by name; a language that is not among them has a plain one."""

    @property
    def rules(self) -> Sequence[Rule]:
        """The rules that edits are checked by."""

    @property
    def agents(self) -> Sequence[Agent]:
        """The agents that keel can be set up for."""

    @property
    def store(self) -> Store:
        """Where the graph is kept."""

    @property
    def cache(self) -> FactsCache:
        """Facts by content."""

    @property
    def runner(self) -> Callable[[int], Runner]:
        """A runner suited to so many files."""

    @property
    def helpers(self) -> Mapping[str, Sequence[Helper]]:
        """The helpers that are asked after linking, by language, in order."""

    def others(self) -> Sequence[Store]:
        """The graphs of other working trees of the repository, the most useful first."""

    @property
    def embedder(self) -> Embedder | None:
        """The model that makes vectors of symbols, for search by meaning; None without the extra `semantic`."""

    @property
    def graph_cache(self) -> object | None:
        """The daemon's `GraphCache` of `indexing`, kept from one run to the next; None in a process that ends."""

    @property
    def type_checkers(self) -> Mapping[str, TypeChecker]:
        """The type checkers that are asked what an edit breaks, by language; none is started before the first
        question."""

    @property
    def progress(self) -> Callable[[str, int, int], None]:
        """Called now and then by long work with the stage, how much of it is done, and the total."""

    @property
    def footprint(self) -> Footprint:
        """Every path that keel may write for this workspace."""

    @property
    def accepted(self) -> str:
        """The path of the snapshot of the accepted tree, if git has none."""

    @property
    def changed_by_setup(self) -> str:
        """The path of the record of what `init` changed in files of others, so that `deinit` can revert it."""

    @property
    def session(self) -> str:
        """The path of the memory of sessions."""

    def scratch(self) -> AbstractContextManager[Store]:
        """A temporary store outside of the workspace; it is removed at the end of the block."""

    def end_daemon(self) -> None:
        """Ends the daemon that serves this workspace, if it runs."""

    def close(self) -> None:
        """Closes what was opened; a workspace that is used again opens it again."""

    def prepare(self) -> None:
        """Creates keel's own folder, hidden from git except for the configuration."""
