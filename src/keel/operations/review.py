"""Review a branch: what its changes break, compared with where it left another one.

The files as they are now, committed or not, are compared with the merge base of HEAD and `--base REF`: the commit where
this branch left the other, so that later changes of the other do not count. In CI, where everything is committed, these
are exactly the changes of the pull request; before a push, it reports what CI will report. It answers like
`keel compile --since REF`, for the whole branch, and needs nothing but the clone: without a graph it builds one, and
nothing is counted or remembered about the findings.

    keel review --base origin/main
    keel review --base origin/main --format github
    keel review --base origin/main --format sarif --output keel.sarif

A shallow clone lacks the merge base; the error says what to fetch (on GitHub, `fetch-depth: 0` for the checkout).

Exit code: 0 without errors (with `--strict`, also without warnings), 1 with errors, 2 when it could not be checked.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from keel.checking.findings import FORMATS as FORMATS
from keel.checking.findings import ReadableReport
from keel.enforcement.session.session import CI
from keel.model.record import Record, field, items
from keel.operations import compile as compiling

if TYPE_CHECKING:
    from keel.ports.workspace import Workspace

GROUP = "check"


class Params(Record):
    """Parameters of `review`."""

    base: str = field("The branch or commit that this one is to be merged into, such as origin/main.")
    strict: bool = field("Warnings fail too: with any, the exit code is 1.", default=False)
    verbose: bool = field("List everything, and say what was compared.", default=False)


class Result(ReadableReport):
    """The findings about the branch."""

    command: str = field("The command that answered.", default="review")


def run(workspace: Workspace, params: Params) -> Result:
    """Compares the files with the merge base and judges the difference."""
    asked = compiling.Params(since=params.base, session=CI, strict=params.strict, verbose=params.verbose)
    found = dict(items(compiling.run(workspace, asked)))
    return Result(**{**found, "command": "review"})  # type: ignore[arg-type]  # the fields of one are those of the other
