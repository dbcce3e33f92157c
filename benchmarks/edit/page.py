"""What the edit benchmark measured, as a page.

Nothing here judges beyond comparing with the bar.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import mean

from benchmarks.edit.modes import Cost, Outcome
from benchmarks.edit.trees import MAX_CALLERS, MAX_LINES, Planned

BARS = {"warm": 60.0, "warm with ty": 120.0, "ty spawned": 700.0}
"""Milliseconds of wall time that the 95th of a hundred edits may take."""
MAX_MEGABYTES = 400
YARDSTICK = "python -c pass"
COLUMNS = ("p50", "p95", "CPU p50", "CPU p95", f"CPU p50 : `{YARDSTICK}`", "all: p50", "all: p95", "all: CPU p95")
TAIL = 5
"""Of a hundred edits, how many are beyond the 95th."""


@dataclass(frozen=True)
class Measured:
    """One tree."""

    name: str
    edits: Sequence[Planned]
    outcomes: Mapping[str, Outcome]
    differing: Mapping[str, Sequence[str]]
    """By mode: the edits whose verdict is another than in the first one with the same evidence."""


def as_markdown(trees: Sequence[Measured], setting: Mapping[str, str]) -> str:
    """The page that is committed."""
    lines = [
        "# Edits",
        "",
        "Written by `make bench-edit`; not edited by hand. What `keel compile FILE` takes after one edit to FILE, in",
        f"milliseconds: of edits to files of at most {MAX_LINES:,} lines and definitions with at most {MAX_CALLERS}",
        "caller files (inside the bar), and of all that were drawn.",
        "",
        "- cold: a process for each compile, no daemon, no ty; ty spawned: the same, with a ty of its own each time.",
        "- warm: the command as a hook runs it, from its start to its end, answered by a daemon that has answered one",
        "  such command before, and has not met the file that is edited; with ty: its ty is asked where a contract",
        "  changes that somebody relies on. CPU is that of the command, the daemon and ty.",
        "- inside: the same in one process that is looked into, without a command and a daemon between: where the time",
        "  goes. CPU is its own, without ty's.",
        "",
        "Without ty the graph is one mapped without it, with ty one mapped with it. Every verdict is compared with",
        f"that of the same edit in the first mode with the same evidence. `{YARDSTICK}` was run before and after each",
        "mode: where others use the machine, CPU and that ratio say more than the time on the clock.",
        "",
    ]
    if len(trees) > 1:
        lines += ["## All trees", "", *_table([(tree.edits, tree.outcomes) for tree in trees]), ""]
    for tree in trees:
        lines += [*section(tree), ""]
    return "\n".join([*lines, "| setting | |", "| --- | --- |", *(f"| {a} | {b} |" for a, b in setting.items()), ""])


def section(tree: Measured) -> Iterator[str]:
    """What was measured of one tree, line by line."""
    yield f"## {tree.name}"
    yield ""
    yield f"{len(tree.edits)} edits, {sum(edit.is_inside for edit in tree.edits)} inside. " + ", ".join(
        _beyond(tree.edits)
    )
    yield ""
    yield from _table([(tree.edits, tree.outcomes)])
    for mode, outcome in tree.outcomes.items():
        yield from _about(mode, tree.edits, outcome)
    for mode, edits in tree.differing.items():
        yield from (f"- {mode}: another verdict: {edit}" for edit in edits)


def _table(trees: Sequence[tuple[Sequence[Planned], Mapping[str, Outcome]]]) -> Iterator[str]:
    """A line for each mode, over the edits of some trees together."""
    columns = ["mode", "edits", *COLUMNS, "bar, p95"]
    yield f"| {' | '.join(columns)} |"
    yield f"|{' --- |' * len(columns)}"
    for mode in trees[0][1]:
        pairs = [pair for edits, outcomes in trees for pair in zip(edits, outcomes[mode].costs, strict=True)]
        bare = mean(outcomes[mode].yardstick for _, outcomes in trees)
        yield _line(mode, pairs, bare, BARS.get(mode))
        heard = [pair for pair in pairs if _is_heard(pair[1])]
        if heard:
            yield _line(f"{mode}: where ty was heard", heard, bare, None)


def _line(mode: str, pairs: Sequence[tuple[Planned, Cost]], bare: float, bar: float | None) -> str:
    own = [cost for edit, cost in pairs if edit.is_inside]
    wall, cpu = [cost.wall for cost in own], [cost.cpu for cost in own]
    ratio = f"{percentile(cpu, 50) / bare:.1f} ×" if bare else ""
    cells = [mode, str(len(own)), *map(_ms, (*_both(wall), *_both(cpu))), ratio]
    cells += map(_ms, (*_both([cost.wall for _, cost in pairs]), percentile([cost.cpu for _, cost in pairs], 95)))
    met = "" if bar is None else f"{bar:.0f}: {'met' if percentile(wall, 95) * 1000 <= bar else 'NOT MET'}"
    return f"| {' | '.join([*cells, met])} |"


def _about(mode: str, edits: Sequence[Planned], outcome: Outcome) -> Iterator[str]:
    """Where the time of a mode goes, and what stays in memory."""
    inside = [cost for edit, cost in zip(edits, outcome.costs, strict=True) if edit.is_inside]
    if any(cost.stages for cost in inside):
        ordered = sorted(inside, key=lambda cost: cost.wall)
        slowest = ordered[-max(1, TAIL * len(ordered) // 50) :]
        yield ""
        yield f"Where the time goes, {mode}, mean of all: {_stages(inside)}; of the slowest tenth: {_stages(slowest)}"
    if outcome.memory:
        ty = f", ty {outcome.memory_of_ty / 1e6:.0f} MB" if outcome.memory_of_ty else ""
        yield ""
        yield f"Memory at the end, {mode}: {outcome.memory / 1e6:.0f} MB (bar {MAX_MEGABYTES} MB){ty}"


def _stages(costs: Sequence[Cost]) -> str:
    names = {name: None for cost in costs for name in cost.stages}
    spent = {name: mean(cost.stages.get(name, 0.0) for cost in costs) for name in names}
    return ", ".join(f"{name} {_ms(took)}" for name, took in sorted(spent.items(), key=lambda pair: -pair[1]))


def _is_heard(cost: Cost) -> bool:
    return bool(cost.verdict.get("evidence") == "ty")


def _beyond(edits: Sequence[Planned]) -> Iterator[str]:
    """Which edits are left out of the bar, and why."""
    long = [edit for edit in edits if edit.lines > MAX_LINES]
    many = [edit for edit in edits if edit.lines <= MAX_LINES and edit.callers > MAX_CALLERS]
    yield f"beyond: {len(long)} in longer files ({', '.join(sorted({edit.path for edit in long})) or 'none'})"
    yield f"{len(many)} with more caller files ({', '.join(sorted({edit.symbol for edit in many})) or 'none'})"


def _both(values: Sequence[float]) -> tuple[float, float]:
    return percentile(values, 50), percentile(values, 95)


def percentile(values: Sequence[float], share: int) -> float:
    """The value that so many of a hundred do not exceed."""
    ordered = sorted(values)
    return ordered[max(0, -(-share * len(ordered) // 100) - 1)] if ordered else 0.0


def _ms(seconds: float) -> str:
    return f"{seconds * 1000:.1f}"
