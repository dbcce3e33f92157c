"""Explain a finding, or the edges between two symbols: the evidence, line by line.

With the code of a finding and the hash that `keel compile` printed with it: the definition in base and now, and for
every affected place the chain of steps from the use to it. The hash may be an older one, or the name of the definition;
`--since REF` explains what `keel compile --since REF` and `keel review --base REF` found. It works for removed
definitions, too: those steps are read from base.

With two symbols, each by any handle that `where` takes: the caller, which refers, and the callee, which is referred to.
Every edge between them is shown with what resolved it (tier), how sure that is (confidence), and the chain of steps
from the reference to the definition: the call, where the receiver was assigned or annotated, the call that passed a
parameter its value, the import and each re-export, the base classes that were walked. Each step is a line of the
current source: the graph is brought up to date before answering.

    keel explain E005 3fEsyYSaNJx
    keel explain E004 load_config --since origin/main
    keel explain Client.get Client.request
    keel explain src/app.py:120 Session.close --json
    keel explain tool:project:greet python_runtime

When there is no such finding, the error says what was found instead. When there is no edge, the answer says so (exit
code 1), and lists what the caller has under the callee's name: unresolved references, with the reason and the
candidates, and edges to another symbol; and definitions inside the caller, such as the methods of a class, that do have
an edge to the callee.

Evidence is not stored: the reference is resolved again for this answer. Where many callers pass a parameter its value,
three of them are shown; where many places are affected, ten of them are explained.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from keel.checking.edge_explanations import OfEdges, explained_edges
from keel.checking.finding_explanations import OfFinding, explained_finding
from keel.errors import UsageError
from keel.model.record import Record, field

if TYPE_CHECKING:
    from typing import ClassVar

    from keel.ports.workspace import Workspace

GROUP = "ask"
QUICK = True
_code = re.compile(r"[A-Z]\d{3}")


class Params(Record):
    """Parameters of `explain`."""

    caller: str = field(
        "The code of a finding (E001), or the symbol that refers: a hash, id, path:line, path or name.", positional=True
    )
    callee: str = field(
        "With a code, the hash of the definition that was found; else the symbol that is referred to.", positional=True
    )
    since: str | None = field("With a code: compare with the commit where this branch left this one.", default=None)


class Result(Record):
    """The evidence for a finding, or for edges."""

    FORMS: ClassVar = "OfFinding | OfEdges"


def run(workspace: Workspace, params: Params) -> OfEdges | OfFinding:
    """Explains a finding when a code is named, else the edges between two symbols."""
    if _code.fullmatch(params.caller):
        return explained_finding(workspace, params.caller, params.callee, params.since)
    if params.since is not None:
        raise UsageError("--since is for findings", "name the code of one first, such as `keel explain E005 HASH`")
    return explained_edges(workspace, params.caller, params.callee)
