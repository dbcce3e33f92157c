"""The tree of one package, as it was released but for a mutant at a time: broken, fixed by keel, and imported.

Which mutants there are is left to `mutants.py`, what they come to all together to `__main__.py`.
"""

from __future__ import annotations

import ast
import subprocess
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from benchmarks.corpora import git
from benchmarks.fix.moving import by_hand, home_of
from benchmarks.measure import environment
from benchmarks.mutations.mutants import Kind, Mutant, applied
from benchmarks.mutations.packages import Package, dependencies
from keel.bootstrap import Workspace, open_workspace
from keel.enforcement.session.session import CI
from keel.model.findings import STRUCTURAL
from keel.operations import compile as compiling
from keel.operations import fix as fixing
from keel.operations import map as mapping

FIXED, LEFT, UNIMPORTED, UNPARSED = "fixed", "findings are left", "cannot be imported", "does not parse"
UNFIT = "no fix by hand can be imported"
"""What becomes of a mutant that is not made: it cannot be fixed, or a person would not make it."""


@dataclass(frozen=True)
class Case:
    """One mutant, and what came of it."""

    package: str
    kind: str
    label: str
    outcome: str
    why: str = ""


class Room:
    """The tree of one package."""

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
        label = f"{mutant.function.path} {mutant.function.qualified}"
        texts = applied(self._files, [mutant]) | dict(mutant.made)
        if self._unfit & texts.keys():
            return None
        try:
            self._write(texts)
            if not self._broken():
                return None
            if kind == Kind.MOVE and not self._can_be_fixed(mutant, texts):
                return Case(self._package.name, str(kind), label, UNFIT)
            result = fixing.run(self._workspace, fixing.Params(apply=True))
            touched = sorted({*texts, *result.written})
            return Case(self._package.name, str(kind), label, *self._outcome(touched, result))
        finally:
            self._restore()

    def _can_be_fixed(self, mutant: Mutant, texts: Mapping[str, bytes]) -> bool:
        """Whether a fix that a person would write can be imported, whichever of its modules comes first."""
        home = home_of(mutant.function)
        try:
            for fixed in by_hand(self._files, texts[mutant.function.path], mutant.function):
                self._write(fixed)
                names = [path for path in sorted(fixed) if path not in self._unfit]
                if not self._import([home, *names]) and not self._import([*names, home]):
                    return True
            return False
        finally:
            self._restore()
            self._write(texts)

    def _write(self, texts: Mapping[str, bytes]) -> None:
        for path, data in texts.items():
            (self._package.room / path).write_bytes(data)

    def _restore(self) -> None:
        git(self._package.room, "checkout", "--quiet", "--", ".")
        git(self._package.room, "clean", "--quiet", "--force", "--", self._package.name)

    def _broken(self) -> list[str]:
        """What a compile says that breaks a caller for certain."""
        found = compiling.run(self._workspace, compiling.Params(session=CI)).errors
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
        return (UNIMPORTED, trouble) if trouble else (FIXED, "")

    def _import(self, paths: Iterable[str]) -> str:
        """Why modules cannot be imported one after the other; empty when they can."""
        room = self._package.room
        names = [path.removesuffix(".py").removesuffix("/__init__").replace("/", ".") for path in paths]
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
