"""Links of files that are only in memory, by any language: what the contract suites compare.

Nothing is stored; the tree is the one that linkers get.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from keel.model.facts import Facts, Interface, encode
from keel.model.manifests import Manifest
from keel.model.rows import FileRow
from keel.ports.language import Change, Language
from keel.ports.tree import Tree

T = TypeVar("T")
ROOT = "app"


class MemoryTree:
    """The Tree socket over texts, by path."""

    def __init__(self, language: Language, files: Mapping[str, str]) -> None:
        self.roots = [ROOT]
        self.manifests: Sequence[Manifest] = ()
        paths = sorted(files)
        self.facts: dict[int, Facts] = {n: language.extract(files[path].encode(), path) for n, path in enumerate(paths)}
        self.files = {n: FileRow(n, ROOT, path, language.name, "", b"", 0, 0, 0) for n, path in enumerate(paths)}
        self._layouts: dict[object, object] = {}

    def interface(self, file: int) -> Interface:
        """What a file says."""
        return self.facts[file].interface

    def references(self, file: int) -> bytes:
        """What it refers to, as it is stored."""
        return encode(self.facts[file].references)

    def layout(self, make: Callable[[Tree[Any]], T]) -> T:
        """Made once."""
        if make not in self._layouts:
            self._layouts[make] = make(self)
        return self._layouts[make]  # type: ignore[return-value]  # made by the same maker


class NoFlows:
    """A store that remembers nothing."""

    remembers = False
    gone: Sequence[int] = ()

    def given(self, slot: int) -> Mapping[int, bytes]:
        """Nothing."""
        return {}

    def slots(self, files: object) -> set[int]:
        """None."""
        return set()

    def readers(self, slots: object) -> set[int]:
        """None."""
        return set()


@dataclass
class Linked:
    """The links of a few files, by names."""

    edges: set[tuple[str, str]]
    """Qualified names of source and target."""
    reasons: list[tuple[str, int]]
    """The text of each reference and its reason, in the order of paths."""
    keys: dict[str, set[int]]
    """By path: what was looked up."""
    language: Language = field(compare=False)
    tree: MemoryTree = field(compare=False)

    def changed(self, change: Mapping[str, str]) -> set[int]:
        """The keys whose answers differ when some files say something else."""
        changes = []
        for number, row in self.tree.files.items():
            if row.path in change:
                after = self.language.extract(change[row.path].encode(), row.path).interface
                changes.append(Change(ROOT, row.path, self.tree.interface(number), after))
        return self.language.changed_keys(changes)


def linked(language: Language, files: Mapping[str, str]) -> Linked:
    """Links all files."""
    tree = MemoryTree(language, files)
    linker = language.linker(tree)
    for file in tree.files:
        linker.learn(file, tree.interface(file))
    graph = Linked(set(), [], {}, language, tree)
    results = {each.file: each for each in linker.link(list(tree.files), tree.references, NoFlows())}
    for file, links in sorted(results.items()):
        interface = tree.interface(file)
        graph.keys[tree.files[file].path] = links.keys
        for edge in links.edges:
            target = tree.interface(edge.target_file)
            names = interface.defs[edge.source].qualified_name, target.defs[edge.target].qualified_name
            graph.edges.add((interface.text(names[0]), target.text(names[1])))
        items = tree.facts[file].references.items
        graph.reasons += [(interface.text(one.text), why) for one, why in zip(items, links.reasons, strict=True)]
    return graph
