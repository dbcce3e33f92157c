"""What a type checker says about the sites of a package: asked once, kept for every later run.

Answers are kept as places, whatever is there; what counts as a function or class is left to `definitions`. A
definition that lands on the name in an import statement is asked about again, a bounded number of times.
"""

from __future__ import annotations

import json
import resource
import sys
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from itertools import groupby
from pathlib import Path

from benchmarks.accuracy.client import Client
from benchmarks.accuracy.packages import Package, environment_digest
from benchmarks.accuracy.servers import Server
from benchmarks.accuracy.sites import SourceSpan

STEPS = 5
KEEP_EVERY = 2_000
COST = ".cpu"

Answers = Mapping[SourceSpan, tuple[SourceSpan, ...]]


def truth(package: Package, server: Server, places: Collection[SourceSpan], imports: Collection[SourceSpan]) -> Answers:
    """Where the server lands for each place, followed through the places of imported names."""
    kept = kept_answers(package, server)
    known = load(kept)
    wanted = _unknown(places, known)
    if wanted:
        with server.start(package) as client:
            begun = children_cpu()  # what was installed for it has ended by now, the server has not
            for _ in range(STEPS):
                _learn(client, wanted, known, kept, f"{package.name}, {server.name}")
                landed = {landing for place in known for landing in known[place] if landing in imports}
                wanted = _unknown(landed, known)
                if not wanted:
                    break
        spend(kept, children_cpu() - begun)
    return {place: follow(place, known, imports) for place in places}


def kept_answers(package: Package, server: Server) -> Path:
    """The file that a server's answers about a package are kept in."""
    return package.own_path / f"{server.name}-{server.version}-{environment_digest(package)}.json"


def follow(place: SourceSpan, known: Answers, imports: Collection[SourceSpan]) -> tuple[SourceSpan, ...]:
    """The landings of a place, those on imported names replaced by where these lead."""
    found: dict[SourceSpan, None] = {}
    seen = {place}
    waiting = list(known.get(place, ()))
    while waiting:
        landing = waiting.pop(0)
        further = [step for step in known.get(landing, ()) if step not in seen] if landing in imports else []
        seen.add(landing)
        if further:
            waiting.extend(further)
        else:
            found[landing] = None
    return tuple(found)


def load(kept: Path) -> dict[SourceSpan, tuple[SourceSpan, ...]]:
    """The answers of earlier runs."""
    if not kept.exists():
        return {}
    content = json.loads(kept.read_text(encoding="utf-8"))
    return {
        SourceSpan(path, line, column): tuple(SourceSpan(*landing) for landing in landings)
        for path, answers in content.items()
        for line, column, landings in answers
    }


def save(kept: Path, known: Answers) -> None:
    """Keeps answers by file; a run that is killed loses only the latest."""
    by_path: dict[str, list[object]] = defaultdict(list)
    for (path, line, column), landings in sorted(known.items()):
        by_path[path].append([line, column, [list(landing) for landing in landings]])
    making = kept.with_suffix(".making")
    making.write_text(json.dumps(by_path, separators=(",", ":")), encoding="utf-8")
    making.replace(kept)


def children_cpu() -> float:
    """The CPU-seconds of all processes that were started and have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def spend(kept: Path, seconds: float) -> None:
    """Notes what it cost to get answers; a run that goes on where another was killed adds to its cost."""
    costs = kept.with_suffix(COST)
    costs.write_text(f"{(spent(kept) or 0.0) + seconds:.2f}\n", encoding="utf-8")


def spent(kept: Path) -> float | None:
    """What kept answers have cost in CPU-seconds, where it was measured."""
    costs = kept.with_suffix(COST)
    return float(costs.read_text(encoding="utf-8")) if costs.exists() else None


def _unknown(places: Iterable[SourceSpan], known: Answers) -> list[SourceSpan]:
    return sorted(place for place in places if place not in known)


def _learn(
    client: Client, wanted: list[SourceSpan], known: dict[SourceSpan, tuple[SourceSpan, ...]], kept: Path, what: str
) -> None:
    """Asks for places file by file and keeps the answers."""
    asked = unsaved = 0
    for path, group in groupby(wanted, key=lambda place: place.path):
        places = list(group)
        known.update(zip(places, map(tuple, client.definitions(path, places)), strict=True))
        asked += len(places)
        unsaved += len(places)
        if unsaved >= KEEP_EVERY:
            save(kept, known)
            unsaved = 0
            print(f"… {what}: {asked:,} of {len(wanted):,} definitions", file=sys.stderr, flush=True)
    save(kept, known)
