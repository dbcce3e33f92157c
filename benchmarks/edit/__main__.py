"""`python -m benchmarks.edit`: edits to pinned packages, each compiled in every mode (`--quick` takes a few).

Prints each tree as it is measured, and keeps the page when all were.
"""

from __future__ import annotations

import json
import platform
import sys
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from statistics import median

from benchmarks.checkout import commit_of, said
from benchmarks.corpora import PINS, corpus
from benchmarks.edit.modes import MODES, Outcome, mapped
from benchmarks.edit.page import Measured, as_markdown, section
from benchmarks.edit.trees import SOURCES, Planned, planned
from benchmarks.measure import run
from benchmarks.plain import plain_python
from benchmarks.report import RESULTS
from keel.bootstrap import open_workspace

EDITS, FEW = 50, 12
"""How many edits of each tree are inside the bar: a hundred together, or a few."""
YARDSTICKS = {"python -c pass": ["-c", "pass"], "git status": []}
TIMES = 15


def main(arguments: Sequence[str]) -> None:
    """Measures every tree in every mode."""
    quick = "--quick" in arguments
    names = [one for one in arguments if not one.startswith("-")] or list(SOURCES)
    trees = []
    for name in names:
        trees.append(_measured(name, FEW if quick else EDITS))
        print("\n".join(section(trees[-1])), flush=True)
    page = as_markdown(trees, _setting())
    if not quick and len(trees) == len(SOURCES):
        (RESULTS / "edit.md").write_text(page, encoding="utf-8")
        figures = {
            tree.name: {mode: _figures(tree, outcome) for mode, outcome in tree.outcomes.items()} for tree in trees
        }
        (RESULTS / "edit.json").write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")


def _measured(name: str, wanted: int) -> Measured:
    tree = corpus(name)
    mapped(tree)
    with open_workspace(str(tree)).store.reading() as reader:
        edits = planned(name, tree, reader, wanted)
    outcomes: dict[str, Outcome] = {}
    for mode, measure in MODES.items():
        print(f"… {name}, {mode}: {len(edits)} edits", file=sys.stderr, flush=True)
        outcomes[mode] = measure(tree, edits)
    first = next(iter(outcomes.values()))
    differing = {
        mode: [_shown(edit) for edit, a, b in zip(edits, first.costs, outcome.costs, strict=True) if a[2] != b[2]]
        for mode, outcome in outcomes.items()
    }
    return Measured(f"{name} {PINS[name]}", edits, outcomes, _yardsticks(tree), differing)


def _yardsticks(tree: Path) -> dict[str, float]:
    took: dict[str, list[float]] = {name: [] for name in YARDSTICKS}
    for _ in range(TIMES):
        for name, words in YARDSTICKS.items():
            command = [plain_python(), *words] if words else name.split()
            took[name].append(run(command, tree).wall)
            time.sleep(0.01)
    return {name: median(walls) for name, walls in took.items()}


def _shown(edit: Planned) -> str:
    return f"{edit.kind} of {edit.symbol} in {edit.path}"


def _figures(tree: Measured, outcome: Outcome) -> dict[str, object]:
    rows = zip(tree.edits, outcome.costs, strict=True)
    edits = [
        [_shown(edit), edit.lines, edit.callers, round(cost.wall * 1000, 1), round(cost.cpu * 1000, 1)]
        for edit, cost in rows
    ]
    return {"edits": edits, "memory": outcome.memory, "stages": outcome.stages}


def _setting() -> dict[str, str]:
    return {
        "date": datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        "keel": commit_of("src"),
        "python": platform.python_version(),
        "git": said("git", "--version").removeprefix("git version "),
        "corpora": ", ".join(f"{name} {PINS[name]}" for name in SOURCES),
    }


if __name__ == "__main__":
    main(sys.argv[1:])
