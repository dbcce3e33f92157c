"""Brings the marks `gap` of the documents up to date with what keel finds: `python -m tests.spec.callgraph.marks`.

A mark that is no longer needed goes, and with the last one of a case its reason; a call that is not found is marked.
Why it is not found is for people to say, in a line that begins with `gap:`; a test asks for it.
"""

from __future__ import annotations

import tempfile
from itertools import takewhile
from pathlib import Path

from tests.spec.callgraph.answer import keel_answer
from tests.spec.callgraph.cases import DOCUMENTS, Case, read_cases

FENCE = "```"
REASON = "gap: "


def main() -> None:
    """Rewrites every document."""
    cases = read_cases()
    for category in dict.fromkeys(case.category for case in cases):
        document = DOCUMENTS / f"{category}.md"
        lines = document.read_text(encoding="utf-8").splitlines()
        end = len(lines)
        for case in reversed([case for case in cases if case.category == category]):
            lines[case.line : end] = _marked(lines[case.line : end], missing_in(case))
            end = case.line - 1
        document.write_text("\n".join(lines) + "\n", encoding="utf-8")


def missing_in(case: Case) -> set[str]:
    """The calls of a case that keel does not find."""
    with tempfile.TemporaryDirectory() as folder:
        found = keel_answer(case, Path(folder)).keys()
    return {str(edge) for edge, marks in case.calls.items() if edge not in found and "may" not in marks}


def _marked(section: list[str], missing: set[str]) -> list[str]:
    """The lines of a case with the right marks."""
    marked: list[str] = []
    is_calls = False
    for line in section:
        if line.startswith(FENCE):
            is_calls = line.startswith(f"{FENCE}calls")
        elif is_calls and "->" in line:
            caller, arrow, callee, *marks = line.split()
            kept = [mark for mark in marks if mark != "gap"]
            line = " ".join([caller, arrow, callee, *kept, *["gap"] * (f"{caller} {arrow} {callee}" in missing)])
        marked.append(line)
    return marked if missing else _without_reason(marked)


def _without_reason(section: list[str]) -> list[str]:
    start = next((at for at, line in enumerate(section) if line.startswith(REASON)), None)
    if start is None:
        return section
    length = len(list(takewhile(str.strip, section[start:])))
    return section[: start - 1] + section[start + length :]


if __name__ == "__main__":
    main()
