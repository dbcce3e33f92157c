"""keel's section in a shell script that is not its own: right behind the line that names the shell.

Marks are left to `_sections.py`, the content of the lines to the agent.
"""

from __future__ import annotations

from keel.agents._sections import Section
from keel.ports.agent import Unfit

SHELLS = ("sh", "bash", "dash", "zsh", "ksh")
FIRST = "#!/bin/sh\n"
FRAMEWORK = "pre-commit.com"
"""A line of the hooks that the pre-commit framework generates, and overwrites."""


class ScriptSection(Section):
    """Lines of keel's in a script."""

    executable: bool = True

    def merged(self, text: str | None) -> str:
        """The script with the section."""
        if text is None or not text.strip():
            return FIRST + Section.merged(self, None)
        if FRAMEWORK in text:
            raise Unfit("the pre-commit framework owns it; add keel to .pre-commit-config.yaml instead")
        first, newline, rest = text.partition("\n")
        words = first.removeprefix("#!").replace("/", " ").split() if first.startswith("#!") else []
        if not any(word in SHELLS for word in words):
            raise Unfit("it is no shell script; add `keel hook git || [ $? -ne 2 ] || exit 1` to it yourself")
        if self._found(text) is not None:
            return Section.merged(self, text)
        return f"{first}\n{Section.merged(self, None)}{rest if newline else ''}"

    def is_bare(self, text: str) -> bool:
        """Whether only the first line is left."""
        return text.strip() in ("", FIRST.strip())
