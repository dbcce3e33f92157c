"""The type checker that is asked about an edit, and the two trees as it sees them.

What follows from its evidence is left to `enforcement`; nothing is read or started here before the first question.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING

from keel.indexing.scan.folders import on_disk, prefix_of

if TYPE_CHECKING:
    from keel.enforcement.comparison import Comparison
    from keel.indexing.base.sources import Accepted
    from keel.model.refs import FileKey
    from keel.model.rows import FileRow
    from keel.ports.language import Language
    from keel.ports.type_checker import Asking, Scene
    from keel.ports.workspace import Workspace


def asking_of(
    workspace: Workspace, language: Language, comparison: Comparison, known: Collection[FileKey], base: Accepted
) -> Asking | None:
    """The checker for the files of a language; None when nothing differs. `known` are the changed files."""
    if not known:
        return None
    from keel.ports.type_checker import Asking

    files = comparison.now.facts.tree.files
    scenes = _Scenes(workspace, language, comparison, known, base)
    name = language.name
    return Asking(
        lambda: workspace.type_checkers.get(name),
        cache(scenes.of),
        lambda file: scenes.path(files[file].root, files[file].path),
    )


class _Scenes:
    """The two trees of a language as a checker sees them, root by root."""

    def __init__(
        self,
        workspace: Workspace,
        language: Language,
        comparison: Comparison,
        known: Collection[FileKey],
        base: Accepted,
    ) -> None:
        self._workspace, self._language, self._base = workspace, language, base
        self._tree, self._known = comparison.now.facts.tree, known
        self._prefixes = {root: prefix_of(folder) for root, folder in workspace.roots.items()}

    def path(self, root: str, path: str) -> str:
        """The absolute path of a file."""
        return on_disk(self._prefixes[root], path)

    def of(self, root: str) -> Scene:
        """The scene of a root. It contains the files of all roots, since they import each other."""
        from keel.indexing.helpers.source_roots import sources_of
        from keel.ports.type_checker import Scene

        rows = self._tree.files.values()
        now = {self.path(row.root, row.path): row for row in rows}
        before = {self.path(*place): place for place in sorted(self._known)}
        contents = self._base.sources.contents
        was = {path: contents[place] for path, place in before.items() if contents[place] is not None}
        kept = {path: row.content for path, row in now.items() if path not in before}
        sources = sources_of(self._language, self._tree, self._workspace.roots, root)
        return Scene(
            self._workspace.roots[root],
            sources,
            {path: _mark(row) for path, row in now.items()},
            {**kept, **was},
            _Texts(self._base, before),
        )


def _mark(row: FileRow) -> object:
    """What changes when a file is written: its time too, since its content may have changed in between."""
    return row.content, row.mtime_ns


class _Texts(Mapping[str, "bytes | None"]):
    """The content of files in base, read on first use."""

    def __init__(self, base: Accepted, places: Mapping[str, FileKey]) -> None:
        self._base, self._places = base, places

    def __getitem__(self, path: str) -> bytes | None:
        return self._base.sources[self._places[path]]

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)
