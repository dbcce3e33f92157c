"""A few of the moves as real edits: the function is cut from its file, pasted into another, and `keel compile` judges.

The origin imports it back and the new place imports what it needs, as a person who moves a function would do it.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.corpora import git
from benchmarks.placement.moves import SEED, Moved
from benchmarks.placement.packages import graph_of, run_keel
from keel.graph.placement.placement import MARGIN
from keel.languages.python.facts import Interface, decode_interface
from keel.model.facts import DEFINED, FROM_IMPORT, decode_references
from keel.model.rows import FileRow, StoredNode
from keel.ports.store import GraphReader

MODULE_DEF = 1
PER_PACKAGE = 4


@dataclass(frozen=True, slots=True)
class Tried:
    """One real edit, and whether its verdict is that of the weighing."""

    package: str
    name: str
    host: str
    expected: bool
    told: bool


def sample(tree: Path, every: Sequence[Moved]) -> Iterator[Tried]:
    """Some moves of a package, half of them expected to be told, through `keel compile`."""
    lot = random.Random(f"{SEED} sample")
    judged = [each for each in every if each.is_judged]
    told = [each for each in judged if each.in_host.is_flagged(MARGIN)]
    silent = [each for each in judged if not each.in_host.is_flagged(MARGIN)]
    half = PER_PACKAGE // 2
    chosen = [*lot.sample(told, min(half, len(told))), *lot.sample(silent, min(half, len(silent)))]
    for move in chosen:
        target = _move(tree, move)
        try:
            answer = json.loads(run_keel(tree, "compile", target, "--json", "--session", "git"))
        finally:
            git(tree, "checkout", "--quiet", "--", ".")
        found = [each for each in answer["warnings"] if each["code"] == "W001" and each["symbol"] == move.name]
        yield Tried(move.package, move.name, move.host, move.in_host.is_flagged(MARGIN), bool(found))
    run_keel(tree, "sync", "--quiet")


def _move(tree: Path, move: Moved) -> str:
    """Makes the edit; the file that the function is in now."""
    with graph_of(tree) as reader:
        files = {file.path: file for file in reader.files()}
        origin = files[move.path]
        hosts = [file for path, file in sorted(files.items()) if path.rpartition("/")[0] == move.host]
        target = next((file for file in hosts if not file.path.endswith("__init__.py")), hosts[0])
        node = next(each for each in reader.nodes(origin.id) if each.qualified_name == move.name)
        start, end, needed = _text(reader, origin, node)
    source = (tree / origin.path).read_bytes()
    back = f"from {target.module} import {move.name}\n".encode()
    (tree / origin.path).write_bytes(source[:start] + back + source[end:])
    with (tree / target.path).open("ab") as out:
        out.write(b"\n\n" + "\n".join(needed).encode() + b"\n\n\n" + source[start:end] + b"\n")
    return target.path


def _text(reader: GraphReader, file: FileRow, node: StoredNode) -> tuple[int, int, list[str]]:
    """Where a function begins and ends, and the imports that it needs elsewhere."""
    interface = decode_interface(reader.interface(file.id) or b"")
    definition = interface.defs[node.ordinal]
    inside = {node.ordinal}
    for ordinal in range(node.ordinal + 1, len(interface.defs)):
        if interface.defs[ordinal].parent in inside:
            inside.add(ordinal)
    needed: dict[str, None] = {}
    for reference in decode_references(reader.references(file.id) or b"").items:
        if reference.source in inside and reference.root >= 0:
            binding = interface.bindings[reference.root]
            if binding.scope == MODULE_DEF:
                needed[_import(interface, file, reference.root)] = None
    return definition.start, definition.end, sorted(needed)


def _import(interface: Interface, file: FileRow, root: int) -> str:
    """The import that brings a name of a module to another one: from where that one has it, or from itself."""
    binding = interface.bindings[root]
    name = interface.strings[binding.name]
    site = binding.sites[-1] if binding.sites else None
    if site is None or site.what in (DEFINED,) or site.what != FROM_IMPORT:
        return f"from {file.module} import {name}"
    held = interface.imports[site.target]
    module = interface.text(held.module)
    if held.level:
        parts = file.module.split(".")
        is_package = file.path.endswith("__init__.py")
        around = parts[: len(parts) - held.level + is_package]
        module = ".".join([*around, *([module] if module else [])])
    if held.name < 0:
        return f"import {module} as {name}" if held.alias >= 0 else f"import {module}"
    return f"from {module} import {interface.text(held.name)} as {name}"
