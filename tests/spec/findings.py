"""Findings of an edit as lines that specs can expect: ` ```findings ` blocks.

Files below `before/` are accepted, those below `after/` are the tree now. A line is `CODE severity symbol in file:`
with `place caller: why` for each affected place, or with the message where there is none; `none` when nothing is
found. Only E001, E004 and E005 are looked at unless `codes=` names others; `files=` and `suppress=` are what is asked
for, `hint=yes` adds what to do. With `ty=yes` ty is the type checker, and must have answered, or with `ty=unasked` not.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from keel.bootstrap import NO_TY, open_workspace
from keel.model.findings import Finding
from keel.operations import compile as compiling
from keel.operations import map as mapping
from tests.spec.markdown import Block

BEFORE, AFTER = "before/", "after/"
STRUCTURAL = "E001,E004,E005"


def check_findings(folder: Path, files: Mapping[tuple[str, str], bytes], block: Block) -> list[str]:
    """What of a `findings` block does not hold."""
    project = folder / "shop"
    shutil.rmtree(project, ignore_errors=True)
    texts = {path: data for (_, path), data in files.items()}
    _write(project, {path.removeprefix(BEFORE): data for path, data in texts.items() if path.startswith(BEFORE)})
    mapping.run(open_workspace(str(project), str(project)), mapping.Params())
    kept = (project / ".keel").rename(folder / ".keel")
    shutil.rmtree(project)
    _write(project, {path.removeprefix(AFTER): data for path, data in texts.items() if path.startswith(AFTER)})
    kept.rename(project / ".keel")
    codes = block.options.get("codes", STRUCTURAL).split(",")
    for _ in range(2):  # the same trees give the same findings, however often it is asked
        result = _compiled(project, block)
        uncounted = result.info.findings if result.info is not None else ()
        found = [each for each in (*result.errors, *result.warnings, *uncounted) if each.code in codes]
        told = [line for each in found for line in _format_finding(each, "hint" in block.options)]
        wrong = _differing(block, told) + _evidence_missing(block, result.evidence)
        if wrong:
            return wrong
    return []


def _compiled(project: Path, block: Block) -> compiling.Result:
    """What compiling says, with ty where it is wanted."""
    with pytest.MonkeyPatch.context() as patch:
        if "ty" in block.options:
            patch.delenv(NO_TY, raising=False)
        workspace = open_workspace(str(project), str(project))
        try:
            return compiling.run(workspace, _params(block))
        finally:
            workspace.close()


def _evidence_missing(block: Block, evidence: str) -> list[str]:
    expected = "ty" if block.options.get("ty") == "yes" else "own"
    return [] if evidence == expected else [f"line {block.line}: the evidence is {evidence}, not {expected}"]


def _params(block: Block) -> compiling.Params:
    """What is asked; in a session that counts no attempts, since these change what is told."""
    return compiling.Params(
        files=_words(block, "files"),
        all="all" in block.options,
        suppress=_words(block, "suppress"),
        session="git",
    )


def _words(block: Block, option: str) -> tuple[str, ...]:
    return tuple(word for word in block.options.get(option, "").split(",") if word)


def _write(folder: Path, files: Mapping[str, bytes]) -> None:
    folder.mkdir(parents=True)
    for path, data in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(data)


def _format_finding(finding: Finding, with_hint: bool) -> Iterator[str]:
    about = finding.symbol or f"line {finding.line}"
    head = f"{finding.code} {finding.severity.lower()} {about} in {finding.file}"
    if not finding.affected:
        yield f"{head}: {finding.message}"
    for one in finding.affected:
        yield f"{head}: {one.file}:{one.line} {one.name}: {one.why}"
    if with_hint:
        yield f"hint: {finding.fix_hint}"


def _differing(block: Block, told: list[str]) -> list[str]:
    expected = [line for _, line in block.lines() if line != "none"]
    if sorted(expected) == sorted(told):
        return []
    return [
        f"line {block.line}: findings differ",
        *(f"- {line}" for line in expected if line not in told),
        *(f"+ {line}" for line in told if line not in expected),
    ]
