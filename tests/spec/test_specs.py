"""Every section of every spec document holds; one that expects nothing is itself at fault.

What the blocks of a section mean is said by `facts`, `links`, `evidence`, `binding`, `comparison`, `findings`,
`consoles` and `resolving`, how documents are written by `markdown`. Call graphs have tests of their own, in
`callgraph`.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.spec.binding import check_binding
from tests.spec.comparison import check_changes, check_renames
from tests.spec.consoles import check_console
from tests.spec.evidence import check_evidence
from tests.spec.facts import bytes_of, check_facts, check_hashes
from tests.spec.findings import check_findings
from tests.spec.links import ROOT, check_links
from tests.spec.markdown import Block, Section, read_sections
from tests.spec.resolving import check_resolve

HERE = Path(__file__).parent
DOCUMENTS = sorted(path for path in HERE.rglob("*.md") if path.parent.name != "callgraph")
EXPECTATIONS = (
    "facts",
    "hashes",
    "edges",
    "evidence",
    "console",
    "binding",
    "changes",
    "renames",
    "findings",
    "resolve",
)
SECTIONS = [
    pytest.param(section, id=f"{document.relative_to(HERE).with_suffix('')}: {section.title}")
    for document in DOCUMENTS
    for section in read_sections(document)
    if section.blocks or not section.has_parts
]


@pytest.mark.parametrize("section", SECTIONS)
def test_the_section_holds(section: Section, tmp_path: Path) -> None:
    assert expects_something(section), "a section that expects nothing cannot fail"
    if wrong := problems(section, tmp_path):
        pytest.fail("\n".join(wrong), pytrace=False)


def expects_something(section: Section) -> bool:
    """Whether some block of the section can fail."""
    return any(block.word in EXPECTATIONS and list(block.lines()) for block in section.blocks)


def problems(section: Section, folder: Path) -> list[str]:
    """What does not hold; expectations are about the files above them."""
    files: dict[tuple[str, str], bytes] = {}
    graph: Block | None = None
    wrong: list[str] = []
    for block in section.blocks:
        named = {path: data for (_, path), data in files.items()}
        if block.word == "facts":
            wrong += check_facts(named, block)
        elif block.word == "hashes":
            wrong += check_hashes(named, block)
        elif block.word == "edges":
            wrong += check_links(folder, files, block)
        elif block.word == "evidence":
            wrong += check_evidence(folder, files, block)
        elif block.word == "binding":
            wrong += check_binding(named, block)
        elif block.word == "changes":
            wrong += check_changes(named, block)
        elif block.word == "renames":
            wrong += check_renames(named, block)
        elif block.word == "findings":
            wrong += check_findings(folder, files, block)
        elif block.word == "console":
            wrong += check_console(folder, files, block)
        elif block.word == "graph":
            graph = block
        elif block.word == "resolve":
            wrong += check_resolve(folder, graph, block)
        else:
            files[block.options.get("root", ROOT), block.options.get("path", "a.py")] = bytes_of(block)
    return wrong
