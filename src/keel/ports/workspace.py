"""The Workspace socket: everything an operation works with, chosen by `bootstrap.py`.

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
    """One logical graph over one or more roots; its parts are made when they are first asked for."""

    @property
    def folder(self) -> str:
        """The workspace folder, absolute."""

    @property
    def here(self) -> str:
        """The folder the caller is in: what a path that was typed is relative to."""

    @property
    def is_watched(self) -> bool:
        """Whether whoever opened it sees to it that the graph is up to date, so that questions need not look."""

    @property
    def tells_counts(self) -> bool:
        """Whether whoever asks is told how many edges differ, which takes longer to find out than what is wrong."""

    @property
    def name(self) -> str:
        """What the graph is called."""

    @property
    def config(self) -> Config:
        """What `.keel/config.toml` says."""

    @property
    def enforcement(self) -> Enforcement:
        """What it says about rules, checked against what they declare."""

    @property
    def roots(self) -> Mapping[str, str]:
        """Absolute folders by name."""

    @property
    def languages(self) -> Sequence[Language]:
        """The languages whose files are read."""

    @property
    def syntaxes(self) -> Syntaxes:
        """How each of them is written, by its name; a language that is not among them has a plain one."""

    @property
    def rules(self) -> Sequence[Rule]:
        """The rules that edits are judged by."""

    @property
    def agents(self) -> Sequence[Agent]:
        """The agents that keel can be set up for."""

    @property
    def store(self) -> Store:
        """Where the graph lives."""

    @property
    def cache(self) -> FactsCache:
        """Facts by content."""

    @property
    def runner(self) -> Callable[[int], Runner]:
        """A runner fit for so many files."""

    @property
    def helpers(self) -> Mapping[str, Sequence[Helper]]:
        """Who is asked after linking, by language, one after the other."""

    def others(self) -> Sequence[Store]:
        """The graphs of other working trees of the repository, the likeliest to be of use first."""

    @property
    def embedder(self) -> Embedder | None:
        """Who makes vectors of symbols, so that search can go by meaning; None without the extra `semantic`."""

    @property
    def graph_cache(self) -> object | None:
        """What `indexing` keeps from one run to the next, in a process that stays; None in one that ends."""

    @property
    def type_checkers(self) -> Mapping[str, TypeChecker]:
        """Who is asked what an edit breaks, by language; nobody is started before there is a question."""

    @property
    def progress(self) -> Callable[[str, int, int], None]:
        """Told now and then by long work: the stage, how much of it is done, and of how much."""

    @property
    def footprint(self) -> Footprint:
        """Everything that keel may write for this workspace."""

    @property
    def accepted(self) -> str:
        """Where the snapshot of the accepted tree is kept, if git has none."""

    @property
    def changed_by_setup(self) -> str:
        """Where it is kept what `init` changed in files of others, so that `deinit` can take it back."""

    @property
    def session(self) -> str:
        """Where it is kept what sessions remember."""

    def scratch(self) -> AbstractContextManager[Store]:
        """A store to try things out in, outside of the workspace; it is gone at the end of the block."""

    def end_daemon(self) -> None:
        """Ends the process that serves this workspace in the background, if there is one."""

    def close(self) -> None:
        """Closes what was opened; a workspace that is used again opens it again."""

    def prepare(self) -> None:
        """Makes the folder that keel keeps its things in, hidden from git but for the configuration."""
