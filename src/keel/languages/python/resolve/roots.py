"""Source roots: the folders from which absolute imports start, from what manifests declare and what folders there are.

The workspace's root and every folder with a manifest are such folders, since scripts and tests run from there; so is
what a manifest declares, or `src` beside one that declares nothing. How an import is looked up is left to `modules`.
"""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Sequence
from fnmatch import fnmatchcase

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
    """Whether a glob, cut at its slashes, stands for a path; `**` for any number of folders."""
    places = _with_skips(pattern, {0})
    for part in parts:
        stay = {at for at in places if pattern[at : at + 1] == ["**"]}
        step = {at + 1 for at in places - stay if at < len(pattern) and fnmatchcase(part, pattern[at])}
        places = _with_skips(pattern, stay | step)
    return len(pattern) in places


def _with_skips(pattern: list[str], places: set[int]) -> set[int]:
    """Places of a pattern, and those that are reached from there without a part, past `**`."""
    for at, glob in enumerate(pattern):
        if glob == "**" and at in places:
            places.add(at + 1)
    return places
