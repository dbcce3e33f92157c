"""Markdown from values: tables, docstrings as pages, links between pages.

What is said is left to the callers.
"""

from __future__ import annotations

import inspect
import posixpath
import re
from collections.abc import Iterable, Iterator, Sequence

INDENT = "    "


def table(titles: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table; bars in cells are escaped."""
    lines = [titles, ["---"] * len(titles), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)


def link(page: str, target: str, words: str) -> str:
    """A link from a page to another file, both by their paths from the top."""
    return f"[{words}]({posixpath.relpath(target, posixpath.dirname(page) or '.')})"


def summary(docstring: str | None) -> str:
    """The first line of a docstring."""
    return inspect.cleandoc(docstring or "").partition("\n")[0]


def body(docstring: str | None, language: str) -> str:
    """A docstring without its first line; what is indented becomes a fenced block of the language."""
    parts = _paragraphs(inspect.cleandoc(docstring or "").partition("\n")[2].strip("\n"))
    return "\n\n".join(_fenced(part, language) if _is_example(part) else part for part in parts)


def first_sentence(docstring: str | None) -> str:
    """What a docstring says first, on one line."""
    paragraph = " ".join(inspect.cleandoc(docstring or "").split("\n\n")[0].split())
    found = re.match(r"(.+?[.!?])(?=\s+[A-Z`]|$)", paragraph)
    return found[1] if found else paragraph


def _paragraphs(text: str) -> Iterator[str]:
    """Paragraphs; indented ones that follow each other are one."""
    kept = ""
    for part in re.split(r"\n\n+", text):
        if kept.startswith(INDENT) and part.startswith(INDENT):
            kept = f"{kept}\n\n{part}"
            continue
        if kept:
            yield kept
        kept = part
    if kept:
        yield kept


def _is_example(part: str) -> bool:
    """Whether a paragraph is indented, or was: an example that is all that follows the first line is unindented."""
    return part.startswith(INDENT) or all(line.startswith("keel ") for line in part.split("\n"))


def _fenced(text: str, language: str) -> str:
    lines = "\n".join(line.removeprefix(INDENT) for line in text.split("\n"))
    return f"```{language}\n{lines}\n```"
