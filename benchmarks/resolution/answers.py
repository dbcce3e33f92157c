"""What keel says about the sites of a package: its tree is mapped afresh, the graph exported and read.

Whether the answers are right is left to `score`.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.corpora import forget
from benchmarks.measure import environment
from benchmarks.resolution.heirs import CONSTRUCTORS
from benchmarks.resolution.sites import CALL, IMPORT, Place

EDGES = {"calls": CALL, "instantiates": CALL, "decorates": CALL, "imports": IMPORT}
REFS = {"call": CALL, "decorate": CALL, "import": IMPORT}
"""What keel calls the sites. A decorator with arguments is a call to Python, a decoration to keel."""


REACHING = ("calls", "instantiates")
"""The edges that lead from a caller to what it runs."""


class KeelFailed(Exception):
    """keel could not map or export; the message has its last words."""


@dataclass(frozen=True, slots=True)
class Keel:
    """A keel that can be run: the command, the environment it needs, and what `map` is told besides."""

    command: Sequence[str]
    env: Mapping[str, str]
    map_options: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Target:
    """A definition as keel names it."""

    id: str
    kind: str
    name: str
    path: str
    line: int


@dataclass(frozen=True, slots=True)
class Said:
    """What keel says about one site: targets, or the reason why there is none."""

    targets: tuple[Target, ...] = ()
    reason: str = "no reference"
    confidence: float = 0.0


@dataclass(frozen=True, slots=True)
class Edge:
    """A call or construction, and what it leads to."""

    place: Place
    target: Target
    confidence: float


@dataclass(frozen=True, slots=True)
class Graph:
    """keel's answers by kind of site and place, and its call edges."""

    said: dict[tuple[str, Place], Said] = field(default_factory=dict)
    calls: list[Edge] = field(default_factory=list)
    cpu_seconds: list[float] = field(default_factory=list)
    """What each map cost, ty's part included."""

    def at(self, kind: str, place: Place) -> Said:
        """What is said about a site."""
        return self.said.get((kind, place), Said())


def keel_of(checkout: Path, map_options: Sequence[str] = ()) -> Keel:
    """The keel of a checkout, run by this Python with its installed libraries."""
    env = environment(PYTHONPATH=str(checkout / "src"))
    return Keel((sys.executable, "-m", "keel"), env, map_options)


def mapped(keel: Keel, tree: Path) -> Graph:
    """Maps a tree from nothing and reads the graph."""
    forget(tree)
    before = _children_cpu()
    _run(keel, tree, "map", *keel.map_options)
    cpu_seconds = _children_cpu() - before
    kinds = [word for kind in (*EDGES, *REFS) for word in ("--kind", kind)]
    with tempfile.TemporaryDirectory() as folder:
        exported = Path(folder) / "graph.jsonl"
        _run(keel, tree, "export", "--format", "jsonl", *kinds, "--output", str(exported))
        with exported.open(encoding="utf-8") as lines:
            graph = read(map(json.loads, lines))
    graph.cpu_seconds.append(cpu_seconds)
    return graph


def read(lines: Iterable[Mapping[str, Any]]) -> Graph:
    """A graph from the lines of an export."""
    nodes: dict[str, Target] = {}
    edges: dict[tuple[str, Place], list[tuple[str, Target, float]]] = defaultdict(list)
    graph = Graph()
    for line in lines:
        if line["type"] == "node":
            node = Target(line["id"], line["kind"], line["name"], line["path"], line["start_line"])
            nodes[line["id"]] = node
            continue
        place = Place(line["path"], line["line"], line["column"])
        if line["type"] == "edge" and line["kind"] in EDGES:
            target = nodes[line["target"]]
            if not line.get("metadata", {}).get("implicit"):  # what runs beside the callee that is written there
                edges[EDGES[line["kind"]], place].append((line["kind"], target, line["confidence"]))
            if line["kind"] in REACHING:
                graph.calls.append(Edge(place, target, line["confidence"]))
        elif line["type"] == "ref" and line["kind"] in REFS:
            graph.said[REFS[line["kind"]], place] = Said(reason=line["reason"])
    for site, found in edges.items():
        graph.said[site] = _joined(found)
    return graph


def _joined(found: list[tuple[str, Target, float]]) -> Said:
    """All edges of one site. Where a class is instantiated, an edge to its constructor says nothing more."""
    made = any(kind == "instantiates" for kind, _, _ in found)
    targets = {
        target.id: target for kind, target, _ in found if not (made and kind == "calls" and target.name in CONSTRUCTORS)
    }
    return Said(tuple(targets[key] for key in sorted(targets)), "", max(confidence for *_, confidence in found))


def _children_cpu() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def _run(keel: Keel, tree: Path, *words: str) -> None:
    try:
        done = subprocess.run(
            [*keel.command, *words],
            cwd=tree,
            env=dict(keel.env),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            errors="replace",
        )
    except OSError as error:
        raise KeelFailed(f"{keel.command[0]} cannot be run: {error.strerror}") from None
    if done.returncode:
        said = done.stderr.strip().splitlines() or ["no word why"]
        raise KeelFailed(f"keel {words[0]}: exit code {done.returncode}: {said[-1]}")
