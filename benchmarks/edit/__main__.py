"""`python -m benchmarks.edit`: edits to pinned packages, each compiled in every mode.

`--edits N` takes so many of each tree that are inside the bar (50, a hundred together, unless it is said); the name of
a tree takes that one alone. What was measured of the same source is kept beside the corpora: a run can be done in
pieces (`--mode NAME` measures only that mode, `--again` measures anew). The page is written when all of it is there, or
of what there is with `--write`.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.checkout import commit_of, said, source_digest
from benchmarks.corpora import PINS, cache_folder, corpus
from benchmarks.edit.daemon import through_daemon
from benchmarks.edit.modes import Mode, Outcome, alone, kept_open, mapped, outcome_of
from benchmarks.edit.page import Measured, as_markdown, section
from benchmarks.edit.trees import SOURCES, Planned, planned
from benchmarks.measure import run
from benchmarks.plain import plain_python
from benchmarks.report import RESULTS
from keel.bootstrap import open_workspace

EDITS = 50
"""How many edits of each tree are inside the bar: a hundred together."""
MODES = (
    Mode("cold", False, partial(alone, has_ty=False)),
    Mode("warm", False, partial(through_daemon, has_ty=False)),
    Mode("warm, inside", False, partial(kept_open, has_ty=False)),
    Mode("ty spawned", True, partial(alone, has_ty=True)),
    Mode("warm with ty", True, partial(through_daemon, has_ty=True)),
    Mode("warm with ty, inside", True, partial(kept_open, has_ty=True)),
)
TIMES = 10
"""How often a bare Python is started before and after a mode."""


def main(arguments: Sequence[str]) -> None:
    """Measures every tree in every mode."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.edit", description=__doc__)
    parser.add_argument("trees", nargs="*", help=f"of {', '.join(SOURCES)}; all, unless some are named")
    parser.add_argument("--edits", type=int, default=EDITS)
    parser.add_argument("--mode", choices=[mode.name for mode in MODES], action="append")
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args(arguments)
    names = options.trees or list(SOURCES)
    if not SOURCES.keys() >= set(names):
        parser.error(f"the trees are {', '.join(SOURCES)}")
    modes = [mode for mode in MODES if options.mode is None or mode.name in options.mode]
    trees = []
    for name in names:
        trees.append(_measured(_Run(name, options.edits, options.again), modes))
        print("\n".join(section(trees[-1])), flush=True)
    is_whole = options.edits == EDITS and len(trees) == len(SOURCES) and len(modes) == len(MODES)
    if is_whole or options.write:
        (RESULTS / "edit.md").write_text(as_markdown(trees, _setting(names)), encoding="utf-8")
        figures = {
            tree.name: {mode: _figures(tree, outcome) for mode, outcome in tree.outcomes.items()} for tree in trees
        }
        (RESULTS / "edit.json").write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")


class _Run:
    """A tree with its edits, and what was measured of it with this source before."""

    def __init__(self, name: str, wanted: int, again: bool) -> None:
        self.name = name
        self.tree = corpus(name)
        self._wanted = wanted
        self._again = again
        self._folder = cache_folder() / "edit" / f"{name}-{PINS[name]}-{wanted}"
        self._digest = source_digest()
        self._graph: bool | None = None

    def edits(self) -> list[Planned]:
        """The edits that are made: the same ones whatever keel says, since they were drawn once."""
        plan = self._folder / "plan.json"
        if not plan.exists():
            self._map(has_ty=False)
            with open_workspace(str(self.tree)).store.reading() as reader:
                _keep(plan, [edit._asdict() for edit in planned(self.name, self.tree, reader, self._wanted)])
        return [Planned(**one) for one in json.loads(plan.read_text(encoding="utf-8"))]

    def outcome(self, mode: Mode, edits: Sequence[Planned]) -> Outcome:
        """What a mode costs, as measured before or now."""
        kept = self._folder / f"{mode.name}.json"
        held = json.loads(kept.read_text(encoding="utf-8")) if kept.exists() and not self._again else {}
        if held.get("source") == self._digest:
            return outcome_of(held)
        self._map(mode.has_ty)
        print(f"… {self.name}, {mode.name}: {len(edits)} edits", file=sys.stderr, flush=True)
        before = _bare(self.tree)
        outcome = mode.measure(self.tree, edits)
        outcome = outcome._replace(yardstick=median([*before, *_bare(self.tree)]))
        _keep(kept, {"source": self._digest, **outcome._asdict()})
        return outcome

    def _map(self, has_ty: bool) -> None:
        if self._graph is not has_ty:
            print(f"… {self.name} is mapped {'with' if has_ty else 'without'} ty", file=sys.stderr, flush=True)
            mapped(self.tree, has_ty)
            self._graph = has_ty


def _keep(path: Path, value: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part")
    part.write_text(json.dumps(value), encoding="utf-8")
    os.replace(part, path)


def _measured(run: _Run, modes: Sequence[Mode]) -> Measured:
    edits = run.edits()
    outcomes = {mode.name: run.outcome(mode, edits) for mode in modes}
    return Measured(f"{run.name} {PINS[run.name]}", edits, outcomes, _differing(edits, outcomes, modes))


def _differing(
    edits: Sequence[Planned], outcomes: Mapping[str, Outcome], modes: Sequence[Mode]
) -> dict[str, list[str]]:
    """By mode, the edits whose verdict is another than that of the first mode with the same evidence."""
    found = {}
    for mode in modes:
        first = outcomes[next(each.name for each in modes if each.has_ty is mode.has_ty)]
        pairs = zip(edits, first.costs, outcomes[mode.name].costs, strict=True)
        found[mode.name] = [_shown(edit) for edit, a, b in pairs if a.verdict != b.verdict]
    return found


def _bare(tree: Path) -> list[float]:
    """What a Python that does nothing costs now, in CPU-seconds."""
    return [run([plain_python(), "-c", "pass"], tree).cpu for _ in range(TIMES)]


def _shown(edit: Planned) -> str:
    return f"{edit.kind} of {edit.symbol} in {edit.path}"


def _figures(tree: Measured, outcome: Outcome) -> dict[str, Any]:
    rows = zip(tree.edits, outcome.costs, strict=True)
    edits = [
        [_shown(edit), edit.lines, edit.callers, round(cost.wall * 1000, 1), round(cost.cpu * 1000, 1)]
        for edit, cost in rows
    ]
    return {"edits": edits, "memory": outcome.memory, "memory of ty": outcome.memory_of_ty}


def _setting(names: Sequence[str]) -> dict[str, str]:
    return {
        "date": datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        "keel": commit_of("src"),
        "python": platform.python_version(),
        "ty": said(os.path.join(os.path.dirname(plain_python()), "ty"), "--version").removeprefix("ty "),
        "git": said("git", "--version").removeprefix("git version "),
        "corpora": ", ".join(f"{name} {PINS[name]}" for name in names),
        "cores": str(os.cpu_count()),
        "load (1, 5, 15 min)": " ".join(f"{each:.1f}" for each in os.getloadavg()),
    }


if __name__ == "__main__":
    main(sys.argv[1:])
