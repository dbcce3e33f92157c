"""A graph in the DOT language of Graphviz: nodes and edges; references without an edge are omitted.

Which nodes and edges there are is left to the export.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from keel.model.lines import EdgeLine, NodeLine


class Dot:
    """The Format socket as a DOT digraph, for results that have `lines`."""

    name = "dot"

    def render(self, result: Any, colour: bool = False) -> Iterator[str]:
        """One statement a line."""
        yield "digraph keel {\n  rankdir=LR;\n  node [shape=box];\n"
        for line in result.lines:
            if isinstance(line, NodeLine):
                yield f"  {_quoted(line.id)} [label={_quoted(line.label)}];\n"
            elif isinstance(line, EdgeLine):
                yield f"  {_quoted(line.source)} -> {_quoted(line.target)} [label={_quoted(line.kind)}];\n"
        yield "}\n"


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


format = Dot()
