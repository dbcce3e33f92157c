"""Narrowing a workspace to a part: the files below a folder, one file, the modules below a dotted name, or a pattern.

A scope without files is an error that names the nearest one. What is asked about the files is left to the operations.
"""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from keel.errors import SymbolNotFound
from keel.model.text.qualified import neutral

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from keel.graph.lookup.handles import PathScope
    from keel.model.rows import FileRow

NEAREST = 3


def in_scope(files: Sequence[FileRow], scope: str, places: PathScope) -> list[FileRow]:
    """The files of a scope: by path as it was typed, else by module or package, by root, or by `*`."""
    scope = scope.strip()
    if not scope:
        return list(files)
    wanted = set(places.of(scope))
    ways = (
        lambda file: any(file.root == root and _is_within(file.path, path, "/") for root, path in wanted),
        lambda file: _is_within(neutral(file.module), neutral(scope), "."),
        lambda file: file.root == scope,
        lambda file: fnmatchcase(file.path, scope.removeprefix("./")),
    )
    for matches in ways:
        found = [file for file in files if matches(file)]
        if found:
            return found
    raise SymbolNotFound(scope, _nearest(files, scope))


def _is_within(name: str, whole: str, separator: str) -> bool:
    return whole in (name, ".") or name.startswith(f"{whole}{separator}")


def _nearest(files: Iterable[FileRow], scope: str) -> list[str]:
    """Folders, files and modules with similar names."""
    import difflib  # only for an error

    names: dict[str, None] = {}
    for file in files:
        names.update(dict.fromkeys(_beginnings(file.path, "/")))
        names.update(dict.fromkeys(_beginnings(neutral(file.module), ".")))
    return difflib.get_close_matches(scope.rstrip("/"), names, n=NEAREST)


def _beginnings(name: str, separator: str) -> list[str]:
    """`a/b/c` begins with `a`, `a/b` and itself."""
    parts = name.split(separator)
    return [separator.join(parts[:count]) for count in range(1, len(parts) + 1)]
