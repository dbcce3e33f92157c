"""GitHub Actions: a workflow that reviews pull requests. It is set up when it is asked for by name.

Follows the workflow syntax of docs.github.com and the documentation of `github/codeql-action/upload-sarif` (v4):
annotations come from what `--format github` writes to the log, code scanning from an uploaded SARIF file, for which the
job needs `security-events: write`. The merge base must be in the clone, so the whole history is fetched. `review` uses
the session `ci`, in which nothing is counted.
"""

from __future__ import annotations

from keel.model.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keel.ports.agent import AgentFolders, Part

PATH = ".github/workflows/keel.yml"
TEXT = """\
# keel reviews pull requests. `keel init --agents github-actions` wrote this; `keel deinit` takes it away as it is.
name: keel
on: pull_request

permissions:
  contents: read
  security-events: write # for the upload to code scanning

jobs:
  review:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
        with:
          fetch-depth: 0 # the commit where the branch left the other one must be there
      - uses: actions/setup-python@v5
        with:
          python-version: "3.12"
      - run: pip install keel-graph # or from wherever your team has it
      - name: Annotate what breaks
        run: keel review --base "origin/$GITHUB_BASE_REF" --format github
      - name: Write the same for code scanning
        if: always()
        run: keel review --base "origin/$GITHUB_BASE_REF" --format sarif --output keel.sarif || [ $? -eq 1 ]
      - uses: github/codeql-action/upload-sarif@v4
        if: always()
        with:
          sarif_file: keel.sarif
          category: keel
"""


class GithubActions(Record):
    """The Agent socket for GitHub Actions."""

    name: str = "github-actions"
    title: str = "GitHub Actions (a workflow)"
    advice: str = ""
    hook: None = None

    def signs(self, place: AgentFolders) -> tuple[str, ...]:
        """None: what runs in CI is for a team to decide."""
        return ()

    def parts(self, place: AgentFolders) -> tuple[Part, ...]:
        """The workflow."""
        from keel.agents._sections import WholeFile

        return (WholeFile(path=PATH, text=TEXT),)


agent = GithubActions()
