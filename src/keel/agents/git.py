"""Git: a pre-commit hook that refuses a commit which breaks callers. It is set up when it is asked for by name.

Follows githooks(5): `pre-commit` is run without arguments in the top folder of the working tree, and an exit code other
than 0 refuses the commit. Where hooks are is asked of git, so that `core.hooksPath` is respected. An existing hook that
is a shell script gets keel's lines right behind its first one, where no `exec` or `exit` of its own can hide them; any
other is left alone. Only exit code 2 refuses: a keel that is missing, or fails, never holds up a commit.

Everything that differs from the last commit is checked, as the files are; what is downgraded in an agent's session
counts here.
"""

from __future__ import annotations

from keel.agents._answers import to_watchers
from keel.model.record import Record
from keel.ports.agent import ADVISED, BLOCKED, STOPPED, Answer, Edit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keel.ports.agent import AgentFolders, Part, Verdict

SESSION = "git"
"""A session in which nothing is counted."""


class GitHook(Record):
    """A commit, answered by exit code."""

    takes_payload: bool = False

    def edit(self, payload: object) -> Edit | None:
        """Everything that differs."""
        return Edit(session=SESSION)

    def answer(self, verdict: Verdict) -> Answer:
        """Errors refuse the commit; warnings are shown."""
        if verdict.outcome == BLOCKED:
            return Answer(code=STOPPED, err=f"{verdict.text}\n`git commit --no-verify` commits all the same")
        return Answer(err=verdict.text) if verdict.outcome == ADVISED else to_watchers(verdict)


class Git(Record):
    """The Agent socket for git."""

    name: str = "git"
    title: str = "git (a pre-commit hook)"
    advice: str = ""
    hook: GitHook = GitHook()

    def signs(self, place: AgentFolders) -> tuple[str, ...]:
        """None: hooks of git are for each clone to decide."""
        return ()

    def parts(self, place: AgentFolders) -> tuple[Part, ...]:
        """The hook, where git looks for it."""
        if not place.hooks:
            return ()
        from keel.agents._scripts import ScriptSection

        # Husky makes the files that git runs, and has them run those beside their folder.
        hooks = place.hooks.removesuffix("/_") if place.hooks.endswith("/.husky/_") else place.hooks
        body = "keel hook git || [ $? -ne 2 ] || exit 1\n"
        return (ScriptSection(path=f"{hooks}/pre-commit", body=body),)


agent = Git()
