"""Pages point at what is there: files, headings, modules, targets of make.

Addresses outside the repository are not visited.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.repository import PACKAGE, TOP
from tools.docs.repository import markdown_pages, text_of

PAGES = markdown_pages()

_fence = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
_link = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
_span = re.compile(r"`([^`\n]+)`")
_path = re.compile(r"(?:[\w.-]+/)+[\w.-]*")
_heading = re.compile(r"^#+ (.+)$", re.MULTILINE)
_target = re.compile(r"^([a-z-]+):", re.MULTILINE)

OURS = (
    "src",
    "tests",
    "docs",
    "demo",
    "tools",
    "benchmarks",
    ".ci",
    *(path.name for path in PACKAGE.iterdir() if path.name[0] != "."),
)
"""Where a path in the text must begin for it to be one of ours."""


@pytest.mark.parametrize("page", PAGES)
def test_no_link_is_broken(page: str) -> None:
    assert [target for target in _link.findall(prose(page)) if not leads_somewhere(page, target)] == []


@pytest.mark.parametrize("page", PAGES)
def test_paths_in_the_text_are_there(page: str) -> None:
    named = [span for span in _span.findall(prose(page)) if _path.fullmatch(span) and span.split("/")[0] in OURS]
    assert [path for path in named if not (TOP / path).exists() and not (PACKAGE / path).exists()] == []


@pytest.mark.parametrize("page", PAGES)
def test_targets_of_make_are_there(page: str) -> None:
    targets = set(_target.findall(text_of("Makefile")))
    named = re.findall(r"(?:`|^\$? ?)make ([a-z-]+)", text_of(page), re.MULTILINE)
    assert [target for target in named if target not in targets] == []


def test_every_page_can_be_reached_from_the_readme() -> None:
    reached, open_pages = set(), ["README.md"]
    while open_pages:
        page = open_pages.pop()
        if page in reached or not page.endswith(".md") or page not in PAGES:
            continue
        reached.add(page)
        open_pages += [resolved(page, target) for target in _link.findall(prose(page)) if "://" not in target]
    assert set(PAGES) - reached == set()


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ("docs/concepts.md", True),
        ("docs/concepts.md#ids-and-hashes", True),
        ("docs/concepts.md#nowhere", False),
        ("docs/nowhere.md", False),
        ("https://example.com/anything", True),
    ],
)
def test_a_broken_link_is_seen(target: str, expected: bool) -> None:
    assert leads_somewhere("README.md", target) is expected


def prose(page: str) -> str:
    """A page without its fenced blocks."""
    return _fence.sub("", text_of(page))


def leads_somewhere(page: str, target: str) -> bool:
    """Whether a link's file is there, and the heading it names."""
    if "://" in target:
        return True
    _, _, anchor = target.partition("#")
    path = TOP / resolved(page, target)
    return path.exists() and (not anchor or anchor in anchors(path))


def resolved(page: str, target: str) -> str:
    """The file that a link of a page means, by its path from the top."""
    name = target.partition("#")[0]
    path = (TOP / page).parent / name if name else TOP / page
    return path.resolve().relative_to(TOP).as_posix()


def anchors(path: Path) -> set[str]:
    """The names that a page's headings can be reached by, as GitHub makes them."""
    headings = _heading.findall(_fence.sub("", path.read_text(encoding="utf-8")))
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}
