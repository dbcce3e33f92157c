"""Codex: a PostToolUse hook in `.codex/hooks.json`, and the MCP server in `.codex/config.toml`.

Follows developers.openai.com/codex/hooks and the sources of Codex 0.166 (`codex-rs/hooks`, schema
`post-tool-use.command.input`): the payload has `session_id`, `cwd`, `tool_name` and `tool_input`; files are edited by
`apply_patch`, whose patch is `tool_input.command`. Exit code 2 hands standard error to the model as feedback; with exit
code 0 a JSON object may hold `hookSpecificOutput.additionalContext` for the model and `systemMessage` for the user. The
standard error of other endings is not shown, so that what is meant for people goes into `systemMessage`.

Codex reads the `.codex` folder of trusted projects only, and runs a hook once it was reviewed (`/hooks`).
"""

from __future__ import annotations

from keel.agents._answers import by_exit_code, written
from keel.agents._payloads import mapping, patched, session, text
from keel.model.record import Record
from keel.ports.agent import FAILED, TOLD, Answer, Edit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keel.ports.agent import AgentFolders, Part, Verdict

EVENT, TOOL = "PostToolUse", "apply_patch"
FIELDS = ("command", "input", "patch")
"""The fields of the patch; the last two in earlier versions."""


class CodexHook(Record):
    """Payloads of PostToolUse, answered by exit code."""

    takes_payload: bool = True

    def edit(self, payload: object) -> Edit | None:
        """The files of a patch."""
        said = mapping(payload)
        if said.get("tool_name") != TOOL:
            return None
        given = mapping(said.get("tool_input"))
        files = next((found for found in (patched(text(given.get(field))) for field in FIELDS) if found), ())
        return Edit(files=files, session=session(agent.name, said.get("session_id")), folder=text(said.get("cwd")))

    def answer(self, verdict: Verdict) -> Answer:
        """Errors stop by exit code 2; messages for people are in the answer as well."""
        if verdict.outcome in (TOLD, FAILED):
            return Answer(out=written({"systemMessage": verdict.text}), err=verdict.text)
        return by_exit_code(verdict, EVENT)


class Codex(Record):
    """The Agent socket for Codex."""

    name: str = "codex"
    title: str = "Codex"
    advice: str = "Codex runs the hook once the project is trusted and the hook was reviewed: `/hooks` in Codex"
    hook: CodexHook = CodexHook()

    def signs(self, place: AgentFolders) -> tuple[str, ...]:
        """Its folder in the project or at home."""
        from keel.agents._signs import found

        return found(place, (".codex",), (".codex",))

    def parts(self, place: AgentFolders) -> tuple[Part, ...]:
        """The hook and the server."""
        from keel.agents._commands import SECONDS, hook_command, runs_hook
        from keel.agents._json_part import JsonPart
        from keel.agents._sections import TomlSection

        run = {"type": "command", "command": hook_command(self.name), "timeout": SECONDS}
        value = {"matcher": f"^{TOOL}$", "hooks": [run]}
        body = '[mcp_servers.keel]\ncommand = "keel"\nargs = ["mcp"]\n'
        table = ("mcp_servers", "keel")
        return (
            JsonPart(path=".codex/hooks.json", at=("hooks", EVENT), value=value, is_keels=runs_hook(self.name)),
            TomlSection(path=".codex/config.toml", body=body, table=table),
        )


agent = Codex()
