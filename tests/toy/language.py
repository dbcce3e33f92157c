"""The Language socket for Toy: extraction line by line, linking by module and name.

It has what keel must have to read a language, and nothing else: what it lacks, keel has to do without.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from keel.model.building import FactsBuilder
from keel.model.facts import MODULE_DEF, Facts, Interface, Reference, decode_references
from keel.model.hashing import digest64
from keel.model.kinds import EdgeKind, NodeKind, Reason, RefKind, Tier, Visibility
from keel.model.rows import EdgeRow, FileLinks
from keel.model.syntax import Syntax
from keel.ports.language import Answers, Change, Flows, Language, Linker
from keel.ports.tree import Tree

LINE = re.compile(rb"(?m)^(part|fn|[ \t])[ \t]*([^\s;]+)([^;\n]*)(?:\n[ \t].*)*")
CALL = re.compile(rb"(?m)^[ \t]+([^\s;]+)")
SEPARATOR = "::"


class Toy(Language):
    """A language without any capability."""

    name = "toy"
    suffixes: tuple[str, ...] = (".toy",)
    version = 1
    syntax = Syntax(title="Toy", separator=SEPARATOR, comment=";", private_prefix="_")

    def extract(self, source: bytes, path: str) -> Facts:
        """Definitions, each with the indented lines below it, which are calls."""
        source = self.text(source)
        module = re.match(rb"module[ \t]+(\S+)", source)
        facts, part = FactsBuilder(source, module[1].decode(errors="replace") if module else "", SEPARATOR), MODULE_DEF
        for match in LINE.finditer(source):
            said, rest = match[2].decode(errors="replace"), match[3].decode(errors="replace").split()
            if match[1] == b"part":
                part = facts.define(NodeKind.MODULE, said, match.span(), match.start(2))
            elif match[1] == b"fn":
                hidden = Visibility.PRIVATE if said.startswith("_") else Visibility.PUBLIC
                here = facts.define(NodeKind.FUNCTION, said, match.span(), match.start(2), part, rest, hidden)
                for call in CALL.finditer(source, match.start(), match.end()):
                    at = call.end(1) - len(call[1].rpartition(SEPARATOR.encode())[2])
                    facts.refer(RefKind.CALL, call[1].decode(errors="replace"), at, here)
        return facts.facts()

    def linker(self, tree: Tree[Any], persistent: bool = False) -> Linker:
        """A linker over the files as they are."""
        return ToyLinker(tree)

    def changed_keys(self, changes: Iterable[Change], known: Answers | None = None) -> set[int]:
        """The names that a module has gained or lost."""
        pairs = [(_names(each.path, each.before), _names(each.path, each.after)) for each in changes]
        return {key for before, after in pairs for key, _ in before.items() ^ after.items()}


def _key(module: str, label: str) -> int:
    return digest64(f"{module}\0{label}".encode()) >> 16


def _module(path: str, interface: Interface) -> str:
    """The module that a file names, or its own name."""
    return interface.text(interface.defs[MODULE_DEF].name) or path.rpartition("/")[2].removesuffix(".toy")


def _functions(path: str, interface: Interface) -> Iterator[tuple[tuple[str, str], int]]:
    """The functions of a file: module and label, and ordinal."""
    module = _module(path, interface)
    for ordinal, each in enumerate(interface.defs):
        if each.kind == NodeKind.FUNCTION:
            yield (module, interface.text(each.qualified_name)), ordinal


def _names(path: str, interface: Interface | None) -> Counter[int]:
    """The keys that a file answers, each with how often."""
    return Counter(_key(*name) for name, _ in _functions(path, interface)) if interface is not None else Counter()


class ToyLinker:
    """Links calls by name: in their own part, in their own module, or in the module that they name."""

    def __init__(self, tree: Tree[Any]) -> None:
        self._tree = tree
        self._modules: dict[int, str] = {}

    def module(self, file: int) -> str:
        """The module that a file is of."""
        if file not in self._modules:
            self.learn(file, self._tree.interface(file))
        return self._modules[file]

    def learn(self, file: int, interface: Interface) -> None:
        """Notes the module of a file."""
        self._modules[file] = _module(self._tree.files[file].path, interface)

    def settings(self) -> bytes:
        """There are none."""
        return b""

    def link(self, files: Sequence[int], references: Callable[[int], bytes], flows: Flows) -> Iterator[FileLinks]:
        """The calls of files; of several functions of one name, the last by path is meant."""
        ordered = sorted(self._tree.files.values(), key=lambda row: (row.root, row.path))
        files_of = [(row, self._tree.interface(row.id)) for row in ordered]
        table = {name: (row.id, at) for row, interface in files_of for name, at in _functions(row.path, interface)}
        for file in files:
            edges, reasons, keys = list[EdgeRow](), bytearray(), set[int]()
            for one in decode_references(references(file)).items:
                asked = list(self._asked(file, one))
                keys.update(_key(*each) for each in asked)
                found = next((table[each] for each in asked if each in table), None)
                reasons.append(Reason.NO_CANDIDATE if found is None else Reason.LINKED)
                if found is not None:
                    edges.append(EdgeRow(one.source, one.at, EdgeKind.CALLS, *found, Tier.TIER1_TREESITTER, 100))
            yield FileLinks(file, edges, bytes(reasons), {}, keys)

    def _asked(self, file: int, one: Reference) -> Iterator[tuple[str, str]]:
        """Where a call looks, in order."""
        interface: Interface = self._tree.interface(file)
        said, module = interface.text(one.text), self.module(file)
        part, _, _ = interface.text(interface.defs[one.source].qualified_name).rpartition(SEPARATOR)
        if part:
            yield module, f"{part}{SEPARATOR}{said}"
        yield module, said
        first, _, rest = said.partition(SEPARATOR)
        yield first, rest
