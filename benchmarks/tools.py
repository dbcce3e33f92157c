"""`python -m benchmarks.tools`: what tool spaces cost: finding a tool in a warm process, and listing a thousand.

Prints each figure with its bar and keeps them. Like every benchmark it judges by printing; that answers are right is
tested elsewhere.
"""

from __future__ import annotations

import json
import os
import platform
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path
from statistics import median

from benchmarks.measure import environment, interleaved, run
from benchmarks.report import RESULTS
from keel.toolspaces.chain import resolve_chain
from keel.toolspaces.resolve import find_tool
from keel.toolspaces.scaffold import new_tool
from keel.toolspaces.spaces import Space, spaces_of
from keel.toolspaces.validation import validate_chain

TOOLS = 1000
ASKED = 5000
TIMES = 11
MAX_MS, MAX_TIMES = 1.0, 20.0
"""The bars: the 95th percentile of finding a tool, and listing all against starting Python."""


@dataclass(frozen=True)
class Figure:
    """One figure with its bar; none where there is no bar."""

    measure: str
    value: float
    unit: str
    bar: float | None = None

    @property
    def wanted(self) -> str:
        """The bar in words."""
        return "" if self.bar is None else f"{self.bar:g} {self.unit}"

    @property
    def verdict(self) -> str:
        """Whether the bar is met."""
        return "" if self.bar is None else "met" if self.value <= self.bar else "NOT MET"


def main() -> None:
    """Measures on a thousand scaffolded tools, prints the table and keeps it."""
    with tempfile.TemporaryDirectory() as top:
        project = Path(top, "project")
        os.environ["USER_SPACE"] = top
        root = str(project / ".ai")
        for number in range(TOOLS):
            new_tool(f"group{number % 10}/tool{number}", Space("project", root, root), "python", f"Tool {number}.")
        figures = [*_warm(project), *_listing(project)]
    text = as_markdown(figures)
    print(text)
    (RESULTS / "tools.md").write_text(text, encoding="utf-8")
    kept = {"setting": _setting(), "figures": [asdict(figure) for figure in figures]}
    (RESULTS / "tools.json").write_text(f"{json.dumps(kept, indent=2)}\n", encoding="utf-8")


def as_markdown(figures: list[Figure]) -> str:
    """The table, and what it was measured with."""
    rows = [f"| {each.measure} | {each.value:.3g} {each.unit} | {each.wanted} | {each.verdict} |" for each in figures]
    setting = ", ".join(f"{name} {said}" for name, said in _setting().items())
    return "\n".join(
        [
            "# Tool spaces",
            "",
            f"Written by `make bench-tools`; not edited by hand. {TOOLS:,} tools in a project's space, as",
            "`keel tools new` makes them. Finding is timed in one process; listing is CPU-seconds of the whole",
            f"command against those of `python -c pass`, {TIMES} runs of each in turns.",
            "",
            "| measure | figure | bar | met |",
            "| --- | --- | --- | --- |",
            *rows,
            "",
            f"Measured with {setting}.",
            "",
        ]
    )


def _warm(project: Path) -> list[Figure]:
    ids = [f"group{number % 10}/tool{number}" for number in range(TOOLS)]
    asks: dict[str, Callable[[str], object]] = {
        "find a tool, warm": lambda item_id: find_tool(item_id, spaces_of(project)),
        "resolve and validate its chain, warm": lambda item_id: validate_chain(resolve_chain(item_id, project)),
    }
    figures: list[Figure] = []
    for name, ask in asks.items():
        for item_id in ids:
            ask(item_id)
        times = sorted(_timed(ask, ids[number % TOOLS]) for number in range(ASKED))
        figures.append(Figure(f"{name}, p95", times[int(ASKED * 0.95)], "ms", MAX_MS if not figures else None))
        figures.append(Figure(f"{name}, median", times[ASKED // 2], "ms"))
    return figures


def _timed(ask: Callable[[str], object], item_id: str) -> float:
    begun = time.perf_counter()
    ask(item_id)
    return (time.perf_counter() - begun) * 1000


def _listing(project: Path) -> list[Figure]:
    env = environment(USER_SPACE=os.environ["USER_SPACE"])
    python = sys.executable
    costs = interleaved(
        {
            "pass": lambda: run([python, "-c", "pass"], project, env),
            "list": lambda: run([python, "-m", "keel", "tools", "list"], project, env),
        },
        TIMES,
    )
    ratio = median(cost.cpu for cost in costs["list"]) / median(cost.cpu for cost in costs["pass"])
    least = min(cost.cpu for cost in costs["list"]) / min(cost.cpu for cost in costs["pass"])
    return [
        Figure(f"`keel tools list` of {TOOLS:,} tools, medians", ratio, "× `python -c pass`", MAX_TIMES),
        Figure(f"`keel tools list` of {TOOLS:,} tools, cheapest runs", least, "× `python -c pass`", MAX_TIMES),
        Figure(f"`keel tools list` of {TOOLS:,} tools", median(cost.cpu for cost in costs["list"]) * 1000, "ms CPU"),
    ]


def _setting() -> dict[str, str]:
    return {
        "keel": version("keel-graph"),
        "CPython": platform.python_version(),
        platform.system(): platform.release(),
        "cores": str(os.cpu_count()),
    }


if __name__ == "__main__":
    main()
