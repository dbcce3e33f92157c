"""Cases of the call-graph documents: small projects, each with the complete set of calls between its definitions.

How a case is written is said in the README beside the documents. Whether it is true is left to `observe`, whether keel
finds it to `answer`.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import NamedTuple

from tests.spec.markdown import Block, Section, SpecError, read_sections

DOCUMENTS = Path(__file__).parents[1] / "python" / "callgraph"
MARKS = frozenset({"implicit", "static", "may", "gap"})
README = "README.md"


class Edge(NamedTuple):
    """A call: the definition whose code makes it, and the one that runs; dotted, module first."""

    caller: str
    callee: str

    def __str__(self) -> str:
        return f"{self.caller} -> {self.callee}"


class Case(NamedTuple):
    """A small project and its calls."""

    category: str
    title: str
    line: int
    files: dict[str, str]
    """Text by path."""
    calls: dict[Edge, frozenset[str]]
    """Every call there is, with its marks."""
    never: tuple[Edge, ...]
    """Calls that a careless tool would invent."""
    entry: str
    """The module that is imported to run the case; empty for one that cannot run."""
    prose: str

    def marked(self, mark: str) -> set[Edge]:
        """The calls that bear a mark."""
        return {edge for edge, marks in self.calls.items() if mark in marks}

    @property
    def name(self) -> str:
        """Category and title."""
        return f"{self.category}: {self.title}"


@cache
def read_cases() -> tuple[Case, ...]:
    """Every case of every document, by document and then in order."""
    documents = sorted(path for path in DOCUMENTS.glob("*.md") if path.name != README)
    return tuple(
        _case(document, section)
        for document in documents
        for section in read_sections(document)
        if section.blocks or not section.has_parts
    )


def module_name(path: str) -> str:
    """The dotted name under which a file is imported; `src` is no package."""
    parts = path.removeprefix("src/").removesuffix(".py").split("/")
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _case(document: Path, section: Section) -> Case:
    place = f"{document.name}:{section.line}"
    calls = [block for block in section.blocks if block.word == "calls"]
    if len(calls) != 1:
        raise SpecError(f"{place}: a case has one block of calls, not {len(calls)}")
    [block] = calls
    return Case(
        document.stem,
        section.title,
        section.line,
        {each.options["path"]: each.text for each in section.blocks if each.word == "python"},
        _calls(document, block),
        tuple(
            _edge(document, number, text)
            for each in section.blocks
            if each.word == "never"
            for number, text in each.lines()
        ),
        "" if "norun" in block.options else block.options.get("entry", "main"),
        section.prose,
    )


def _calls(document: Path, block: Block) -> dict[Edge, frozenset[str]]:
    calls: dict[Edge, frozenset[str]] = {}
    for number, text in block.lines():
        edge = _edge(document, number, text)
        marks = frozenset(text.split()[3:])
        if edge in calls or not marks <= MARKS:
            raise SpecError(f"{document.name}:{number}: a call that is there twice, or a word that is no mark: {text}")
        calls[edge] = marks
    return calls


def _edge(document: Path, number: int, text: str) -> Edge:
    match text.split():
        case [caller, "->", callee, *_]:
            return Edge(caller, callee)
        case _:
            raise SpecError(f"{document.name}:{number}: not `caller -> callee`: {text}")
