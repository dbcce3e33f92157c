"""The words of the graph with their meanings, from `keel.model.kinds`, and which of them anything makes today.

A word counts as in use when code that makes parts of the graph names it; those who only ask name words of any graph.
"""

from __future__ import annotations

import ast
import re
from functools import cache
from typing import NamedTuple

from tools.docs.markdown import first_sentence, table
from tools.docs.repository import PACKAGE

SOURCE = PACKAGE / "model" / "kinds.py"
MAKERS = ("bootstrap.py", "languages", "indexing", "graph/structure.py", "model/signatures.py")
TITLES = {
    "NodeKind": "Kinds of nodes",
    "RefKind": "Kinds of references",
    "EdgeKind": "Kinds of edges",
    "Tier": "Tiers",
    "Reason": "Reasons",
    "StepKind": "Steps of evidence",
    "ParamKind": "Kinds of parameters",
    "Visibility": "Visibility",
}


class Entry(NamedTuple):
    """A word of a set, what it means, and whether anything makes it."""

    kind: str
    word: str
    meaning: str
    used: bool


def tables() -> str:
    """Each set: the words in use with their meanings, then those that are only reserved."""
    parts = []
    for kind, said in _sets().items():
        entries = [entry for entry in words() if entry.kind == kind]
        used = [(f"`{entry.word}`", entry.meaning) for entry in entries if entry.used]
        reserved = [f"`{entry.word}`" for entry in entries if not entry.used]
        parts.append(f"## {TITLES.get(kind, kind)}\n\n{said}")
        parts += [table(("word", "meaning"), used)] if used else []
        parts += [f"Reserved, and made by nothing yet: {' '.join(reserved)}."] if reserved else []
    return "\n\n".join(parts)


@cache
def words() -> tuple[Entry, ...]:
    """Every word, in the order of the source."""
    found = []
    used = _used()
    for kind in _classes():
        for statement, below in zip(kind.body, [*kind.body[1:], None], strict=True):
            if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name):
                name = statement.targets[0].id
                found.append(Entry(kind.name, name.lower(), _text(below), f"{kind.name}.{name}" in used))
    return tuple(found)


def _sets() -> dict[str, str]:
    return {kind.name: first_sentence(ast.get_docstring(kind)) for kind in _classes()}


def _classes() -> list[ast.ClassDef]:
    module = ast.parse(SOURCE.read_bytes())
    return [one for one in module.body if isinstance(one, ast.ClassDef) and one.name != "Word"]


def _text(statement: ast.stmt | None) -> str:
    """What a bare text below a member says; empty when there is none."""
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
        return str(statement.value.value)
    return ""


def _used() -> set[str]:
    makers = [path for path in PACKAGE.rglob("*.py") if path.relative_to(PACKAGE).as_posix().startswith(MAKERS)]
    return {
        name for path in makers for name in re.findall(r"\b[A-Z]\w+\.[A-Z_0-9]+\b", path.read_text(encoding="utf-8"))
    }
