"""`python -m benchmarks.mutations.ran [PACKAGE …]`: whether Python agrees with what was ruled by hand.

A ruling says of a scope that it is broken, or fine, where the checkers say otherwise. `ran.toml` has a program for the
function it is about: it runs on the package as released, and must fail on the changed one, or run there too.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks.accuracy.packages import NotInstalled
from benchmarks.mutations.cases import BROKEN, FINE, WHOLE, lay_out
from benchmarks.mutations.judged import Ruling, is_about, rulings
from benchmarks.mutations.mutants import HARMLESS, TYPES, WRITTEN, Mutant, applied
from benchmarks.mutations.packages import RELEASED, Package, dependencies, package

PAGE = Path(__file__).resolve().parent / "ran.toml"
SILENT = (*TYPES, *HARMLESS, *WRITTEN)
"""Kinds that Python does not notice."""


class Program(NamedTuple):
    """What takes the way through the scopes that use a function."""

    package: str
    function: str
    text: str


class RunRuling(NamedTuple):
    """A ruling about a mutant, and what Python says to it; an empty text when the program runs."""

    mutant: Mutant
    truth: str
    failure: str

    @property
    def agrees(self) -> bool:
        """Whether a broken one fails, and a fine one does not."""
        return bool(self.failure) == (self.truth == BROKEN)


def programs(page: Path = PAGE) -> list[Program]:
    """All of them."""
    return [Program(**each) for each in tomllib.loads(page.read_text(encoding="utf-8"))["program"]]


def tried(one: Package, known: Sequence[Program], read: Sequence[Ruling]) -> Iterator[RunRuling]:
    """Every mutant of a package that a ruling is about and that there is a program for."""
    texts = {each.function: each.text for each in known if each.package == one.name}
    files = one.files()
    python = dependencies(one) / "bin" / "python"
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder) / one.name
        shutil.copytree(one.own_path / RELEASED / one.name, tree)
        for function, text in texts.items():
            failure = _failure(python, text, tree.parent)
            if failure:
                raise NotInstalled(f"the program of {function} does not run on {one.name} as released: {failure}")
        for mutant in lay_out(one, WHOLE, asks=False).mutants:
            name = f"{mutant.function.path} {mutant.function.qualified}"
            truth = next((each.truth for each in read if is_about(each, one.name, mutant)), "")
            if name in texts and truth in (BROKEN, FINE) and mutant.kind not in SILENT:
                changed = applied(files, [mutant])
                for path, data in changed.items():
                    (tree.parent / path).write_bytes(data)
                yield RunRuling(mutant, truth, _failure(python, texts[name], tree.parent))
                for path in changed:
                    (tree.parent / path).write_bytes(files[path])


def _failure(python: Path, text: str, folder: Path) -> str:
    """The last line of what a program says when it fails."""
    command = [str(python), "-B", "-W", "ignore", "-c", text]
    done = subprocess.run(command, cwd=folder, capture_output=True, encoding="utf-8", check=False)
    return done.stderr.strip().rpartition("\n")[2] or "failed" if done.returncode else ""


def main() -> int:
    """Tries every program; 1 when Python disagrees with a ruling."""
    known, read = programs(), rulings()
    wanted = sys.argv[1:] or list(dict.fromkeys(each.package for each in known))
    disagreed = 0
    for name in wanted:
        for told in tried(package(name), known, read):
            disagreed += not told.agrees
            mark = " " if told.agrees else "!"
            print(f"{mark} {name}, {told.mutant.label}: ruled {told.truth}; {told.failure or 'runs'}")
    return 1 if disagreed else 0


if __name__ == "__main__":
    sys.exit(main())
