"""The repository as the documentation sees it: where things are, and the pages that people write.

What is in a page is left to the modules beside this one.
"""

from __future__ import annotations

from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
PACKAGE = TOP / "src" / "keel"
AT_THE_TOP = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "AGENTS.md")


def markdown_pages() -> list[str]:
    """Every page of the documentation, written or generated, by its path from the top."""
    below = sorted(path.relative_to(TOP).as_posix() for path in (TOP / "docs").rglob("*.md"))
    return [*AT_THE_TOP, *below]


def text_of(name: str) -> str:
    """A file's text."""
    return (TOP / name).read_text(encoding="utf-8")
