"""Parses payloads, the JSON values that hooks receive, without trusting the type of any field.

The names of the fields, and which tools edit files, are left to each agent.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from keel.ports.agent import Edit

MAX_FILES = 200
"""More files of one edit are not looked at one by one."""
MAX_SESSION_LENGTH = 500
"""Characters of a session's name; no agent uses as many."""
PATCH_LINES = ("*** Add File: ", "*** Update File: ", "*** Delete File: ", "*** Move to: ")
"""The lines that begin the part of each file in a patch for `apply_patch`."""


def mapping(value: object) -> Mapping[str, object]:
    """An object, or an empty one where there is none."""
    return value if isinstance(value, dict) else {}


def text(value: object) -> str:
    """A text, or an empty one where there is none."""
    return value if isinstance(value, str) else ""


def session(agent: str, name: object) -> str:
    """A session of an agent; its name cannot be one that means something to keel, such as `git`."""
    said = name[:MAX_SESSION_LENGTH] if isinstance(name, str) else ""
    return f"{agent}:{said}" if said else ""


def paths(value: object, *names: str) -> tuple[str, ...]:
    """The paths in the members of these names, each a path or a list of them."""
    found: list[str] = []
    for name in names:
        member = mapping(value).get(name)
        for each in member if isinstance(member, list) else [member]:
            found += [each] if isinstance(each, str) and each else []
    return tuple(dict.fromkeys(found))[:MAX_FILES]


def edited(agent: str, payload: object, tools: Collection[str]) -> Edit | None:
    """What one of some tools has written, where the payload says it as `tool_input.file_path`; None for other tools."""
    from keel.ports.agent import Edit

    said = mapping(payload)
    if said.get("tool_name") not in tools:
        return None
    files = paths(said.get("tool_input"), "file_path")
    return Edit(files=files, session=session(agent, said.get("session_id")), folder=text(said.get("cwd")))


def patched(patch: str) -> tuple[str, ...]:
    """The files that a patch for `apply_patch` adds, changes, deletes or moves to."""
    return tuple(dict.fromkeys(_patched(patch)))[:MAX_FILES]


def _patched(patch: str) -> Iterator[str]:
    for line in patch.splitlines():
        for beginning in PATCH_LINES:
            if line.startswith(beginning):
                yield line[len(beginning) :].strip()
