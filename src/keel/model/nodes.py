"""Nodes as answers show them: the full form and the short one, NodeRef.

Finding and storing nodes is left to the stores, printing them to the formats.
"""

from __future__ import annotations

from msgspec import Struct


class NodeRef(Struct, frozen=True):
    """The short form of a node that every answer uses."""

    id: str
    hash: str
    kind: str
    name: str
    qualified_name: str
    path: str
    line: int
    module: str
    service: str = ""
    external: bool = False


class Parameter(Struct, frozen=True):
    """A parameter as answers show it."""

    name: str
    kind: str
    annotation: str = ""
    default: bool = False


class SignatureView(Struct, frozen=True):
    """A structured signature and its text."""

    text: str
    parameters: list[Parameter] = []
    returns: str = ""
    is_async: bool = False
    decorators: list[str] = []


class Node(Struct, frozen=True):
    """Everything the graph knows about a node by itself."""

    id: str
    hash: str
    kind: str
    name: str
    qualified_name: str
    root: str
    path: str
    language: str
    start_line: int
    end_line: int
    start_column: int
    end_column: int
    signature: SignatureView | None
    doc: str
    visibility: str
    type_hints_present: bool
    module: str
    external: bool = False
    parse_reliable: bool = True
    service: str = ""
    role: str = ""
    capabilities: list[str] = []
    annotations: list[str] = []

    def ref(self) -> NodeRef:
        """The short form."""
        return NodeRef(
            self.id,
            self.hash,
            self.kind,
            self.name,
            self.qualified_name,
            self.path,
            self.start_line,
            self.module,
            self.service,
            self.external,
        )


class Step(Struct, frozen=True):
    """A step of evidence: what it shows, where it is, and the source text of that line."""

    kind: str
    file: str
    line: int
    text: str
