"""`python -m benchmarks.fix [PACKAGE …]`: whether `keel fix --apply` mends what edits of its safe kinds break.

A function of a real package is changed so that others are broken, in a way that leaves one thing to do: a parameter
that calls pass by name is renamed, a default is taken away, the function is renamed, or moved to a module of its own.
Then `keel fix --apply` runs, and it is seen whether a compile is clean, whether every file parses, and whether the
modules that were touched can be imported. A mutant that breaks nobody, or touches a module that the package as released
cannot import either, does not count.
"""

from __future__ import annotations

import argparse
import ast
import copy
import json
import os
import platform
import subprocess
import sys
from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from random import Random

from benchmarks.checkout import commit_of
from benchmarks.corpora import git
from benchmarks.measure import NO_TY, environment
from benchmarks.mutations.changes import CHANGES, Made, with_parameters
from benchmarks.mutations.choice import Sources, candidates
from benchmarks.mutations.mutants import Kind, Mutant, applied
from benchmarks.mutations.packages import PINS, Package, dependencies, package
from benchmarks.mutations.sources import Function, Source
from benchmarks.report import RESULTS
from keel.bootstrap import Workspace, open_workspace
from keel.model.findings import STRUCTURAL
from keel.operations import compile as compiling
from keel.operations import fix as fixing
from keel.operations import map as mapping

SEED = "fix"
WANTED = 80
"""Mutants of each package that break somebody."""
BAR = 95.0
DEFAULT_GONE = "default taken away"
KINDS: tuple[str, ...] = (Kind.RENAME_PARAMETER, Kind.RENAME, Kind.MOVE, DEFAULT_GONE)
MENDED, LEFT, UNIMPORTED, UNPARSED = "mended", "findings are left", "cannot be imported", "does not parse"


@dataclass(frozen=True)
class Case:
    """One mutant, and what came of it."""

    package: str
    kind: str
    label: str
    outcome: str
    why: str = ""


def main() -> int:
    """Measures, prints the table, and keeps it when all packages were asked for."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.fix", description=__doc__.partition("\n")[0])
    parser.add_argument("packages", nargs="*", choices=[*PINS, []], help="some of them; nothing is kept then")
    parser.add_argument("--verbose", action="store_true", help="print every mutant that was not mended")
    options = parser.parse_args()
    os.environ[NO_TY] = "1"
    cases = [case for name in options.packages or PINS for case in _cases(package(name))]
    print(_table(cases))
    for case in cases:
        if options.verbose and case.outcome != MENDED:
            print(f"{case.package}  {case.label}  {case.outcome}: {case.why}")
    if not options.packages:
        _keep(cases)
    return 0


def _cases(one: Package) -> Iterator[Case]:
    sources = Sources(one.files())
    chance = Random(f"{SEED} {one.name}")
    room = _Room(one, {path: source.data for path, source in sources.files.items()})
    waiting = [(function, kind) for function in candidates(sources, SEED) for kind in KINDS]
    chance.shuffle(waiting)
    count: Counter[str] = Counter()
    for function, kind in waiting:
        if count.total() >= WANTED:
            return
        if count[kind] >= WANTED // 2:
            continue
        mutant = _mutant(sources, function, kind, chance)
        case = room.tried(kind, mutant) if mutant is not None else None
        if case is not None:
            count[kind] += 1
            yield case


def _mutant(sources: Sources, function: Function, kind: str, chance: Random) -> Mutant | None:
    change = _without_default if kind == DEFAULT_GONE else CHANGES[Kind(kind)]
    made = change(sources.files[function.path], function, chance, sources.passed(function))
    if made is None or (function.is_constructor and kind == Kind.RENAME):
        return None
    return Mutant(Kind.ADD_REQUIRED if kind == DEFAULT_GONE else Kind(kind), function, made[0], made[1])


def _without_default(source: Source, function: Function, chance: Random, named: Collection[str]) -> Made | None:
    """A function whose first default, or one of a keyword, is gone."""
    changed = copy.deepcopy(function.node.args)
    keywords = [index for index, default in enumerate(changed.kw_defaults) if default is not None]
    if changed.defaults and (not keywords or chance.random() < 0.5):
        changed.defaults = changed.defaults[1:]
    elif keywords:
        changed.kw_defaults[chance.choice(keywords)] = None
    else:
        return None
    return with_parameters(source, function, changed)


class _Room:
    """The tree of one package, as it was released but for a mutant at a time."""

    def __init__(self, one: Package, files: dict[str, bytes]) -> None:
        self._package, self._files = one, files
        self._python = dependencies(one) / "bin" / "python"
        self._unfit = {path for path in files if self._import([path])}
        mapping.run(self._workspace, mapping.Params())

    @property
    def _workspace(self) -> Workspace:
        return open_workspace(str(self._package.room), str(self._package.room))

    def tried(self, kind: str, mutant: Mutant) -> Case | None:
        """What became of a mutant; None when it does not count."""
        room = self._package.room
        texts = applied(self._files, [mutant]) | dict(mutant.made)
        try:
            for path, data in texts.items():
                (room / path).write_bytes(data)
            if self._unfit & texts.keys() or not self._broken():
                return None
            result = fixing.run(self._workspace, fixing.Params(apply=True))
            touched = sorted({*texts, *result.written})
            outcome, why = self._outcome(touched, result)
            label = f"{mutant.function.path} {mutant.function.qualified}"
            return Case(self._package.name, str(kind), label, outcome, why)
        finally:
            git(room, "checkout", "--quiet", "--", ".")
            git(room, "clean", "--quiet", "--force", "--", self._package.name)

    def _broken(self) -> list[str]:
        """What a compile says that breaks somebody for certain."""
        found = compiling.run(self._workspace, compiling.Params(session=fixing.CI)).errors
        return [f"{each.code} {each.symbol}" for each in found if each.code in STRUCTURAL]

    def _outcome(self, touched: list[str], result: fixing.Result) -> tuple[str, str]:
        for path in touched:
            try:
                ast.parse((self._package.room / path).read_bytes())
            except SyntaxError as error:
                return UNPARSED, f"{path}: {error}"
        left = self._broken()
        if left:
            reasons = [step.what for plan in result.plans if plan.code in STRUCTURAL for step in plan.left]
            undone = [plan.symbol for plan in result.plans if plan.outcome == "undone"]
            return LEFT, "; ".join(sorted({*reasons, *(f"{name} undone" for name in undone)})) or ", ".join(left)
        trouble = self._import([path for path in touched if path not in self._unfit])
        return (UNIMPORTED, trouble) if trouble else (MENDED, "")

    def _import(self, touched: list[str]) -> str:
        """Why modules cannot be imported; empty when they can."""
        room = self._package.room
        names = [path.removesuffix(".py").removesuffix("/__init__").replace("/", ".") for path in touched]
        program = "import importlib, sys\nfor name in sys.argv[1:]: importlib.import_module(name)"
        done = subprocess.run(
            [str(self._python), "-c", program, *names],
            cwd=room,
            env=environment() | {"PYTHONPATH": str(room), "PYTHONDONTWRITEBYTECODE": "1"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            timeout=60,
        )
        return done.stderr.strip().rpartition("\n")[2] if done.returncode else ""


def _table(cases: list[Case]) -> str:
    lines = ["| kind | mutants | mended | share | not, by cause |", "| --- | ---: | ---: | ---: | --- |"]
    for kind in (*KINDS, "all"):
        own = [case for case in cases if kind in (case.kind, "all")]
        done = sum(case.outcome == MENDED for case in own)
        causes = Counter(case.outcome for case in own if case.outcome != MENDED)
        told = ", ".join(f"{cause} {count}" for cause, count in causes.most_common())
        lines.append(f"| {kind} | {len(own)} | {done} | {100 * done / max(len(own), 1):.1f} % | {told} |")
    return "\n".join(lines)


def _keep(cases: list[Case]) -> None:
    setting = {
        "date": datetime.now(UTC).date().isoformat(),
        "commit": commit_of(str(Path(__file__).resolve().parents[1])),
        "keel": version("keel-graph"),
        "python": platform.python_version(),
        "packages": ", ".join(f"{name} {number}" for name, number in PINS.items()),
    }
    rows = [vars(case) for case in cases]
    (RESULTS / "fix.json").write_text(
        json.dumps({"setting": setting, "cases": rows}, indent=1) + "\n", encoding="utf-8"
    )
    said = "\n".join(f"- {name}: {value}" for name, value in setting.items())
    left = "\n".join(
        f"- {case.package}, {case.kind}, `{case.label}`: {case.outcome}: {case.why}"
        for case in cases
        if case.outcome != MENDED
    )
    text = (
        f"# What `keel fix --apply` mends\n\n{__doc__.partition(chr(10))[2].strip()}\n\n{said}\n\n{_table(cases)}\n\n"
        f"The bar is {BAR:g} % mended, and no file that does not parse.\n\n## Not mended\n\n{left or 'None.'}\n"
    )
    (RESULTS / "fix.md").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
