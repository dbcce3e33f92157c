"""Gemini CLI: an AfterTool hook and the MCP server, both in `.gemini/settings.json`.

Follows the hooks reference and the sources that ship with Gemini CLI 0.61.0 (`docs/hooks/reference.md`,
`hooks/hookRunner.js`): the payload has `session_id`, `cwd`, `hook_event_name`, `tool_name` and `tool_input`; the tools
`write_file` and `replace` name the file in `file_path`. With exit code 2, standard error takes the place of the tool's
result for the model, so that it must say that the edit was made; with exit code 0, `additionalContext` is appended to
the result. What else is written is shown to the user: standard error as it is with 0, as a warning with 1. The time
limit of a hook is in milliseconds. Servers are listed below `mcpServers`.
"""

from __future__ import annotations

from keel.agents._answers import by_exit_code
from keel.agents._payloads import edited
from keel.model.record import Record
from keel.ports.agent import Edit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keel.ports.agent import AgentFolders, Answer, Part, Verdict

EVENT = "AfterTool"
TOOLS = ("write_file", "replace")
SETTINGS = ".gemini/settings.json"


class GeminiHook(Record):
    """Payloads of AfterTool, answered by exit code."""

    takes_payload: bool = True

    def edit(self, payload: object) -> Edit | None:
        """What one of the editing tools has written."""
        return edited(agent.name, payload, TOOLS)

    def answer(self, verdict: Verdict) -> Answer:
        """Errors stop by exit code 2."""
        return by_exit_code(verdict, EVENT)


class Gemini(Record):
    """The Agent socket for Gemini CLI."""

    name: str = "gemini"
    title: str = "Gemini CLI"
    advice: str = "Gemini CLI uses hooks and servers of a project once its folder is trusted"
    hook: GeminiHook = GeminiHook()

    def signs(self, place: AgentFolders) -> tuple[str, ...]:
        """Its folder or its memory in the project, or its folder at home."""
        from keel.agents._signs import found

        return found(place, (".gemini", "GEMINI.md"), (".gemini",))

    def parts(self, place: AgentFolders) -> tuple[Part, ...]:
        """The hook and the server."""
        from keel.agents._commands import SECONDS, hook_command, runs_hook
        from keel.agents._json_part import JsonPart, server

        run = {"name": "keel", "type": "command", "command": hook_command(self.name), "timeout": SECONDS * 1000}
        value = {"matcher": "|".join(TOOLS), "hooks": [run]}
        return (
            JsonPart(path=SETTINGS, at=("hooks", EVENT), value=value, is_keels=runs_hook(self.name)),
            server(SETTINGS, "mcpServers"),
        )


agent = Gemini()
