"""What `keel compile` says of a mutant: the operation itself, in this process, over a graph that was mapped before.

A sample is asked through the real command too, which must say the same.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from benchmarks.checkout import source_digest
from benchmarks.measure import NO_TY, environment
from benchmarks.mutations.choice import Sources
from benchmarks.mutations.mutants import Mutant, applied
from benchmarks.mutations.sources import Scope, Source
from keel.bootstrap import open_workspace
from keel.model.findings import ERROR, Finding
from keel.operations import compile as compiling
from keel.operations import map as mapping

CALLER_CODES = ("E001", "E004", "E005")
CI = "ci"
"""A session that counts nothing: the mutants of one function are no attempts to fix it."""


@dataclass(frozen=True)
class KeelVerdict:
    """What keel says of one mutant."""

    errors: frozenset[Scope]
    """Scopes with an error about what they use."""
    warnings: frozenset[Scope]
    """Scopes with a warning, and no error."""
    why: dict[Scope, str]
    written: frozenset[str]
    """Codes of errors about what is not written."""


class Remembered:
    """What this very source of keel said before, kept on disk, so that a run that is stopped goes on where it was."""

    def __init__(self, folder: Path, level: str) -> None:
        self._path = folder / f"keel-{level}-{source_digest()[:12]}.json"
        held = json.loads(self._path.read_text(encoding="utf-8")) if self._path.exists() else {}
        self._answers: dict[str, list[list[list[str]]]] = held

    def said(self, mutant: Mutant) -> KeelVerdict | None:
        """What was said about a mutant; None when it was not asked."""
        held = self._answers.get(mutant.key)
        if held is None:
            return None
        errors, warnings, why, written = held
        return KeelVerdict(
            frozenset(Scope(*each) for each in errors),
            frozenset(Scope(*each) for each in warnings),
            {Scope(path, name): text for path, name, text in why},
            frozenset(code for [code] in written),
        )

    def keep(self, mutant: Mutant, said: KeelVerdict) -> None:
        """Remembers what was said, and writes it down."""
        why = [[*scope, text] for scope, text in sorted(said.why.items())]
        written = [[code] for code in sorted(said.written)]
        named = [[list(each) for each in sorted(some)] for some in (said.errors, said.warnings)]
        self._answers[mutant.key] = [*named, why, written]
        making = self._path.with_suffix(".making")
        making.write_text(json.dumps(self._answers, separators=(",", ":")), encoding="utf-8")
        making.replace(self._path)


class Keel:
    """keel over the room of one package, alone or with ty; use it as a context manager.

    One workspace is kept open for all questions, as the daemon keeps one, and so is its ty.
    """

    def __init__(self, room: Path, sources: Sources, ty_environment: Path | None = None) -> None:
        """`ty_environment` is where ty finds what the package imports; without it keel works alone."""
        self._room, self._sources, self._ty_environment = room, sources, ty_environment
        self._files = {path: source.data for path, source in sources.files.items()}

    def __enter__(self) -> Keel:
        self._kept = dict(os.environ)
        os.environ.update(self._more)
        if self._ty_environment is not None:
            os.environ.pop(NO_TY, None)
        self._workspace = open_workspace(str(self._room), str(self._room))
        self._is_mapped = False
        return self

    def __exit__(self, *_: object) -> None:
        self._workspace.close()
        os.environ.clear()
        os.environ.update(self._kept)

    @property
    def _more(self) -> dict[str, str]:
        if self._ty_environment is None:
            return {NO_TY: "1"}
        return {"VIRTUAL_ENV": str(self._ty_environment)}

    def says(self, mutant: Mutant) -> KeelVerdict:
        """What a compile of the changed tree finds."""
        if not self._is_mapped:
            mapping.run(self._workspace, mapping.Params())
            self._is_mapped = True
        with self.changed(mutant) as texts:
            result = compiling.run(self._workspace, compiling.Params(session=CI))
        return self._answers(mutant, (*result.errors, *result.warnings), texts)

    def command_says(self, mutant: Mutant) -> list[str]:
        """What the command prints of it, as lines that can be compared with `lines`."""
        with self.changed(mutant):
            command = [sys.executable, "-m", "keel", "compile", "--json", "--session", CI]
            around = environment(**self._more)
            if self._ty_environment is not None:
                del around[NO_TY]
            done = subprocess.run(
                command, cwd=self._room, env=around, stdin=subprocess.DEVNULL, capture_output=True, check=False
            )
        found = json.loads(done.stdout)
        return sorted(
            f"{one['code']} {one['severity']} {one['file']}:{one['line']} {at['file']}:{at['line']}"
            for one in (*found["errors"], *found["warnings"])
            for at in one["affected"]
        )

    def lines(self, mutant: Mutant) -> list[str]:
        """What the operation says of it."""
        with self.changed(mutant):
            result = compiling.run(self._workspace, compiling.Params(session=CI))
        return sorted(
            f"{one.code} {one.severity} {one.file}:{one.line} {at.file}:{at.line}"
            for one in (*result.errors, *result.warnings)
            for at in one.affected
        )

    @contextmanager
    def changed(self, mutant: Mutant) -> Iterator[dict[str, bytes]]:
        """The tree with a mutant in it, and as it was again."""
        texts = applied(self._files, [mutant]) | dict(mutant.made)
        for path, data in texts.items():
            (self._room / path).write_bytes(data)
        try:
            yield texts
        finally:
            for path in texts:
                if path in self._files:
                    (self._room / path).write_bytes(self._files[path])
                else:
                    (self._room / path).unlink()

    def _answers(self, mutant: Mutant, findings: Sequence[Finding], texts: dict[str, bytes]) -> KeelVerdict:
        errors: set[Scope] = set()
        warnings: set[Scope] = set()
        why: dict[Scope, str] = {}
        now = {path: Source(path, data) for path, data in texts.items()}
        for finding in findings:
            if finding.code not in CALLER_CODES:
                continue
            for one in finding.affected:
                source = now.get(one.file) or self._sources.files[one.file]
                scope = source.scope_at(one.line)
                if mutant.is_own(scope):
                    continue
                (errors if finding.severity == ERROR else warnings).add(scope)
                why.setdefault(scope, f"{finding.code} {finding.confidence:.2f} line {one.line}: {one.why}")
        written = {each.code for each in findings if each.severity == ERROR and each.code not in CALLER_CODES}
        return KeelVerdict(frozenset(errors), frozenset(warnings - errors), why, frozenset(written))
