"""Docstrings of every form: single and triple quotes, raw, escaped, side by side.

Whether a definition ought to have one is left to the rules.
"""

from __future__ import annotations

from tree_sitter import Node

from keel.languages.python.grammar import kind_id

STRING = kind_id("string")
CONCATENATED = kind_id("concatenated_string")
EXPRESSION = kind_id("expression_statement")
COMMENT = kind_id("comment")
PARENTHESISED = kind_id("parenthesized_expression")


def docstring(source: bytes, body: list[Node]) -> tuple[bytes | None, int]:
    """The cleaned docstring of a body and how many statements to pass over for it (comments included)."""
    for index, node in enumerate(body):
        kind = node.kind_id
        if kind == COMMENT:
            continue
        if kind != EXPRESSION:
            return None, 0
        kids = node.named_children
        while len(kids) == 1 and kids[0].kind_id == PARENTHESISED:
            kids = kids[0].named_children
        if len(kids) != 1 or not first_string(kids[0]):
            return None, 0
        text = _text(source[kids[0].start_byte : kids[0].end_byte])
        return (None, 0) if text is None else (_clean(text), index + 1)
    return None, 0


def first_string(node: Node) -> bool:
    """Whether an expression is a string and nothing else."""
    return node.kind_id in (STRING, CONCATENATED)


def _text(raw: bytes) -> str | None:
    """What a string literal evaluates to, if it can be a docstring."""
    width = 3 if raw[:3] in (b'"""', b"'''") else 1
    if raw[:1] in (b'"', b"'") and b"\\" not in raw and raw.count(raw[:width]) == 2 and raw.endswith(raw[:width]):
        return raw[width:-width].decode("utf-8", "replace")
    if raw[:1].lower() in (b"f", b"b", b"t") or raw[:2].lower() in (b"rb", b"rf", b"rt"):
        return None
    import ast  # only here: most docstrings have nothing to evaluate

    try:
        value = ast.literal_eval("(" + raw.decode("utf-8", "replace") + ")")
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return None
    return value if isinstance(value, str) else None


def _clean(text: str) -> bytes:
    """Without the indentation of the source, as `inspect.cleandoc` does it."""
    lines = text.expandtabs().splitlines()
    if not lines:
        return b""
    margins = [len(line) - len(line.lstrip()) for line in lines[1:] if line.strip()]
    margin = min(margins, default=0)
    lines = [lines[0].lstrip(), *(line[margin:].rstrip() for line in lines[1:])]
    return "\n".join(lines).strip("\n").rstrip().encode("utf-8", "surrogatepass")
