"""What jedi says about the sites of a package: asked once in an environment of its own, kept for every later run.

The asking itself is `goto`'s, which runs in that environment.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections import defaultdict
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import IO

from benchmarks.accuracy.packages import (
    REQUIREMENTS,
    SAMPLES,
    NotInstalled,
    Package,
    accuracy_folder,
    dependencies,
    environment_digest,
    installed,
    pinned,
)
from benchmarks.accuracy.sites import SourceSpan
from benchmarks.accuracy.truth import Answers, children_cpu, load, save, spend

VERSION = pinned("jedi")
SOURCE_ROOT = "src"


def kept_answers(package: Package) -> Path:
    """The file that the answers of a package are kept in."""
    return package.own_path / f"jedi-{VERSION}-{environment_digest(package)}.json"


def jedi_answers(package: Package, places: Collection[SourceSpan]) -> Answers:
    """Where jedi lands for each place."""
    kept = kept_answers(package)
    known = load(kept)
    wanted: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for place in sorted(place for place in places if place not in known):
        wanted[place.path].append((place.line, place.column))
    if wanted:
        _ask(package, wanted, known, kept)
    return {place: known.get(place, ()) for place in places}


def _ask(
    package: Package,
    wanted: Mapping[str, list[tuple[int, int]]],
    known: dict[SourceSpan, tuple[SourceSpan, ...]],
    kept: Path,
) -> None:
    home = installed(accuracy_folder() / f"jedi-{VERSION}", REQUIREMENTS / "jedi.txt")
    below = {folder.partition("/")[0] for folder in SAMPLES[package.name].folders}
    asked = {
        "room": str(package.room.resolve()),
        "environment": str(dependencies(package)),
        "roots": [root for root in sorted(below) if root == SOURCE_ROOT],
        "places": wanted,
    }
    begun = children_cpu()
    command = [str(home / "bin" / "python"), "-I", str(Path(__file__).with_name("goto.py"))]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, encoding="utf-8"
    ) as process:
        _pipe(process.stdin).write(json.dumps(asked))
        _pipe(process.stdin).close()
        for done, line in enumerate(_pipe(process.stdout)):
            path, found = json.loads(line)
            known.update(
                (SourceSpan(path, *at), tuple(SourceSpan(*one) for one in landings)) for *at, landings in found
            )
            if done % 20 == 0:
                save(kept, known)
                print(f"… {package.name}, jedi: {done} of {len(wanted)} files", file=sys.stderr, flush=True)
    save(kept, known)
    spend(kept, children_cpu() - begun)
    if process.returncode:
        raise NotInstalled(f"jedi broke off over {package.name} (exit code {process.returncode})")


def _pipe(stream: IO[str] | None) -> IO[str]:
    assert stream is not None, "the process was started with pipes"
    return stream
