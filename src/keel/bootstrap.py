"""Bootstrap: the one place that chooses which store, cache, runner and languages a workspace works with.

Everything is made on first use, so that a command pays only for what it needs. Finding what is installed is left to
`registry.py`, using a workspace to the operations.
"""

from __future__ import annotations

import os
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cached_property, partial

from keel import config, registry

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from keel.config import Enforcement
    from keel.indexing.cache.graph_cache import GraphCache
    from keel.model.footprint import Footprint
    from keel.model.syntax import Syntaxes
    from keel.ports.agent import Agent
    from keel.ports.definitions import Helper, Project
    from keel.ports.embedder import Embedder
    from keel.ports.facts_cache import FactsCache
    from keel.ports.language import Language
    from keel.ports.rule import Rule
    from keel.ports.runner import Runner
    from keel.ports.store import Store
    from keel.ports.type_checker import TypeChecker
    from keel.resolvers.lsp.definitions import ServerDefinitions
    from keel.resolvers.no_definitions import NoDefinitions
    from keel.resolvers.scip.resolver import ScipResolver
    from keel.resolvers.ty.resolver import TyResolver

    Opener = Callable[[str, str, Callable[[str, int, int], None]], "Workspace"]

_opener: ContextVar[Opener | None] = ContextVar("opener", default=None)

NO_TY = "KEEL_NO_TY"
"""When this is set in the environment, ty is not asked."""
NO_TIER3 = "KEEL_NO_TIER3"
"""When this is set, neither a configured server nor an index is asked."""
NO_SEMANTIC = "KEEL_NO_SEMANTIC"
"""When this is set, search goes by words alone, and no vectors are made."""
FEW_FILES = 150
"""Below this many, starting processes takes longer than reading the files here."""

GRAPH, FACTS, IGNORE, LOG = "graph.db", "facts.db", ".gitignore", "log"
SESSION, DAEMON_LOG, ACCEPTED = "session.json", "daemon.log", "accepted.zip"
SETUP, BUILDING = "setup.json", "building"
LOGS = tuple(f"{name}{end}" for name in (LOG, DAEMON_LOG) for end in ("", ".1"))
OTHERS = (*LOGS, ACCEPTED, SETUP, BUILDING)
BESIDE_DATABASE = ("", "-wal", "-shm", "-journal", "-lock")
"""Suffixes of the files beside a database: those of SQLite, and the lock for discarding a damaged one."""
BESIDE_SESSION = ("", ".lock", ".part", ".damaged")
"""Suffixes of the files that `enforcement/session/storage.py` puts beside the session file."""
IGNORED = """# What keel keeps here is made from the source; only the configuration is meant to be committed.
*
!config.toml
"""


def open_workspace(
    start: str = ".",
    explicit: str | None = None,
    progress: Callable[[str, int, int], None] | None = None,
    persistent: bool = False,
) -> Workspace:
    """The workspace that a folder belongs to, or the one that was named; `persistent` for the daemon."""
    from keel.indexing.workspace import find_workspace

    folder = find_workspace(start, explicit)
    opens = _opener.get()
    here, tell = _here(start) or folder, progress or _silent
    return opens(folder, here, tell) if opens is not None else Workspace(folder, here, tell, persistent)


@contextmanager
def opened_by(opens: Opener) -> Iterator[None]:
    """Within the block, and on this thread, `open_workspace` calls this instead: the daemon keeps workspaces open."""
    token = _opener.set(opens)
    try:
        yield
    finally:
        _opener.reset(token)


class Workspace:
    """The Workspace socket over a folder on disk."""

    def __init__(
        self, folder: str, here: str, progress: Callable[[str, int, int], None], persistent: bool = False
    ) -> None:
        self.folder = folder
        self.here = here
        self.progress = progress
        self.is_watched = False
        """Set by callers that keep the graph fresh themselves, such as a benchmark of answers alone."""
        self.tells_counts = True
        """Unset by callers that show findings only."""
        self._persistent = persistent

    @cached_property
    def graph_cache(self) -> GraphCache | None:
        """The graph cache of the daemon; None in any other process."""
        if not self._persistent:
            return None
        from keel.indexing.cache.graph_cache import GraphCache

        return GraphCache()

    @cached_property
    def config(self) -> config.Config:
        """What `.keel/config.toml` says."""
        return config.load(self.folder)

    @cached_property
    def enforcement(self) -> Enforcement:
        """The section `[enforcement]`, checked against what the rules declare."""
        said = self.config.enforcement
        if not (said.settings or said.overrides):
            return said
        return config.check_enforcement(self.folder, said, registry.enforcement_keys())

    @cached_property
    def name(self) -> str:
        """What the graph is called."""
        from keel.indexing.workspace import workspace_name

        return workspace_name(self.folder, self.config)

    @cached_property
    def roots(self) -> Mapping[str, str]:
        """Absolute folders by name."""
        from keel.indexing.workspace import roots_of

        return roots_of(self.folder, self.config)

    @cached_property
    def languages(self) -> Sequence[Language]:
        """All installed languages."""
        return registry.languages()

    @cached_property
    def syntaxes(self) -> Syntaxes:
        """The syntaxes of all languages."""
        from keel.model.syntax import syntaxes_of

        return syntaxes_of(self.languages)

    @cached_property
    def rules(self) -> Sequence[Rule]:
        """All installed rules."""
        return registry.rules()

    @cached_property
    def agents(self) -> Sequence[Agent]:
        """All installed agents."""
        return registry.agents()

    @cached_property
    def store(self) -> Store:
        """The graph in `.keel/graph.db`."""
        from keel.stores.sqlite.store import SqliteStore

        return SqliteStore(self.own_path(GRAPH), persistent=self._persistent)

    @cached_property
    def cache(self) -> FactsCache:
        """The facts cache, shared by all working trees of a repository."""
        from keel.stores.sqlite.facts_cache import SqliteFactsCache

        return SqliteFactsCache(self._shared or self.own_path(FACTS))

    @cached_property
    def _shared(self) -> str:
        """The path of the facts cache in the git folder; empty outside git."""
        from keel.indexing.git.repository import repository_above

        repository = repository_above(self.folder)
        return os.path.join(repository.common, "keel", FACTS) if repository is not None else ""

    @property
    def footprint(self) -> Footprint:
        """Everything below `.keel/`, and the facts cache in the git folder."""
        from keel.model.footprint import Footprint

        facts = tuple(self.own_path(f"{FACTS}{end}") for end in BESIDE_DATABASE)
        sessions = tuple(self.own_path(f"{SESSION}{end}") for end in BESIDE_SESSION)
        return Footprint(
            folder=os.path.join(self.folder, config.FOLDER),
            config=self.own_path(config.FILE),
            ignore=self.own_path(IGNORE),
            ignore_text=IGNORED,
            graph=tuple(self.own_path(f"{GRAPH}{end}") for end in BESIDE_DATABASE),
            others=(*facts, *sessions, *(self.own_path(name) for name in OTHERS), *_of_daemon(self.folder)),
            shared=tuple(f"{self._shared}{end}" for end in BESIDE_DATABASE) if self._shared else (),
        )

    @property
    def accepted(self) -> str:
        """The snapshot of the accepted tree, where git has none."""
        return self.own_path(ACCEPTED)

    @property
    def changed_by_setup(self) -> str:
        """The record of what `init` changed in files that are not keel's."""
        return self.own_path(SETUP)

    @property
    def session(self) -> str:
        """The file that sessions are stored in."""
        return self.own_path(SESSION)

    @cached_property
    def helpers(self) -> Mapping[str, Sequence[Helper]]:
        """ty for its language, then what the configuration names; off where the environment says so."""
        wants_ty, tier3 = self.config.resolution.ty, self.config.resolution.tier3
        if not (wants_ty or tier3.server or tier3.scip):
            return {}
        no_ty, no_tier3 = bool(os.environ.get(NO_TY)), bool(os.environ.get(NO_TIER3))
        from keel.model.kinds import Tier
        from keel.ports.definitions import Helper
        from keel.ports.language import confirming_of
        from keel.resolvers import ty

        helpers: dict[str, list[Helper]] = {each.name: [] for each in self.languages if confirming_of(each) is not None}
        if wants_ty and ty.LANGUAGE in helpers:
            asks_ty = Helper("ty", int(Tier.TIER2_TY), _ty, has_second_opinion=True, is_off=no_ty)
            helpers[ty.LANGUAGE].append(asks_ty)
        for language in self._server_languages(list(helpers)):
            if language not in helpers:
                keys = ("resolution", "tier3", "languages")
                config.refuse(self.folder, keys, f"is one of {', '.join(helpers)}, not '{language}'")
            name, opens = os.path.basename(tier3.server[0]), partial(_server, tier3, language)
            helpers[language].append(Helper(name, int(Tier.TIER3_LSP), opens, is_expensive=True, is_off=no_tier3))
        for language, asked in helpers.items():
            if tier3.scip:
                read = partial(self._scip, language)
                asked.append(Helper("scip", int(Tier.TIER3_SCIP), read, is_off=no_tier3))
        return helpers

    def _server_languages(self, available: Sequence[str]) -> Sequence[str]:
        """The languages that the configured server is asked about; none without a server."""
        tier3 = self.config.resolution.tier3
        if not tier3.server or tier3.languages:
            return tier3.languages if tier3.server else ()
        from keel.resolvers.servers.configured import languages_of

        return languages_of(tier3.server, available)

    @cached_property
    def embedder(self) -> Embedder | None:
        """The model of the extra `semantic`, where it is installed."""
        if os.environ.get(NO_SEMANTIC):
            return None
        from keel.embedders.static import StaticEmbedder, is_installed

        return StaticEmbedder() if is_installed() else None

    @cached_property
    def type_checkers(self) -> Mapping[str, TypeChecker]:
        """ty for its language, unless the configuration or the environment says otherwise."""
        if not self.config.resolution.ty or os.environ.get(NO_TY):
            return {}
        from keel.resolvers import ty
        from keel.resolvers.ty.type_checker import TyTypeChecker

        return {ty.LANGUAGE: TyTypeChecker()}

    def _scip(self, language: str, project: Project, second_opinion: bool) -> ScipResolver:
        from keel.resolvers.scip.resolver import ScipResolver

        paths = [os.path.join(self.folder, path) for path in self.config.resolution.tier3.scip]
        constructors = self.syntaxes[language].constructors
        return ScipResolver(paths, [self.folder, *self.roots.values()], project.is_whole, constructors)

    def others(self) -> Sequence[Store]:
        """The graphs of the main working tree, and then of the others."""
        from keel.indexing.git.repository import same_folders
        from keel.stores.sqlite.store import SqliteStore

        paths = [os.path.join(folder, config.FOLDER, GRAPH) for folder in same_folders(self.folder)]
        return [SqliteStore(path) for path in paths if os.path.isfile(path)]

    @contextmanager
    def scratch(self) -> Iterator[Store]:
        """A graph in a temporary folder."""
        from tempfile import TemporaryDirectory

        from keel.errors import WorkspaceError
        from keel.stores.sqlite.store import SqliteStore

        try:
            folder = TemporaryDirectory(prefix="keel-", ignore_cleanup_errors=True)
        except OSError as error:
            raise WorkspaceError(f"cannot make a temporary folder: {error.strerror}") from error
        with folder:
            yield SqliteStore(os.path.join(folder.name, GRAPH))

    @property
    def runner(self) -> Callable[[int], Runner]:
        """This process for few files, a pool of processes for many."""
        return _runner_for

    def own_path(self, name: str) -> str:
        """The path of one of keel's own files, below `.keel/`."""
        return os.path.join(self.folder, config.FOLDER, name)

    def end_daemon(self) -> None:
        """Ends the daemon of this workspace."""
        if hasattr(os, "getuid"):
            from keel.daemon import end

            end(self.folder)

    def close(self) -> None:
        """Closes every part that was made and can be closed; later uses make it anew."""
        made = [name for name in vars(self) if isinstance(getattr(type(self), name, None), cached_property)]
        for name in made:
            part = vars(self).pop(name)
            for each in part.values() if isinstance(part, dict) else (part,):
                close = getattr(each, "close", None)
                if close is not None:
                    close()

    def prepare(self) -> None:
        """Makes `.keel/`, hidden from git but for the configuration."""
        ignore = self.own_path(IGNORE)
        if os.path.exists(ignore):
            return
        from keel.errors import WorkspaceError

        folder = os.path.dirname(ignore)
        try:
            os.makedirs(folder, exist_ok=True)
            with open(ignore, "w", encoding="utf-8", newline="\n") as file:
                file.write(IGNORED)
        except (FileExistsError, NotADirectoryError) as error:
            raise WorkspaceError(f"{folder} is in the way: keel needs a folder of that name") from error
        except OSError as error:
            raise WorkspaceError(f"cannot make {folder}: {error.strerror}") from error


def _of_daemon(folder: str) -> tuple[str, ...]:
    """The files of a workspace's daemon, which lie outside the workspace."""
    if not hasattr(os, "getuid"):
        return ()
    from keel.daemon import lock_of, socket_of

    return socket_of(folder), lock_of(folder)


def _runner_for(files: int) -> Runner:
    if files < FEW_FILES:
        from keel.runners.inline import InlineRunner

        return InlineRunner()
    from keel.runners.pool import PoolRunner

    return PoolRunner()


def _ty(project: Project, second_opinion: bool) -> TyResolver:
    from keel.resolvers.ty.resolver import TyResolver

    return TyResolver(project.folder, infer_returns=second_opinion, sources=project.sources)


def _server(
    tier3: config.Tier3, language: str, project: Project, second_opinion: bool
) -> ServerDefinitions | NoDefinitions:
    from keel.resolvers.servers.configured import Configured, open_server

    return open_server(Configured(tier3.server, tier3.options, tier3.settings), language, project)


def _here(start: str) -> str:
    """The current folder; empty when it was deleted, as it can be when the workspace is named."""
    try:
        return os.path.realpath(start)
    except FileNotFoundError:
        return ""


def _silent(stage: str, done: int, total: int) -> None:
    """Ignores progress."""
