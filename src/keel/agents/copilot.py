"""GitHub Copilot, in its CLI, its cloud agent and VS Code: a postToolUse hook in `.github/hooks`, and the MCP server.

Follows docs.github.com, "GitHub Copilot hooks reference" (Copilot CLI 1.0.102), and code.visualstudio.com, "Agent
hooks in Visual Studio Code" (preview, VS Code 1.110). All three load `.github/hooks/*.json`. The CLI and the cloud
agent send `sessionId`, `cwd`, `toolName` and `toolArgs`, an object or the JSON of one; VS Code sends `sessionId` or
`session_id`, `cwd`, `tool_name` and `tool_input`, and runs hooks after every tool, whatever their matcher. Exit code 2
is no more than a warning in the CLI, so findings are given in the JSON object on standard output, as each surface
reads it: `additionalContext` in the CLI; `decision`, `reason` and `hookSpecificOutput.additionalContext` in VS Code.
Failures are logged, and the edit passes.

Servers of a project are listed in `.vscode/mcp.json` below `servers` for VS Code, and in `.github/mcp.json` below
`mcpServers` for the CLI ("MCP server loading priority" in its command reference).
"""

from __future__ import annotations

from keel.agents._answers import to_watchers, written
from keel.agents._payloads import mapping, patched, paths, session, text
from keel.model.record import Record
from keel.ports.agent import ADVISED, BLOCKED, Answer, Edit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keel.ports.agent import AgentFolders, Part, Verdict

EVENT, VSCODE_EVENT = "postToolUse", "PostToolUse"
CLI_TOOLS = ("create", "edit", "str_replace_editor", "apply_patch")
VSCODE_TOOLS = (
    *("create_file", "createFile", "editFiles", "insert_edit_into_file"),
    *("replace_string_in_file", "multi_replace_string_in_file", "edit_notebook_file"),
)
FIELDS = ("path", "filePath", "file_path", "files")
PATCH = "*** Begin Patch"


class CopilotHook(Record):
    """Payloads of postToolUse from either surface, answered by one JSON object that both read."""

    takes_payload: bool = True

    def edit(self, payload: object) -> Edit | None:
        """What one of the editing tools has written."""
        said = mapping(payload)
        if (said.get("toolName") or said.get("tool_name")) not in (*CLI_TOOLS, *VSCODE_TOOLS):
            return None
        files = _files(said["toolArgs"] if "toolArgs" in said else said.get("tool_input"))
        name = said.get("sessionId") or said.get("session_id")
        return Edit(files=files, session=session(agent.name, name), folder=text(said.get("cwd")))

    def answer(self, verdict: Verdict) -> Answer:
        """Whatever was found is context for the model; errors stop VS Code."""
        if verdict.outcome == BLOCKED:
            return Answer(out=written({"additionalContext": verdict.text, "decision": "block", "reason": verdict.text}))
        if verdict.outcome == ADVISED:
            context = {"hookEventName": VSCODE_EVENT, "additionalContext": verdict.text}
            return Answer(out=written({"additionalContext": verdict.text, "hookSpecificOutput": context}))
        return to_watchers(verdict)


def _files(given: object) -> tuple[str, ...]:
    """The files that the arguments of a tool name: in fields, in a list of replacements, or in a patch."""
    if isinstance(given, str):
        if PATCH in given:
            return patched(given)
        given = _decoded(given)
    several = mapping(given).get("replacements")
    found = [path for each in several for path in paths(each, *FIELDS)] if isinstance(several, list) else []
    patches = [path for field in ("input", "patch") for path in patched(text(mapping(given).get(field)))]
    return tuple(dict.fromkeys((*paths(given, *FIELDS), *found, *patches)))


def _decoded(text: str) -> object:
    from json import loads

    try:
        return loads(text)
    except (ValueError, RecursionError):
        return None


class Copilot(Record):
    """The Agent socket for GitHub Copilot."""

    name: str = "copilot"
    title: str = "GitHub Copilot"
    advice: str = ""
    hook: CopilotHook = CopilotHook()

    def signs(self, place: AgentFolders) -> tuple[str, ...]:
        """Its instructions, hooks or agents in the project, or its folder at home."""
        from keel.agents._signs import found

        inside = ("copilot-instructions.md", "copilot", "instructions", "hooks", "agents")
        return found(place, [f".github/{name}" for name in inside], (".copilot",))

    def parts(self, place: AgentFolders) -> tuple[Part, ...]:
        """The hook, and the server for each surface."""
        from keel.agents._commands import SECONDS, hook_command, runs_hook
        from keel.agents._json_part import JsonPart, server

        command = hook_command(self.name)
        value = {"type": "command", "matcher": "|".join(CLI_TOOLS), "command": command, "timeoutSec": SECONDS}
        at, is_keels = ("hooks", EVENT), runs_hook(self.name)
        around: dict[str, object] = {"version": 1}
        return (
            JsonPart(path=".github/hooks/keel.json", at=at, value=value, is_keels=is_keels, around=around),
            server(".github/mcp.json", "mcpServers", type="local", tools=["*"]),
            server(".vscode/mcp.json", "servers", type="stdio"),
        )


agent = Copilot()
