"""Evidence of a small project as lines that specs can expect: what `keel explain` says of two symbols.

An edge is a line with its kind and confidence, below it the steps, each with a dash; what has no edge is said in the
words of the answer. All lines are expected, in order.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from pathlib import Path

from keel.bootstrap import open_workspace
from keel.checking.edge_explanations import OfEdges
from keel.operations import explain
from keel.operations import map as map_
from tests.spec.markdown import Block


def check_evidence(folder: Path, files: Mapping[tuple[str, str], bytes], block: Block) -> list[str]:
    """What of an `evidence` block does not hold for the project."""
    for (root, path), data in files.items():
        file = folder / root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
    workspace = open_workspace(str(folder), explicit=str(folder / next(iter(files))[0]))
    workspace.prepare()
    map_.run(workspace, map_.Params())
    asked = explain.Params(caller=block.options["caller"], callee=block.options["callee"])
    found = explain.run(workspace, asked)
    assert isinstance(found, OfEdges)
    said = list(_lines(found))
    expected = [" ".join(text.split()) for _, text in block.lines()]
    wrong = [line for line in difflib.ndiff(expected, said) if not line.startswith("  ")]
    return [f"line {block.line}: evidence differs (- expected, + found)", *wrong] if expected != said else []


def _lines(result: OfEdges) -> Iterator[str]:
    for edge in result.edges:
        yield f"{edge.kind} {edge.confidence:.2f}"
        for step in edge.resolution_chain:
            yield " ".join(f"- {step.kind} {step.file}:{step.line} {step.text}".split())
    for one in result.unresolved:
        yield f"unresolved {one.kind} {one.name} {one.reason}"
        for candidate in one.candidates:
            yield f"- {candidate}"
    for other in result.elsewhere:
        yield f"elsewhere {other.path}:{other.qualified_name}"
    for other in result.inside:
        yield f"inside {other.path}:{other.qualified_name}"
    if not result.edges:
        yield f"exit code {result.exit_code}"
