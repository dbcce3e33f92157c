"""What keel says about the sites of a package: its tree is mapped afresh, the graph exported and read.

Whether the answers are right is left to `score`.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.accuracy.heirs import CONSTRUCTORS
from benchmarks.accuracy.packages import Package, dependencies
from benchmarks.accuracy.servers import pyright_command
from benchmarks.accuracy.sites import CALL, IMPORT, SourceSpan
from benchmarks.accuracy.truth import children_cpu, spend, spent
from benchmarks.corpora import forget
from benchmarks.measure import NO_TY, environment

EDGES = {"calls": CALL, "instantiates": CALL, "references": CALL, "decorates": CALL, "imports": IMPORT}
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
    config: str = ""
    """What is written to `.keel/config.toml` before."""


@dataclass(frozen=True, slots=True)
class Target:
    """A definition as keel names it."""

    id: str
    kind: str
    name: str
    path: str
    line: int


@dataclass(frozen=True, slots=True)
class SiteAnswer:
    """What keel says about one site: targets, or the reason why there is none."""

    targets: tuple[Target, ...] = ()
    reason: str = "no reference"
    confidence: float = 0.0
    tier: str = ""
    """Who produced the evidence, as the graph says it."""


class SiteEdge(NamedTuple):
    """One edge of a site."""

    kind: str
    target: Target
    confidence: float
    tier: str


@dataclass(frozen=True, slots=True)
class Edge:
    """A call or construction, and what it leads to."""

    place: SourceSpan
    target: Target
    confidence: float


@dataclass(frozen=True, slots=True)
class Graph:
    """keel's answers by kind of site and place, and its call edges."""

    said: dict[tuple[str, SourceSpan], SiteAnswer] = field(default_factory=dict)
    calls: list[Edge] = field(default_factory=list)
    cpu_seconds: list[float] = field(default_factory=list)
    """What each map cost, ty's part included."""

    def at(self, kind: str, place: SourceSpan) -> SiteAnswer:
        """What is said about a site."""
        return self.said.get((kind, place), SiteAnswer())


def keel_of(checkout: Path, map_options: Sequence[str] = ()) -> Keel:
    """The keel of a checkout, run by this Python with its installed libraries."""
    env = environment(PYTHONPATH=str(checkout / "src"))
    return Keel((sys.executable, "-m", "keel"), env, map_options)


def with_ty(keel: Keel, package: Package) -> Keel:
    """The same keel in the environment that the package's dependencies are installed in, as its users have it."""
    kept = {name: value for name, value in keel.env.items() if name != NO_TY}
    return replace(keel, env=kept | {"VIRTUAL_ENV": str(dependencies(package))})


def with_tier3(keel: Keel, package: Package) -> Keel:
    """The same keel, configured to ask pyright last."""
    server = json.dumps(pyright_command())
    python = json.dumps(str(dependencies(package) / "bin" / "python"))
    table = f"[resolution.tier3]\nserver = {server}\nsettings = {{ python = {{ pythonPath = {python} }} }}\n"
    return replace(keel, config=table)


def mapped(keel: Keel, tree: Path, kept: Path | None = None) -> Graph:
    """Maps a tree from nothing and reads the graph; one that is kept of the same keel is read again."""
    with tempfile.TemporaryDirectory() as folder:
        exported = kept or Path(folder) / "graph.jsonl"
        if not exported.exists():
            making = exported.with_suffix(".making")
            cpu_seconds = _export(keel, tree, making)
            spend(exported, cpu_seconds)
            making.replace(exported)
        with exported.open(encoding="utf-8") as lines:
            graph = read(map(json.loads, lines))
        graph.cpu_seconds.append(spent(exported) or 0.0)
    return graph


def _export(keel: Keel, tree: Path, output: Path) -> float:
    """Maps a tree and writes down what is needed of the graph; what the map has cost."""
    forget(tree)
    if keel.config:
        (tree / ".keel").mkdir()
        (tree / ".keel" / "config.toml").write_text(keel.config, encoding="utf-8")
    before = children_cpu()
    _run(keel, tree, "map", *keel.map_options)
    cpu_seconds = children_cpu() - before
    kinds = [word for kind in (*EDGES, *REFS) for word in ("--kind", kind)]
    _run(keel, tree, "export", "--format", "jsonl", *kinds, "--output", str(output))
    return cpu_seconds


def read(lines: Iterable[Mapping[str, Any]]) -> Graph:
    """A graph from the lines of an export."""
    nodes: dict[str, Target] = {}
    edges: dict[tuple[str, SourceSpan], list[SiteEdge]] = defaultdict(list)
    graph = Graph()
    for line in lines:
        if line["type"] == "node":
            node = Target(line["id"], line["kind"], line["name"], line["path"], line["start_line"])
            nodes[line["id"]] = node
            continue
        place = SourceSpan(line["path"], line["line"], line["column"])
        if line["type"] == "edge" and line["kind"] in EDGES:
            target = nodes[line["target"]]
            if not line.get("metadata", {}).get("implicit"):  # what runs beside the callee that is written there
                found = SiteEdge(line["kind"], target, line["confidence"], line["tier"])
                edges[EDGES[line["kind"]], place].append(found)
            if line["kind"] in REACHING:
                graph.calls.append(Edge(place, target, line["confidence"]))
        elif line["type"] == "ref" and line["kind"] in REFS:
            graph.said[REFS[line["kind"]], place] = SiteAnswer(reason=line["reason"])
    for site, every in edges.items():
        graph.said[site] = _joined(every)
    return graph


def _joined(found: list[SiteEdge]) -> SiteAnswer:
    """All edges of one site. Where a class is instantiated, an edge to its constructor says nothing more."""
    made = any(one.kind == "instantiates" for one in found)
    named = [one for one in found if not (made and one.kind == "calls" and one.target.name in CONSTRUCTORS)]
    targets = {one.target.id: one.target for one in named}
    surest = max(named, key=lambda one: one.confidence)
    return SiteAnswer(tuple(targets[key] for key in sorted(targets)), "", surest.confidence, surest.tier)


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
