"""The heuristic resolver of Python as a class: keel's own analysis of a project, without a type checker.

It maps the project into a temporary graph, outside of the project. Resolving is left to the linker that `map` uses.
"""

from __future__ import annotations

import os
import weakref
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from functools import cached_property
from tempfile import TemporaryDirectory
from typing import NamedTuple

from keel.bootstrap import open_workspace
from keel.errors import ImportUnresolved
from keel.graph.export import export_graph
from keel.indexing.context import IndexContext
from keel.indexing.pipeline import build
from keel.indexing.stored_tree import stored_tree
from keel.languages.python import language
from keel.languages.python.resolve.link import PythonLinker
from keel.languages.python.resolve.lookup.lookup import LINKED, Answer
from keel.model.ids import MODULE, escape_path, unescape_path
from keel.model.kinds import Reason
from keel.model.lines import EdgeLine, NodeLine, RefLine
from keel.ports.definitions import Helper
from keel.ports.store import GraphReader
from keel.stores.sqlite.facts_cache import SqliteFactsCache
from keel.stores.sqlite.store import SqliteStore


class HeuristicResolution(NamedTuple):
    """The file that an import names, and how sure that is."""

    resolved_path: str
    """Absolute."""
    confidence: float
    symbol: str = ""
    """The definition in that file, by its qualified name; empty when the module itself is named."""
    candidates: tuple[str, ...] = ()
    """All files that match, in search order, when there are several."""
    is_heuristic: bool = True


class ProjectResolution(NamedTuple):
    """Everything that was found in a project."""

    nodes: tuple[NodeLine, ...]
    edges: tuple[EdgeLine, ...]
    unresolved: tuple[RefLine, ...]


class PythonHeuristicResolver:
    """Resolves the imports and calls of a Python project by keel's own analysis.

    The project is read when it is first asked about, and not again: make a new resolver after edits. It belongs to
    one thread.
    """

    available: bool = True
    """Always: it needs nothing but keel."""

    def __init__(self, project_root: str | os.PathLike[str]) -> None:
        self.project_root = os.path.realpath(project_root)
        self.warnings: tuple[str, ...] = ()
        """What was noticed when the project was read."""
        self._held = ExitStack()
        weakref.finalize(self, self._held.close)

    def resolve_project(self) -> ProjectResolution:
        """All nodes, edges, and references without an edge."""
        lines = list(export_graph(self._reader))
        return ProjectResolution(
            tuple(line for line in lines if isinstance(line, NodeLine)),
            tuple(line for line in lines if isinstance(line, EdgeLine)),
            tuple(line for line in lines if isinstance(line, RefLine)),
        )

    def resolve_import(
        self, source: str | os.PathLike[str], import_path: str, is_relative: bool = False
    ) -> HeuristicResolution:
        """The file that an import in a file of the project refers to.

        `import_path` is the text between `from` and `import` (`pkg.mod`, and `..models` when it is relative), or that
        followed by a name of the module (`pkg.mod.function`), which is traced through re-exports to its definition.
        Raises ImportUnresolved, a KeelError, when it names no file of the project.
        """
        dotted = import_path.lstrip(".") if is_relative else import_path
        level = max(len(import_path) - len(dotted), 1) if is_relative else 0
        file = self._file(os.fspath(source), import_path)
        answer = self._linker.imported(file, dotted, level)
        module, _, name = dotted.rpartition(".")
        if answer.reason != LINKED and name and (module or level):
            answer = self._linker.imported(file, module, level, name)
        if answer.reason != LINKED:
            raise ImportUnresolved(import_path, os.fspath(source), Reason(answer.reason).word)
        return self._resolution(answer)

    @cached_property
    def _line(self) -> IndexContext:
        workspace = open_workspace(self.project_root, explicit=self.project_root)
        folder = self._held.enter_context(TemporaryDirectory(prefix="keel-", ignore_cleanup_errors=True))
        store = SqliteStore(os.path.join(folder, "graph.db"))
        cache = SqliteFactsCache(os.path.join(folder, "facts.db"))
        return IndexContext(workspace.roots, [language], store, cache, workspace.runner, self._helpers())

    def _helpers(self) -> Mapping[str, Sequence[Helper]]:
        """The helpers beside keel's own analysis: none."""
        return {}

    @cached_property
    def _reader(self) -> GraphReader:
        self.warnings = build(self._line).warnings
        return self._held.enter_context(self._line.store.reading())

    @cached_property
    def _linker(self) -> PythonLinker:
        return PythonLinker(stored_tree(self._line, self._reader, language))

    @cached_property
    def _numbers(self) -> dict[tuple[str, str], int]:
        return {(row.root, row.path): row.id for row in self._reader.files()}

    def _file(self, source: str, import_path: str) -> int:
        path = os.path.realpath(os.path.join(self.project_root, source))
        for root, folder in self._line.roots.items():
            inside = escape_path(os.path.relpath(path, folder).replace(os.sep, "/"))
            if (root, inside) in self._numbers:
                return self._numbers[root, inside]
        raise ImportUnresolved(import_path, source, "no Python file of the project")

    def _resolution(self, answer: Answer) -> HeuristicResolution:
        node = self._reader.nodes(answer.file)[answer.ordinal]
        symbol = "" if node.qualified_name == MODULE else node.qualified_name
        candidates = tuple(self._path(file) for file, _ in answer.candidates)
        return HeuristicResolution(self._path(answer.file), answer.confidence / 100, symbol, candidates)

    def _path(self, file: int) -> str:
        row = self._reader.file(file)
        assert row is not None
        return os.path.join(self._line.roots[row.root], *unescape_path(row.path).split("/"))
