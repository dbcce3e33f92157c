"""Claude Code: a PostToolUse hook in `.claude/settings.json`, and the MCP server in `.mcp.json`.

Follows the hooks reference (docs.claude.com, Claude Code, "Hooks reference") and the types that ship with it
(`@anthropic-ai/claude-agent-sdk` 0.3.325, for Claude Code 2.1.325): `PostToolUseHookInput` has `session_id`, `cwd`,
`tool_name` and `tool_input`; `Edit` and `Write` name the file in `file_path`. Exit code 2 hands standard error to the
model; any other failure is shown to the user and does not block. With exit code 0,
`hookSpecificOutput.additionalContext` is added to what the model sees. Project servers are listed below `mcpServers` of
`.mcp.json`.

Cursor, Copilot and VS Code run these hooks too, with payloads of their own. They have hooks of their own here, so what
is not Claude Code's is left alone: VS Code and Copilot name files otherwise, and Cursor says its version.
"""

from __future__ import annotations

from keel.agents._answers import by_exit_code
from keel.agents._payloads import edited, mapping
from keel.model.record import Record
from keel.ports.agent import Edit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keel.ports.agent import AgentFolders, Answer, Part, Verdict

EVENT = "PostToolUse"
TOOLS = ("Edit", "MultiEdit", "Write")
"""Tools that write source files; `MultiEdit` is one of earlier versions. Notebooks are not read by keel."""


class ClaudeCodeHook(Record):
    """Payloads of PostToolUse, answered by exit code."""

    takes_payload: bool = True

    def edit(self, payload: object) -> Edit | None:
        """What one of the editing tools has written."""
        return None if "cursor_version" in mapping(payload) else edited(agent.name, payload, TOOLS)

    def answer(self, verdict: Verdict) -> Answer:
        """Errors stop by exit code 2."""
        return by_exit_code(verdict, EVENT)


class ClaudeCode(Record):
    """The Agent socket for Claude Code."""

    name: str = "claude-code"
    title: str = "Claude Code"
    advice: str = "Claude Code asks once whether the MCP server of this project may be used"
    hook: ClaudeCodeHook = ClaudeCodeHook()

    def signs(self, place: AgentFolders) -> tuple[str, ...]:
        """Its folder or its memory in the project, or its folder at home."""
        from keel.agents._signs import found

        return found(place, (".claude", "CLAUDE.md", ".mcp.json"), (".claude", ".claude.json"))

    def parts(self, place: AgentFolders) -> tuple[Part, ...]:
        """The hook and the server."""
        from keel.agents._commands import SECONDS, hook_command, runs_hook
        from keel.agents._json_part import JsonPart, server

        run = {"type": "command", "command": hook_command(self.name), "timeout": SECONDS}
        value = {"matcher": "|".join(TOOLS), "hooks": [run]}
        at, is_keels = ("hooks", EVENT), runs_hook(self.name)
        return (
            JsonPart(path=".claude/settings.json", at=at, value=value, is_keels=is_keels),
            server(".mcp.json", "mcpServers"),
        )


agent = ClaudeCode()
