"""The formats of each agent: payloads as its documents show them, and files as they tell to write them.

Which documents those are is said by the agents' own docstrings. What all agents promise is in
`tests/contract/test_agent.py`.
"""

from __future__ import annotations

import json

import pytest
import yaml

from keel import registry
from keel.agents._json_part import JsonPart
from keel.operations import compile as compiling
from keel.ports.agent import ADVISED, BLOCKED, FAILED, TOLD, AgentFolders, Answer, Edit, Unfit, Verdict
from keel.surfaces.cli.arguments import parse
from tests.repository import TOP

PLACE = AgentFolders(folder="/project", hooks="/project/.git/hooks")
PATCH = (
    "*** Begin Patch\n*** Update File: src/app.py\n@@\n-a\n+b\n*** Add File: src/new.py\n+x\n"
    "*** Delete File: src/old.py\n*** Update File: src/from.py\n*** Move to: src/to.py\n*** End Patch\n"
)
PATCHED = ("src/app.py", "src/new.py", "src/old.py", "src/from.py", "src/to.py")

CLAUDE = {
    "session_id": "abc123",
    "transcript_path": "/Users/you/.claude/projects/x/abc123.jsonl",
    "cwd": "/project",
    "permission_mode": "default",
    "hook_event_name": "PostToolUse",
    "tool_name": "Write",
    "tool_input": {"file_path": "/project/app.py", "content": "x = 1\n"},
    "tool_response": {"filePath": "/project/app.py", "success": True},
    "tool_use_id": "toolu_01ABC123",
}
CURSOR = {
    "conversation_id": "5b0d6c1e",
    "generation_id": "f2a9c0d4",
    "model": "composer-2.5",
    "tool_name": "Write",
    "tool_input": {"file_path": "/project/app.py", "content": "x = 1\n"},
    "tool_output": "{}",
    "duration": 12,
    "tool_use_id": "call_9Qx",
    "cwd": "/project",
    "session_id": "5b0d6c1e",
    "hook_event_name": "postToolUse",
    "cursor_version": "2026.09.18-9a7762b",
    "workspace_roots": ["/project"],
    "user_email": "you@example.com",
    "transcript_path": None,
}
CURSOR_AFTER_EDIT = {
    "hook_event_name": "afterFileEdit",
    "conversation_id": "conv-123",
    "generation_id": "gen-456",
    "workspace_roots": ["/project"],
    "file_path": "/project/src/main.py",
    "edits": [{"old_string": "a", "new_string": "b"}],
}
CODEX = {
    "session_id": "019a",
    "turn_id": "turn-1",
    "transcript_path": None,
    "cwd": "/project",
    "hook_event_name": "PostToolUse",
    "model": "gpt-5",
    "permission_mode": "default",
    "tool_name": "apply_patch",
    "tool_input": {"command": PATCH},
    "tool_response": "Success",
    "tool_use_id": "call-1",
}
GEMINI = {
    "session_id": "s1",
    "transcript_path": "/home/you/.gemini/tmp/x/chats/s1.json",
    "cwd": "/project",
    "hook_event_name": "AfterTool",
    "timestamp": "2026-11-01T12:00:00.000Z",
    "tool_name": "replace",
    "tool_input": {"file_path": "/project/app.py", "old_string": "a", "new_string": "b"},
    "tool_response": {"llmContent": "ok", "returnDisplay": "ok"},
}
COPILOT_CLI = {
    "sessionId": "s1",
    "timestamp": 1704614400000,
    "cwd": "/project",
    "toolName": "edit",
    "toolArgs": {"path": "/project/app.py", "old_str": "a", "new_str": "b"},
    "toolResult": {"resultType": "success", "textResultForLlm": "ok"},
}
VSCODE = {
    "timestamp": "2026-02-09T10:30:00.000Z",
    "cwd": "/project",
    "sessionId": "s2",
    "hookEventName": "PostToolUse",
    "transcript_path": "/path/to/transcript.json",
    "tool_name": "editFiles",
    "tool_input": {"files": ["src/main.py", "src/other.py"]},
    "tool_use_id": "tool-123",
    "tool_response": "File edited successfully",
}
REPLACEMENTS = {"replacements": [{"filePath": "/project/a.py"}, {"filePath": "/project/b.py"}, 3]}


@pytest.mark.parametrize(
    ("agent", "payload", "files", "session"),
    [
        ("claude-code", CLAUDE, ("/project/app.py",), "claude-code:abc123"),
        ("cursor", CURSOR, ("/project/app.py",), "cursor:5b0d6c1e"),
        ("cursor", CURSOR_AFTER_EDIT, ("/project/src/main.py",), "cursor:conv-123"),
        ("codex", CODEX, PATCHED, "codex:019a"),
        ("gemini", GEMINI, ("/project/app.py",), "gemini:s1"),
        ("copilot", COPILOT_CLI, ("/project/app.py",), "copilot:s1"),
        (
            "copilot",
            {**COPILOT_CLI, "toolArgs": json.dumps(COPILOT_CLI["toolArgs"])},
            ("/project/app.py",),
            "copilot:s1",
        ),
        ("copilot", {**COPILOT_CLI, "toolName": "apply_patch", "toolArgs": PATCH}, PATCHED, "copilot:s1"),
        ("copilot", VSCODE, ("src/main.py", "src/other.py"), "copilot:s2"),
        (
            "copilot",
            {**VSCODE, "tool_name": "multi_replace_string_in_file", "tool_input": REPLACEMENTS},
            ("/project/a.py", "/project/b.py"),
            "copilot:s2",
        ),
        ("copilot", {**VSCODE, "tool_name": "apply_patch", "tool_input": {"input": PATCH}}, PATCHED, "copilot:s2"),
    ],
)
def test_an_edit_is_read(agent: str, payload: dict[str, object], files: tuple[str, ...], session: str) -> None:
    assert hook_edit(agent, payload) == Edit(files=files, session=session, folder="/project")


@pytest.mark.parametrize(
    ("agent", "payload"),
    [
        ("claude-code", {**CLAUDE, "tool_name": "Bash", "tool_input": {"command": "ls"}}),
        ("claude-code", {**CLAUDE, "tool_name": "Read"}),
        ("claude-code", CURSOR),  # Cursor runs Claude Code's hooks too, and has its own
        ("cursor", {**CURSOR, "tool_name": "Shell", "tool_input": {"command": "ls", "cwd": "/project"}}),
        ("codex", {**CODEX, "tool_name": "Bash", "tool_input": {"command": "ls"}}),
        ("gemini", {**GEMINI, "tool_name": "read_file"}),
        ("copilot", {**COPILOT_CLI, "toolName": "view"}),
        ("copilot", {**VSCODE, "tool_name": "read_file", "tool_input": {"filePath": "/project/app.py"}}),
    ],
)
def test_anything_but_an_edit_is_left_alone(agent: str, payload: dict[str, object]) -> None:
    assert hook_edit(agent, payload) is None


def test_payloads_of_copilot_to_claude_codes_hook_name_no_file() -> None:
    edit = hook_edit("claude-code", {**CLAUDE, "tool_name": "Edit", "tool_input": {"path": "/project/app.py"}})
    assert edit is not None
    assert edit.files == ()


BROKEN = Verdict(outcome=BLOCKED, text="E005")
ADVICE = Verdict(outcome=ADVISED, text="W002")
CONTEXT = '{"hookSpecificOutput": {"hookEventName": "%s", "additionalContext": "W002"}}'


@pytest.mark.parametrize(
    ("agent", "verdict", "answer"),
    [
        ("claude-code", BROKEN, Answer(code=2, err="E005")),
        ("claude-code", ADVICE, Answer(out=CONTEXT % "PostToolUse")),
        ("claude-code", Verdict(outcome=FAILED, text="x"), Answer(code=1, err="x")),
        ("claude-code", Verdict(outcome=TOLD, text="x"), Answer(err="x")),
        ("codex", BROKEN, Answer(code=2, err="E005")),
        ("codex", ADVICE, Answer(out=CONTEXT % "PostToolUse")),
        ("codex", Verdict(outcome=FAILED, text="x"), Answer(out='{"systemMessage": "x"}', err="x")),
        ("gemini", BROKEN, Answer(code=2, err="E005")),
        ("gemini", ADVICE, Answer(out=CONTEXT % "AfterTool")),
        ("cursor", BROKEN, Answer(out='{"additional_context": "E005"}')),
        ("cursor", ADVICE, Answer(out='{"additional_context": "W002"}')),
        ("copilot", BROKEN, Answer(out='{"additionalContext": "E005", "decision": "block", "reason": "E005"}')),
        ("git", BROKEN, Answer(code=2, err="E005\n`git commit --no-verify` commits all the same")),
        ("git", ADVICE, Answer(err="W002")),
    ],
)
def test_a_verdict_is_put_as_the_agent_wants_it(agent: str, verdict: Verdict, answer: Answer) -> None:
    found = registry.agent(agent)
    assert found is not None
    assert found.hook is not None
    assert found.hook.answer(verdict) == answer


def test_cursor_drops_what_is_too_long_so_that_it_is_cut() -> None:
    found = registry.agent("cursor")
    assert found is not None
    assert found.hook is not None
    answer = found.hook.answer(Verdict(outcome=BLOCKED, text="x" * 20_000))
    assert len(json.loads(answer.out)["additional_context"]) < 10_000


# Files, as the agents' documents show them


def command(agent: str, **more: object) -> dict[str, object]:
    return {"type": "command", "command": f"keel hook {agent}", **more}


SERVER = {"keel": {"command": "keel", "args": ["mcp"]}}
FILES: dict[str, dict[str, object]] = {
    ".claude/settings.json": {
        "hooks": {"PostToolUse": [{"matcher": "Edit|MultiEdit|Write", "hooks": [command("claude-code", timeout=30)]}]}
    },
    ".mcp.json": {"mcpServers": SERVER},
    ".cursor/hooks.json": {
        "version": 1,
        "hooks": {"postToolUse": [{"command": "keel hook cursor", "matcher": "Write|Delete", "timeout": 30}]},
    },
    ".cursor/mcp.json": {"mcpServers": SERVER},
    ".codex/hooks.json": {
        "hooks": {"PostToolUse": [{"matcher": "^apply_patch$", "hooks": [command("codex", timeout=30)]}]}
    },
    ".gemini/settings.json": {
        "hooks": {
            "AfterTool": [{"matcher": "write_file|replace", "hooks": [command("gemini", name="keel", timeout=30_000)]}]
        },
        "mcpServers": SERVER,
    },
    ".github/hooks/keel.json": {
        "version": 1,
        "hooks": {
            "postToolUse": [command("copilot", matcher="create|edit|str_replace_editor|apply_patch", timeoutSec=30)]
        },
    },
    ".github/mcp.json": {"mcpServers": {"keel": {"type": "local", "tools": ["*"], **SERVER["keel"]}}},
    ".vscode/mcp.json": {"servers": {"keel": {"type": "stdio", **SERVER["keel"]}}},
}


def test_the_files_of_agents_are_as_their_documents_want_them() -> None:
    made: dict[str, str] = {}
    for agent in registry.agents():
        for part in agent.parts(PLACE):
            if part.path.endswith(".json"):
                made[part.path] = part.merged(made.get(part.path))
    assert {path: json.loads(text) for path, text in made.items()} == FILES


def test_codex_gets_its_server_in_toml() -> None:
    found = registry.agent("codex")
    assert found is not None
    toml = found.parts(PLACE)[1]
    assert toml.path == ".codex/config.toml"
    assert toml.merged(None) == ('# keel: begin\n[mcp_servers.keel]\ncommand = "keel"\nargs = ["mcp"]\n# keel: end\n')


def test_the_hook_for_the_pre_commit_framework_runs_a_command_that_is_there() -> None:
    [hook] = yaml.safe_load((TOP / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    assert {"id", "name", "entry", "language"} <= hook.keys()
    program, verb, *words = hook["entry"].split()
    assert (program, verb) == ("keel", "compile")
    assert parse(words, compiling.Params) == [{"session": "git"}]


def test_the_workflow_is_yaml_and_reviews_twice() -> None:
    found = registry.agent("github-actions")
    assert found is not None
    workflow = yaml.safe_load(found.parts(PLACE)[0].merged(None))
    steps = workflow["jobs"]["review"]["steps"]
    assert sum("keel review --base" in step.get("run", "") for step in steps) == 2
    assert steps[-1]["uses"].startswith("github/codeql-action/upload-sarif@")
    assert steps[-1]["with"]["sarif_file"] == "keel.sarif"


# Among entries of others


def hooks_part() -> JsonPart:
    found = registry.agent("claude-code")
    assert found is not None
    part = found.parts(PLACE)[0]
    assert isinstance(part, JsonPart)
    return part


def test_an_entry_of_an_earlier_keel_is_brought_up_to_date_in_its_place() -> None:
    old = {"matcher": "Edit", "hooks": [{"type": "command", "command": "/opt/bin/keel hook claude-code --old"}]}
    theirs = {"matcher": "Bash", "hooks": [{"type": "command", "command": "log.sh"}]}
    text = json.dumps({"hooks": {"PostToolUse": [old, theirs]}}, indent=2)
    merged = json.loads(hooks_part().merged(text))
    assert merged["hooks"]["PostToolUse"] == [hooks_part().value, theirs]


def test_a_hook_beside_that_of_keel_stays() -> None:
    own, other = {"type": "command", "command": "keel hook claude-code"}, {"type": "command", "command": "fmt.sh"}
    text = json.dumps({"hooks": {"PostToolUse": [{"matcher": "Edit", "hooks": [own, other]}]}}, indent=2)
    assert hooks_part().merged(text) == text
    assert json.loads(hooks_part().without(text)) == {"hooks": {"PostToolUse": [{"matcher": "Edit", "hooks": [other]}]}}


@pytest.mark.parametrize("command", ["keel hook claude-codex", "not-keel hook claude-code", "keel hooks", "echo keel"])
def test_commands_that_only_look_like_keels_are_others(command: str) -> None:
    text = json.dumps({"hooks": {"PostToolUse": [{"hooks": [{"type": "command", "command": command}]}]}}, indent=2)
    assert hooks_part().without(text) == text
    assert len(json.loads(hooks_part().merged(text))["hooks"]["PostToolUse"]) == 2


def test_a_server_of_that_name_that_is_not_keels_is_left_alone() -> None:
    found = registry.agent("claude-code")
    assert found is not None
    server = found.parts(PLACE)[1]
    text = '{"mcpServers": {"keel": {"command": "npx", "args": ["keel-weather"]}}}'
    with pytest.raises(Unfit, match=r'"mcpServers.keel" already exists'):
        server.merged(text)
    assert server.without(text) == text


def test_comments_stay_where_they_are() -> None:
    text = '{\n  // mine\n  "theme": "dark" // at night\n  /* end */\n}\n'
    merged = hooks_part().merged(text)
    assert '"theme": "dark", // at night\n  /* end */\n  "hooks": {' in merged
    assert hooks_part().without(merged) == text


def hook_edit(agent: str, payload: object) -> Edit | None:
    found = registry.agent(agent)
    assert found is not None
    assert found.hook is not None
    return found.hook.edit(payload)
