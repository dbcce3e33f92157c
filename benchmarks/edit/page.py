"""What the edit benchmark measured, as a page and as JSON.

Nothing here judges beyond comparing with the bar.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from benchmarks.edit.modes import Outcome
from benchmarks.edit.trees import MOST_CALLERS, MOST_LINES, Planned

BARS = {"warm": 60.0, "warm with ty": 120.0, "no daemon, ty spawned": 700.0}
"""Milliseconds of wall time that the 95th of a hundred edits may take."""
MOST_MEGABYTES = 400


@dataclass(frozen=True)
class Measured:
    """One tree."""

    name: str
    edits: Sequence[Planned]
    outcomes: Mapping[str, Outcome]
    yardsticks: Mapping[str, float]
    """Median wall time of other commands in the same run, in seconds."""
    differing: Mapping[str, Sequence[str]]
    """By mode: the edits whose verdict is another than in the first one."""


def as_markdown(trees: Sequence[Measured], setting: Mapping[str, str]) -> str:
    """The page that is committed."""
    lines = [
        "# Edits",
        "",
        "Written by `make bench-edit`; not edited by hand. What `keel compile FILE` takes after one edit to FILE, in",
        f"milliseconds: of edits to files of at most {MOST_LINES:,} lines and definitions with at most {MOST_CALLERS}",
        "caller files (inside), and of all that were drawn. Cold: a process for each. Warm: one process that stays,",
        "asked in it, so that what a client adds (the start of a Python, and the way to the daemon) is not in it.",
        "Every verdict of another mode is compared with the cold one of the same edit.",
        "",
    ]
    for tree in trees:
        lines += [*section(tree), ""]
    return "\n".join([*lines, "| setting | |", "| --- | --- |", *(f"| {a} | {b} |" for a, b in setting.items()), ""])


def section(tree: Measured) -> Iterator[str]:
    """What was measured of one tree, line by line."""
    inside = [edit.is_inside for edit in tree.edits]
    yield f"## {tree.name}"
    yield ""
    yield f"{len(inside)} edits, {sum(inside)} inside. " + ", ".join(_beyond(tree.edits))
    yield ""
    bare = tree.yardsticks["python -c pass"]
    columns = ["mode", "p50", "p95", "CPU p50", "CPU p95", "p50 : `python -c pass`", "all: p50", "all: p95"]
    columns += ["bar, p95", "other verdicts"]
    yield f"| {' | '.join(columns)} |"
    yield f"|{' --- |' * len(columns)}"
    for mode, outcome in tree.outcomes.items():
        own = [cost for cost, counts in zip(outcome.costs, inside, strict=True) if counts]
        wall, cpu = [cost.wall for cost in own], [cost.cpu for cost in own]
        whole = [cost.wall for cost in outcome.costs]
        cells = [mode, *map(_ms, (*_both(wall), *_both(cpu))), f"{percentile(wall, 50) / bare:.1f} ×"]
        bar = BARS.get(mode)
        met = "" if bar is None else f"{bar:.0f}: {'met' if percentile(wall, 95) * 1000 <= bar else 'NOT MET'}"
        yield f"| {' | '.join([*cells, *map(_ms, _both(whole)), met, str(len(tree.differing.get(mode, ())))])} |"
    yield ""
    yield "Beside it: " + ", ".join(f"`{name}` {_ms(took)} ms" for name, took in tree.yardsticks.items())
    for mode, outcome in tree.outcomes.items():
        if outcome.stages:
            said = sorted(outcome.stages.items(), key=lambda pair: -pair[1])
            yield ""
            yield f"Where the time goes, {mode}, median: " + ", ".join(f"{name} {_ms(took)}" for name, took in said)
        if outcome.memory:
            yield ""
            yield f"Memory of the process at the end, {mode}: {outcome.memory / 1e6:.0f} MB (bar {MOST_MEGABYTES} MB)"
    for mode, edits in tree.differing.items():
        yield from (f"- {mode}: another verdict: {edit}" for edit in edits)


def _beyond(edits: Sequence[Planned]) -> Iterator[str]:
    """Which edits are left out of the bar, and why."""
    long = [edit for edit in edits if edit.lines > MOST_LINES]
    many = [edit for edit in edits if edit.lines <= MOST_LINES and edit.callers > MOST_CALLERS]
    yield f"beyond: {len(long)} in longer files ({', '.join(sorted({edit.path for edit in long})) or 'none'})"
    yield f"{len(many)} with more caller files ({', '.join(sorted({edit.symbol for edit in many})) or 'none'})"


def _both(values: Sequence[float]) -> tuple[float, float]:
    return percentile(values, 50), percentile(values, 95)


def percentile(values: Sequence[float], share: int) -> float:
    """The value that so many of a hundred do not exceed."""
    ordered = sorted(values)
    return ordered[max(0, -(-share * len(ordered) // 100) - 1)]


def _ms(seconds: float) -> str:
    return f"{seconds * 1000:.1f}"
