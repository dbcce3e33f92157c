"""Every other agent: a section of `AGENTS.md`, which most of them read, that says when to ask keel.

Follows agents.md: a Markdown file at the top of a project, without fields of its own. It cannot run anything, so there
is no hook; the section asks the agent to. Text outside of keel's marks is not touched.
"""

from __future__ import annotations

from keel.model.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keel.ports.agent import AgentFolders, Part

PATH = "AGENTS.md"
BEGIN, END = "<!-- keel: begin -->", "<!-- keel: end -->"
BODY = """\
## keel

`keel` knows who calls what in this code base, and says what an edit breaks.

- Before you change a signature, rename or remove something: `keel discover NAME --llm` shows who uses it.
- After each edit: `keel compile FILE --llm`. It says nothing when nothing is broken. Fix what it reports in the same
  change, callers included; each line says where and how.
- To find something: `keel where NAME`, `keel describe NAME`, `keel map --llm`.
"""


class AgentsMd(Record):
    """The Agent socket for agents that read `AGENTS.md`."""

    name: str = "agents-md"
    title: str = "AGENTS.md"
    advice: str = ""
    hook: None = None

    def signs(self, place: AgentFolders) -> tuple[str, ...]:
        """The file itself."""
        from keel.agents._signs import found

        return found(place, (PATH,))

    def parts(self, place: AgentFolders) -> tuple[Part, ...]:
        """The section."""
        from keel.agents._sections import Section

        return (Section(path=PATH, body=BODY, begin=BEGIN, end=END),)


agent = AgentsMd()
