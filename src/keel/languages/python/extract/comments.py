"""Comments that speak to keel: `# keel:suppress E001 — reason` above a definition.

What a suppression silences is left to enforcement.
"""

from __future__ import annotations

import re

from tree_sitter import Node

from keel.languages.python.grammar import kind_id, parse
from keel.model.facts import Suppression

COMMENT = kind_id("comment")

_SUPPRESS = (
    rb"^[ \t]*#[ \t]*keel:suppress[ \t]+([A-Z]\d{3}(?:[ \t]*,[ \t]*[A-Z]\d{3})*)"
    rb"[ \t]*(?:(?:\xe2\x80\x94|--|:)[ \t]*(.*))?$"
)


def suppressions(source: bytes) -> list[Suppression]:
    """All suppression comments on lines of their own, in order."""
    if b"keel:suppress" not in source:
        return []
    root = parse(source).root_node
    return [
        Suppression(
            match.start(1),
            [code.strip() for code in match[1].decode().split(",")],
            (match[2] or b"").decode("utf-8", "replace").strip(),
        )
        for match in re.finditer(_SUPPRESS, source, re.MULTILINE)
        if _is_comment(root.descendant_for_byte_range(match.start(1), match.start(1)))
    ]


def _is_comment(node: Node | None) -> bool:
    """Whether a line that looks like a comment is one, and no text inside a string."""
    return node is not None and node.kind_id == COMMENT
