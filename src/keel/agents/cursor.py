"""Cursor: a postToolUse hook in `.cursor/hooks.json`, and the MCP server in `.cursor/mcp.json`.

Follows cursor.com/docs/hooks as of September 2026 (Cursor 2.x; CLI build 2026.09.18). Every payload has
`hook_event_name`, `conversation_id`, `session_id`, `workspace_roots` and `cursor_version`; `postToolUse` adds
`tool_name` (`Write` and `Delete` change files), `tool_input` and `cwd`, `afterFileEdit` the `file_path`. The answer to
`afterFileEdit` is not looked at, so the hook is one of `postToolUse`, whose `additional_context` the model is shown
behind the result of the tool. More than 10,000 letters of it are dropped, all of them. Exit code 2 tells the model
nothing there, and any failure lets the edit pass. A file of hooks must say `"version": 1`; Cursor takes what follows
`//` for a comment even within a text, and there is none in what keel writes.
"""

from __future__ import annotations

from keel.agents._answers import to_watchers, written
from keel.agents._payloads import mapping, paths, session, text
from keel.model.record import Record
from keel.ports.agent import ADVISED, BLOCKED, Answer, Edit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keel.ports.agent import AgentFolders, Part, Verdict

EVENT, AFTER_EDIT = "postToolUse", "afterFileEdit"
TOOLS = ("Write", "Delete")
MAX_LETTERS = 9_900


class CursorHook(Record):
    """Payloads of postToolUse, answered by a JSON object."""

    takes_payload: bool = True

    def edit(self, payload: object) -> Edit | None:
        """What was written or deleted."""
        said = mapping(payload)
        if said.get("hook_event_name") == AFTER_EDIT:
            files = paths(said, "file_path")
        elif said.get("tool_name") in TOOLS:
            files = paths(said.get("tool_input"), "file_path", "path")
        else:
            return None
        roots = paths(said, "workspace_roots")
        folder = text(said.get("cwd")) or (roots[0] if roots else "")
        name = said.get("conversation_id") or said.get("session_id")
        return Edit(files=files, session=session(agent.name, name), folder=folder)

    def answer(self, verdict: Verdict) -> Answer:
        """Whatever was found is context for the model."""
        if verdict.outcome not in (BLOCKED, ADVISED):
            return to_watchers(verdict)
        return Answer(out=written({"additional_context": verdict.text[:MAX_LETTERS]}))


class Cursor(Record):
    """The Agent socket for Cursor."""

    name: str = "cursor"
    title: str = "Cursor"
    advice: str = "Cursor runs hooks of a project once its workspace is trusted"
    hook: CursorHook = CursorHook()

    def signs(self, place: AgentFolders) -> tuple[str, ...]:
        """Its folder or rules in the project, or its folder at home."""
        from keel.agents._signs import found

        return found(place, (".cursor", ".cursorrules"), (".cursor",))

    def parts(self, place: AgentFolders) -> tuple[Part, ...]:
        """The hook and the server."""
        from keel.agents._commands import SECONDS, hook_command, runs_hook
        from keel.agents._json_part import JsonPart, server

        value = {"command": hook_command(self.name), "matcher": "|".join(TOOLS), "timeout": SECONDS}
        at, is_keels = ("hooks", EVENT), runs_hook(self.name)
        around: dict[str, object] = {"version": 1}
        return (
            JsonPart(path=".cursor/hooks.json", at=at, value=value, is_keels=is_keels, around=around),
            server(".cursor/mcp.json", "mcpServers"),
        )


agent = Cursor()
