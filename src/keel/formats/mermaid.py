"""A graph as a Mermaid flowchart: nodes and edges; references without an edge are omitted.

Which nodes and edges there are is left to the export.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from keel.model.hashing import digest64, to_text
from keel.model.lines import EdgeLine, NodeLine


class Mermaid:
    """The Format socket as a Mermaid flowchart, for results that have `lines`."""

    name = "mermaid"

    def render(self, result: Any, colour: bool = False) -> Iterator[str]:
        """One statement a line."""
        yield "flowchart LR\n"
        for line in result.lines:
            if isinstance(line, NodeLine):
                yield f'  {_key(line.id)}["{_escaped(line.label)}"]\n'
            elif isinstance(line, EdgeLine):
                yield f"  {_key(line.source)} -->|{line.kind}| {_key(line.target)}\n"


def _key(node_id: str) -> str:
    """Mermaid's names are plain words: a digest of the id, the same in every export."""
    return f"n{to_text(digest64(node_id.encode()))}"


def _escaped(text: str) -> str:
    for letter in '#"<>':  # `#` first, since it begins what the others become
        text = text.replace(letter, f"#{ord(letter)};")
    return text


format = Mermaid()
