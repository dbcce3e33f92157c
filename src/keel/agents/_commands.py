"""The command that agents run after an edit: how it is written into their files and recognised there.

It is the bare name, found on the PATH: these files are committed, and keel is installed elsewhere on other machines.
Editing the files is left to `_json_part.py`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

SECONDS = 30
"""How long an agent waits for the hook, which gives up by itself before that."""
FIELDS = ("command", "bash", "powershell")
"""The keys under which agents store the command of a hook."""


def hook_command(agent: str) -> str:
    """What an agent runs."""
    return f"keel hook {agent}"


def runs_hook(agent: str) -> Callable[[object], bool]:
    """Whether an entry of an agent's hooks runs keel for it, by whatever path and with whatever options."""
    pattern = re.compile(rf"""(^|[\s/\\"'])keel(\.exe)?["']?\s+hook\s+{re.escape(agent)}(?![\w-])""")

    def is_keels(value: object) -> bool:
        commands = [value.get(field) for field in FIELDS] if isinstance(value, dict) else []
        return any(isinstance(command, str) and pattern.search(command) for command in commands)

    return is_keels
