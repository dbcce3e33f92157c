"""Extraction over everything that is installed here, and over mutants of it: no crash, sound facts, bounded time.

`python -m benchmarks.fuzz [--files N] [--mutants N] [--seed N] [--write]` takes the standard libraries and
site-packages of all Python interpreters it finds, N distinct files of them (0: all), and makes N mutants of each. Every
file runs in a worker process, so that one that kills its reader is named. Printed are counts and the slowest, as a
ratio to `compile()` of the same text; nothing is judged but failures. What is sound is `tests.soundness`' to say,
mutants are made by `tests.mutations`.
"""

from __future__ import annotations

import argparse
import platform
import resource
import signal
import sys
import time
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from random import Random
from typing import NamedTuple

from benchmarks.interpreters import installed_files
from keel.indexing.scan.regular_files import MAX_SIZE
from keel.languages.python import language
from keel.ports.runner import Lost
from keel.runners.pool import PoolRunner
from tests.mutations import mutant
from tests.programs import program
from tests.soundness import check, missing_definitions

RESULT = Path(__file__).resolve().parent / "results" / "fuzz.md"
PATIENCE = 300
"""Seconds for one file and its mutants; one that takes longer counts as a crash."""
MAX_FILES = 30_000
"""Bytes of a mutant."""
NOTICEABLE = 0.02
"""Seconds of `compile()` below which a ratio says nothing."""
SHOWN = 5


class Task(NamedTuple):
    """A file to read, what it is called in reports, and what its mutants are made of."""

    path: str
    label: str
    seed: int
    mutants: int


@dataclass(slots=True)
class Seen:
    """What came of one file."""

    label: str
    size: int = 0
    seconds: float = 0
    compiled: float = 0
    """Seconds of `compile()`, 0 when it is no Python for this interpreter."""
    gaps: bool = False
    missing: int = 0
    mutants: int = 0
    mutant_bytes: int = 0
    slowest_mutant: tuple[float, int, int] = (0, 0, 0)
    """Seconds, bytes and seed."""
    memory: int = 0
    """The largest resident size of the worker so far, in KiB."""
    failures: list[str] = field(default_factory=list)


def main() -> int:
    """Runs it all; 0 when nothing failed."""
    options = _options()
    files = installed_files()
    Random(options.seed).shuffle(files)
    chosen = files[: options.files] if options.files else files
    tasks = [Task(path, label, options.seed + at, options.mutants) for at, (path, label) in enumerate(chosen)]
    print(f"{len(files):,} distinct files are installed here, {len(tasks):,} of them are read", flush=True)
    report = _report(list(_with_progress(PoolRunner(chunk=8).run(_probe, tasks), len(tasks))), options)
    print(report)
    if options.write:
        RESULT.write_text(report, encoding="utf-8")
    return 1 if "\n## Failures" in report else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.fuzz", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--files", type=int, default=2000, help="how many files (0: all)")
    parser.add_argument("--mutants", type=int, default=3, help="how many mutants of each")
    parser.add_argument("--seed", type=int, default=0, help="what everything random follows from")
    parser.add_argument("--write", action="store_true", help=f"keep the report in {RESULT.name}")
    return parser.parse_args()


def _with_progress(outcomes: Iterable[Seen | Lost[Task]], total: int) -> Iterator[Seen]:
    for done, outcome in enumerate(outcomes, 1):
        if done % 1000 == 0:
            print(f"{done:,} of {total:,}", flush=True)
        yield Seen(outcome.item.label, failures=[outcome.why]) if isinstance(outcome, Lost) else outcome


# in a worker


def _probe(task: Task) -> Seen:
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.alarm(PATIENCE)
    warnings.simplefilter("ignore")
    data = Path(task.path).read_bytes()
    seen = Seen(task.label, len(data))
    if len(data) <= MAX_SIZE:
        _probe_file(seen, data)
        chance = Random(task.seed)
        for _ in range(task.mutants):
            _probe_mutant(seen, data, chance.getrandbits(32))
    seen.memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    signal.alarm(0)
    return seen


def _probe_file(seen: Seen, data: bytes) -> None:
    started = time.process_time()
    try:
        compile(data, seen.label, "exec", dont_inherit=True)
        seen.compiled = max(time.process_time() - started, 1e-6)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        pass  # of another version, or broken on purpose
    started = time.process_time()
    facts = language.extract(data, "a.py")
    seen.seconds = time.process_time() - started
    seen.gaps = bool(facts.interface.gaps)
    _attempt(seen, seen.label, data)
    if seen.compiled:
        seen.missing = len(missing_definitions(data, facts))


def _probe_mutant(seen: Seen, data: bytes, seed: int) -> None:
    chance = Random(seed)
    made = mutant(chance, data, program(chance).encode(), MAX_FILES)
    seen.mutants += 1
    seen.mutant_bytes += len(made)
    started = time.process_time()
    language.extract(made, "a.py")
    seen.slowest_mutant = max(seen.slowest_mutant, (time.process_time() - started, len(made), seed))
    _attempt(seen, f"{seen.label}, mutant {seed}", made)


def _attempt(seen: Seen, label: str, data: bytes) -> None:
    try:
        check(data)
    except Exception as error:
        said = str(error).partition("\n")[0]
        seen.failures.append(f"{label}: {type(error).__name__}: {said}")


# what came out


def _report(all_seen: list[Seen], options: argparse.Namespace) -> str:
    return "\n".join((*_counts(all_seen, options), *_slowest(all_seen), *_failures(all_seen), ""))


def _counts(all_seen: list[Seen], options: argparse.Namespace) -> Iterator[str]:
    python = [seen for seen in all_seen if seen.compiled]
    seconds, compiled = sum(seen.seconds for seen in python), sum(seen.compiled for seen in python)
    yield "# Fuzzing"
    yield ""
    yield f"`make fuzz FUZZ_ARGS='--files {options.files} --mutants {options.mutants} --seed {options.seed}'`"
    yield f"with Python {platform.python_version()}, tree-sitter {version('tree-sitter')}, tree-sitter-python"
    yield f"{version('tree-sitter-python')}, {platform.system()} {platform.machine()}. Files are the standard libraries"
    yield "and site-packages of every interpreter on the machine, each content once."
    yield ""
    yield "| count | |"
    yield "| --- | --- |"
    yield f"| files | {len(all_seen):,} |"
    yield f"| bytes | {sum(seen.size for seen in all_seen):,} |"
    yield f"| of these, files that compile here | {len(python):,} |"
    yield f"| compile, but are read with a gap | {sum(seen.gaps for seen in python):,} |"
    yield f"| functions and classes that `ast` sees and facts lack | {sum(seen.missing for seen in python):,} |"
    yield f"| mutants | {sum(seen.mutants for seen in all_seen):,} |"
    yield f"| bytes of mutants | {sum(seen.mutant_bytes for seen in all_seen):,} |"
    yield f"| failures | {sum(len(seen.failures) for seen in all_seen):,} |"
    yield f"| extraction, ratio to `compile()` of the same text | {seconds / max(compiled, 1e-6):.2f} × |"
    yield f"| largest memory of a worker | {max((seen.memory for seen in all_seen), default=0) / 1024:.0f} MiB |"


def _slowest(all_seen: list[Seen]) -> Iterator[str]:
    noticeable = [seen for seen in all_seen if seen.compiled > NOTICEABLE]
    by_ratio = sorted(noticeable, key=lambda seen: -seen.seconds / seen.compiled)[:SHOWN]
    yield from ("", f"## Slowest, among files that take `compile()` more than {NOTICEABLE:g} s", "")
    yield from ("| file | bytes | s | ratio to `compile()` |", "| --- | --- | --- | --- |")
    for seen in by_ratio:
        yield f"| {seen.label} | {seen.size:,} | {seen.seconds:.2f} | {seen.seconds / seen.compiled:.2f} × |"
    yield from ("", "## Slowest mutants", "", "| mutant of | seed | bytes | s |", "| --- | --- | --- | --- |")
    for seen in sorted(all_seen, key=lambda seen: -seen.slowest_mutant[0])[:SHOWN]:
        seconds, size, seed = seen.slowest_mutant
        yield f"| {seen.label} | {seed} | {size:,} | {seconds:.2f} |"
    lacking = [seen for seen in all_seen if seen.missing or (seen.compiled and seen.gaps)]
    if lacking:
        yield from ("", "## Read with a gap, or with definitions missing", "")
        yield from (
            f"- {seen.label}: {seen.missing} missing" for seen in sorted(lacking, key=lambda seen: seen.label)[:40]
        )


def _failures(all_seen: list[Seen]) -> Iterator[str]:
    failures = [failure for seen in all_seen for failure in seen.failures]
    if failures:
        yield from ("", "## Failures", "")
        yield from (f"- {failure}" for failure in failures[:40])


if __name__ == "__main__":
    sys.exit(main())
