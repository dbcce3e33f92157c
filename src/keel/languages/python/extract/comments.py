"""Comments that speak to keel: `# keel:suppress E001 — reason` above a definition.

One that is not written so is kept too, as far as it can be read, so that somebody can say so. What a suppression
silences is left to enforcement.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from keel.languages.python.grammar import kind_id, parse
from keel.model.facts import Suppression
from keel.model.suppressions import codes_and_reason

COMMENT = kind_id("comment")

_comments = re.compile(rb"#[ \t]*keel:[ \t]*suppress\b([^\r\n]*)").finditer


def suppressions(source: bytes) -> list[Suppression]:
    """All suppression comments, in order."""
    return list(_found(source)) if b"keel:" in source else []


def _found(source: bytes) -> Iterator[Suppression]:
    root = parse(source).root_node
    for match in _comments(source):
        at = match.start()
        if _begins_comment(root.descendant_for_byte_range(at, at), at):
            codes, reason = codes_and_reason(match[1].decode("utf-8", "replace"))
            behind = source[source.rfind(b"\n", 0, at) + 1 : at].strip() != b""
            yield Suppression(at, codes, reason, behind)


def _begins_comment(node: Node | None, at: int) -> bool:
    """Whether what looks like a comment is one, and no text inside a string or another comment."""
    return node is not None and node.kind_id == COMMENT and node.start_byte == at
