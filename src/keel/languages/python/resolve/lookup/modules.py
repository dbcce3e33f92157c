"""The module system: which file an import names, seen from the file that imports.

Relative imports, source roots, the folder of a script or test, namespace packages, stubs. Source roots are the folders
from which absolute imports start: the workspace's root and every folder with a manifest, since scripts and tests run
from there, and what a manifest declares, or `src` beside one that declares nothing. What a module holds is left to
`lookup`.
"""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Sequence
from fnmatch import fnmatchcase
from typing import NamedTuple

from keel.languages.python.facts import PythonTree
from keel.languages.python.resolve.lookup import keys
from keel.model.manifests import Manifest, Source


def source_roots(manifests: Sequence[Manifest], folders: Collection[str], files: Container[str]) -> list[Source]:
    """The source roots of one root, given its folders with code and its files."""
    projects = {"", *(manifest.folder for manifest in manifests), *_members(manifests, folders)}
    declared: dict[str, list[Source]] = {project: [] for project in projects}
    for manifest in manifests:
        declared[manifest.folder] += manifest.sources
    found = {Source(project) for project in projects}
    for project, sources in declared.items():
        found.update(source for source in sources or _usual(project, files) if source.folder in folders)
    found.update(Source(folder) for manifest in manifests for folder in manifest.extra if folder in folders)
    return sorted(found)


def _usual(project: str, files: Container[str]) -> list[Source]:
    """Where code is when nothing is declared: in `src`, unless that is a package itself."""
    source = f"{project}/src" if project else "src"
    return [] if any(f"{source}/__init__{end}" in files for end in (".py", ".pyi")) else [Source(source)]


def _members(manifests: Iterable[Manifest], folders: Iterable[str]) -> Iterable[str]:
    """The folders of the projects that a workspace holds by its globs."""
    for manifest in manifests:
        if manifest.members:
            base = f"{manifest.folder}/" if manifest.folder else ""
            for folder in folders:
                if folder and folder.startswith(base) and _is_member(manifest, folder[len(base) :]):
                    yield folder


def _is_member(manifest: Manifest, folder: str) -> bool:
    parts = folder.split("/")
    return _any_matches(manifest.members, parts) and not _any_matches(manifest.excluded, parts)


def _any_matches(globs: Iterable[str], parts: list[str]) -> bool:
    return any(_matches(glob.removeprefix("./").strip("/").split("/"), parts) for glob in globs)


def _matches(pattern: list[str], parts: list[str]) -> bool:
    """Whether a glob, cut at its slashes, matches a path; `**` any number of folders."""
    positions = _with_skips(pattern, {0})
    for part in parts:
        stay = {at for at in positions if pattern[at : at + 1] == ["**"]}
        step = {at + 1 for at in positions - stay if at < len(pattern) and fnmatchcase(part, pattern[at])}
        positions = _with_skips(pattern, stay | step)
    return len(pattern) in positions


def _with_skips(pattern: list[str], positions: set[int]) -> set[int]:
    """Positions in a pattern, and those that are reached from there without a part, past `**`."""
    for at, glob in enumerate(pattern):
        if glob == "**" and at in positions:
            positions.add(at + 1)
    return positions


INITS = ("__init__.py", "__init__.pyi")
SUFFIXES = (".py", ".pyi")


class ModuleMatch(NamedTuple):
    """A module: its file (-1 for a namespace package), its path, and whether a package on the way has no `__init__`."""

    file: int
    root: str
    path: str
    namespace: bool


class Modules:
    """All modules of a workspace. What is looked up, absences included, is added to the `asked` of each question."""

    def __init__(self, tree: PythonTree) -> None:
        self._files: dict[str, dict[str, int]] = {root: {} for root in tree.roots}
        self._folders: dict[str, set[str]] = {root: set() for root in tree.roots}
        for number, row in tree.files.items():
            self._files[row.root][row.path] = number
            self._add_folders(self._folders[row.root], row.path)
        self._rows = tree.files
        self.sources: dict[str, list[Source]] = {
            root: source_roots(
                [manifest for manifest in tree.manifests if manifest.root == root],
                self._folders[root],
                self._files[root],
            )
            for root in tree.roots
        }
        """The folders that absolute imports start from, by root."""

    @staticmethod
    def _add_folders(folders: set[str], path: str) -> None:
        folder = path.rpartition("/")[0]
        while folder not in folders:
            folders.add(folder)
            folder = folder.rpartition("/")[0]

    def settings(self) -> bytes:
        """The source roots as one value."""
        sources = [(root, [(source.folder, source.package) for source in self.sources[root]]) for root in self.sources]
        return repr(sorted(sources)).encode("utf-8", "surrogatepass")

    def name(self, file: int) -> str:
        """The dotted name others import a file by: from its nearest source root."""
        row = self._rows[file]
        parts = keys.module_parts(row.path)
        near = self._near(row.root, row.path)[0]
        depth = near.folder.count("/") + 1 if near.folder else 0
        named = [near.package] if near.package else []
        return ".".join(named + parts[depth:]) or ".".join(parts) or row.root

    def relative(self, file: int, level: int, dotted: str, asked: set[int]) -> ModuleMatch | None:
        """`from ..a import …`: so many folders up, then down."""
        row = self._rows[file]
        folders = row.path.split("/")[:-1]
        if level - 1 > len(folders):
            return None
        base = "/".join(folders[: len(folders) - (level - 1)])
        found = self._below(row.root, base, dotted.split(".") if dotted else [], asked)
        if found is None or found.namespace or self._is_package(row.root, base, asked):
            return found
        return found._replace(namespace=True)

    def absolute(self, file: int, dotted: str, asked: set[int]) -> list[ModuleMatch]:
        """`import a.b`: the matches of the first group of search folders that has any, in search order.

        Groups: the importer's own (folder of its topmost package, nearest source root), the other source roots of its
        root, those of the other roots.
        """
        asked.add(keys.absolute_module(dotted))
        row = self._rows[file]
        parts = dotted.split(".")
        near = self._near(row.root, row.path)
        start = Source(self._start_folder(row.root, row.path, asked))
        own = [(row.root, source) for source in dict.fromkeys((start, *near))]
        others = [(row.root, source) for source in self.sources[row.root] if (row.root, source) not in own]
        rest = [(root, source) for root in self.sources if root != row.root for source in self.sources[root]]
        for group in (own, others, rest):
            found = self._matches(group, parts, asked)
            if found:
                return found
        return []

    def _near(self, root: str, path: str) -> list[Source]:
        """The source roots that contain a file, the nearest first; the root itself is always among them."""
        below = [source for source in self.sources[root] if not source.folder or path.startswith(source.folder + "/")]
        return sorted(below, key=lambda source: (len(source.folder), source.package), reverse=True)

    def _start_folder(self, root: str, path: str, asked: set[int]) -> str:
        """The folder of the topmost package around a file: where a script or test runner starts from."""
        folder = path.rpartition("/")[0]
        while folder and self._is_package(root, folder, asked):
            folder = folder.rpartition("/")[0]
        return folder

    def _is_package(self, root: str, folder: str, asked: set[int]) -> bool:
        asked.add(keys.package_mark(root, folder))
        files = self._files[root]
        prefix = f"{folder}/" if folder else ""
        return f"{prefix}__init__.py" in files or f"{prefix}__init__.pyi" in files

    def _matches(self, folders: Iterable[tuple[str, Source]], parts: list[str], asked: set[int]) -> list[ModuleMatch]:
        found = [match for root, source in folders if (match := self._in_source(root, source, parts, asked))]
        regular = [match for match in found if match.file >= 0]
        return list(dict.fromkeys(regular or found[:1]))

    def _in_source(self, root: str, source: Source, parts: list[str], asked: set[int]) -> ModuleMatch | None:
        if not source.package:
            return self._below(root, source.folder, parts, asked)
        named = source.package.split(".")
        if parts[: len(named)] != named:
            return None
        found = self._below(root, source.folder, parts[len(named) :], asked)
        if found is None or len(parts) == len(named) or self._is_package(root, source.folder, asked):
            return found
        return found._replace(namespace=True)

    def _below(self, root: str, base: str, parts: list[str], asked: set[int]) -> ModuleMatch | None:
        path = "/".join((base, *parts)) if base else "/".join(parts)
        asked.add(keys.relative_module(root, path))
        files = self._files[root]
        prefix = f"{path}/" if path else ""
        for name in INITS:
            file = files.get(prefix + name)
            if file is not None:
                return ModuleMatch(file, root, path, self._has_gap(root, base, parts[:-1], asked))
        for suffix in SUFFIXES if parts else ():
            file = files.get(path + suffix)
            if file is not None:
                return ModuleMatch(file, root, path, self._has_gap(root, base, parts[:-1], asked))
        return ModuleMatch(-1, root, path, True) if path in self._folders[root] else None

    def _has_gap(self, root: str, base: str, parents: list[str], asked: set[int]) -> bool:
        """Whether a package on the way has no `__init__`."""
        folder = base
        for part in parents:
            folder = f"{folder}/{part}" if folder else part
            if not self._is_package(root, folder, asked):
                return True
        return False

    def stub(self, found: ModuleMatch) -> ModuleMatch:
        """The stub beside a module, which is what an import in a stub means; the module itself where there is none."""
        if found.file < 0:
            return found
        beside = self._files[found.root].get(f"{self._rows[found.file].path}i")
        return found if beside is None else found._replace(file=beside)

    def submodule(self, found: ModuleMatch, name: str, asked: set[int]) -> ModuleMatch | None:
        """A module inside a package."""
        return self._below(found.root, found.path, [name], asked)
