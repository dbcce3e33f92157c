"""No invented edges: calls into test code from files that cannot reach it by import.

A name is never matched across a workspace into tests. What a file reaches is found by Python's own parser and a plain
search for modules, with nothing of keel's, and generously: a module counts as reached when any folder above it on the
way to the top could be the one that Python searches.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from benchmarks.accuracy.answers import Edge
from benchmarks.accuracy.sites import Source

TESTS = "tests"


@dataclass(frozen=True, slots=True)
class Reach:
    """The call edges of a graph that lead into tests, and those that no import explains."""

    edges: int
    into_tests: int
    unreachable: tuple[Edge, ...]


def reach(tree: Path, edges: Collection[Edge]) -> Reach:
    """Checks every call edge whose target lies in a folder of tests."""
    into_tests = [edge for edge in edges if TESTS in PurePosixPath(edge.target.path).parts]
    imports = direct_imports(tree)
    reached: dict[str, set[str]] = {}
    offenders = []
    for edge in into_tests:
        caller = edge.place.path
        if caller not in reached:
            reached[caller] = reachable(caller, imports)
        if edge.target.path not in reached[caller]:
            offenders.append(edge)
    return Reach(len(edges), len(into_tests), tuple(offenders))


def reachable(path: str, imports: dict[str, set[str]]) -> set[str]:
    """A file and everything that it imports, directly or through what it imports."""
    found = {path}
    waiting = [path]
    while waiting:
        new = imports.get(waiting.pop(), set()) - found
        found |= new
        waiting.extend(new)
    return found


def direct_imports(tree: Path) -> dict[str, set[str]]:
    """The files of a tree that each of its files imports. A file that is no Python of ours imports nothing."""
    files = {path.relative_to(tree).as_posix() for path in tree.rglob("*.py")}
    found: dict[str, set[str]] = {}
    for path in sorted(files):
        try:
            source = Source(path, (tree / path).read_bytes())
        except (SyntaxError, ValueError):
            continue
        found[path] = {target for name in _modules(source) for target in _files_of(name, path, files)}
    return found


def _modules(source: Source) -> Iterator[tuple[int, str]]:
    """Level and dotted name of everything a file may import; imported names may be modules themselves."""
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Import):
            yield from ((0, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            module = node.module or ""
            yield node.level, module
            yield from ((node.level, f"{module}.{alias.name}".strip(".")) for alias in node.names)


def _files_of(imported: tuple[int, str], path: str, files: Collection[str]) -> Iterator[str]:
    """The files that importing a name runs: the module and the packages around it."""
    level, name = imported
    folders = path.split("/")[:-1]
    parts = name.split(".") if name else []
    tops = [len(folders) - level + 1] if level else range(len(folders) + 1)
    for top in tops:
        # A relative import runs the package it starts from, too.
        for length in range(0 if level else 1, len(parts) + 1):
            module = "/".join([*folders[: max(top, 0)], *parts[:length]])
            for file in (f"{module}.py", f"{module}/__init__.py".lstrip("/")):
                if file in files:
                    yield file
