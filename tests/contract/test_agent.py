"""What every agent promises: its files keep what is others', and whatever its payload holds, only findings stop it.

The formats of each are in `tests/unit/test_agent_formats.py`; hooks as agents call them, in `tests/e2e/test_hooks.py`.
"""

from __future__ import annotations

import json
import tomllib
from itertools import product
from pathlib import Path

import pytest

from keel import registry
from keel.ports.agent import ADVISED, BLOCKED, CLEAN, FAILED, STOPPED, TOLD, Agent, AgentFolders, Part, Unfit, Verdict

AGENTS = {agent.name: agent for agent in registry.agents()}
HOOKED = [name for name, agent in AGENTS.items() if agent.hook is not None]
PLACE = AgentFolders(folder="/project", home="/home/you", hooks="/project/.git/hooks")
PARTS = [(name, number) for name, agent in AGENTS.items() for number in range(len(agent.parts(PLACE)))]

ODD: list[object] = [
    None,
    True,
    0,
    -1.5,
    "",
    "x",
    "\0",
    "../../etc/passwd",
    [],
    [[]],
    [None, {}],
    {},
    {"a": {}},
    "a\nb",
    "é" * 9999,
]
FIELDS = ("tool_name", "toolName", "tool_input", "toolArgs", "session_id", "sessionId", "cwd", "conversation_id")


@pytest.fixture(params=PARTS, ids=lambda part: f"{part[0]}-{part[1]}")
def part(request: pytest.FixtureRequest) -> Part:
    name, number = request.param
    found: Part = AGENTS[name].parts(PLACE)[number]
    return found


@pytest.fixture(params=HOOKED)
def hooked(request: pytest.FixtureRequest) -> Agent:
    return AGENTS[request.param]


def test_a_name_is_that_of_its_module_and_used_once() -> None:
    assert [name.replace("-", "_") for name in AGENTS] == registry.names(registry.AGENTS)


def test_an_agent_is_seen_by_what_is_in_the_project_or_at_home(tmp_path: Path) -> None:
    project, home = tmp_path / "project", tmp_path / "home"
    for folder in (project, home):
        folder.mkdir()
    nowhere = AgentFolders(folder=str(project), home=str(home))
    assert [name for name, agent in AGENTS.items() if agent.signs(nowhere)] == []
    (home / ".claude").mkdir()
    (project / ".cursor").mkdir()
    (project / "AGENTS.md").touch()
    found = {name: tuple(agent.signs(nowhere)) for name, agent in AGENTS.items() if agent.signs(nowhere)}
    assert found == {"claude-code": ("~/.claude",), "cursor": (".cursor",), "agents-md": ("AGENTS.md",)}


# Files


def test_a_new_file_holds_keels_part_and_goes_without_it(part: Part) -> None:
    made = part.merged(None)
    assert "keel" in made
    assert made.endswith("\n")
    assert part.is_bare(part.without(made))


def test_twice_changes_nothing(part: Part) -> None:
    made = part.merged(None)
    assert part.merged(made) == made
    assert part.without(part.without(made)) == part.without(made)


def test_what_others_wrote_stays_as_it_is(part: Part) -> None:
    text = FOREIGN[kind(part)]
    if text is None:
        with pytest.raises(Unfit, match="not written by keel"):
            part.merged("theirs\n")
        return
    merged = part.merged(text)
    assert merged != text
    assert part.without(merged) == text
    assert not part.is_bare(text)


def test_a_file_that_is_not_what_it_should_be_is_refused(part: Part) -> None:
    for text in BROKEN[kind(part)]:
        with pytest.raises(Unfit):
            part.merged(text)


def test_files_without_keel_lose_nothing(part: Part) -> None:
    text = FOREIGN[kind(part)] or "theirs\n"
    assert part.without(text) == text


def test_what_is_written_can_be_read(part: Part) -> None:
    made = part.merged(None)
    if part.path.endswith(".json"):
        assert isinstance(json.loads(made), dict)
    elif part.path.endswith(".toml"):
        assert tomllib.loads(made)


def kind(part: Part) -> str:
    """What sort of file a part is for."""
    return part.path.rpartition("/")[2].rpartition(".")[2]


FOREIGN: dict[str, str | None] = {
    "json": (
        '{\n\t"version": 1,\n\t"mine": [1, 2,\n 3] , "hooks": {"Stop": []},\n'
        '\t"mcpServers": {"a": {}}, "servers": {\n "b": {}, // last\n}\n}'
    ),
    "toml": '# mine\nmodel = "x"  # yes\n\n[mcp_servers.other]\ncommand = "y"\n',
    "md": "# Agents\n\nBe nice.\n",
    "pre-commit": "#!/usr/bin/env bash\nset -e\nexec ./lint.sh",
    "yml": None,
}

BROKEN: dict[str, tuple[str, ...]] = {
    "json": (
        '{"a": ',
        "[]",
        "{} {}",
        '{"a" 1}',
        '{"a": nul}',
        '{"hooks": 1, "mcpServers": 1, "servers": 1}',
        "[" * 5000,
    ),
    "toml": ("a = ", "[a]\n[a]\n", "mcp_servers = 1\n", '[mcp_servers.keel]\ncommand = "other"\n'),
    "md": ("<!-- keel: begin -->\n", "<!-- keel: end -->\n<!-- keel: begin -->\n"),
    "pre-commit": ("#!/usr/bin/python3\nprint(1)\n", "no first line\n", "#!/bin/sh\n# see https://pre-commit.com\n"),
    "yml": ("name: theirs\n",),
}


# Hooks


def test_nothing_wrong_is_silent(hooked: Agent) -> None:
    assert hooked.hook is not None
    answer = hooked.hook.answer(Verdict(outcome=CLEAN))
    assert (answer.code, answer.out, answer.err) == (0, "", "")


def test_what_blocks_reaches_the_agent(hooked: Agent) -> None:
    assert hooked.hook is not None
    answer = hooked.hook.answer(Verdict(outcome=BLOCKED, text="a.py\n 3 E005 ERROR é"))
    assert (answer.code == STOPPED) != bool(answer.out)
    told = answer.err if answer.code == STOPPED else " ".join(map(str, json.loads(answer.out).values()))
    assert "a.py\n 3 E005 ERROR é" in told


def test_warnings_reach_the_agent_and_block_nothing(hooked: Agent) -> None:
    assert hooked.hook is not None
    answer = hooked.hook.answer(Verdict(outcome=ADVISED, text="W002 there"))
    assert answer.code == 0
    assert "W002 there" in answer.out + answer.err
    assert "block" not in answer.out


@pytest.mark.parametrize("outcome", [TOLD, FAILED])
def test_what_is_no_finding_never_blocks(hooked: Agent, outcome: str) -> None:
    assert hooked.hook is not None
    answer = hooked.hook.answer(Verdict(outcome=outcome, text="keel: a line"))
    assert answer.code != STOPPED
    assert "block" not in answer.out
    assert "keel: a line" in answer.err


def test_whatever_a_payload_holds_is_read_or_left(hooked: Agent) -> None:
    assert hooked.hook is not None
    for payload in ODD:
        assert hooked.hook.edit(payload) is None or not hooked.hook.takes_payload
    tools = ("Edit", "Write", "apply_patch", "write_file", "edit")
    inputs = [*ODD, *({field: odd} for field, odd in product(("file_path", "path", "command", "files"), ODD))]
    odds: tuple[object, ...] = (None, "x", ["/"], {})
    for tool, given, odd in product(tools, inputs, odds):
        named = {"tool_name": tool, "toolName": tool, "tool_input": given, "toolArgs": given}
        edit = hooked.hook.edit({**dict.fromkeys(FIELDS, odd), **named})
        if edit is not None:
            assert [type(each) for each in (*edit.files, edit.session, edit.folder)] == [str] * (len(edit.files) + 2)


def test_a_session_cannot_be_one_in_which_nothing_counts(hooked: Agent) -> None:
    assert hooked.hook is not None
    names = {"session_id": "git", "sessionId": "git", "conversation_id": "git"}
    tools = ("Edit", "Write", "apply_patch", "write_file")
    edits = [hooked.hook.edit({**names, "tool_name": tool, "tool_input": {}}) for tool in tools]
    assert {edit.session for edit in edits if edit is not None} == {
        f"{hooked.name}:git" if hooked.hook.takes_payload else "git"
    }
