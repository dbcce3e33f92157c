"""Files of agents, whatever others wrote into them: keel's part goes in and comes out, and the rest is as it was.

By what is remembered, byte for byte; without that, all values, comments and their order.
"""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given, settings
from hypothesis import strategies as st

from keel import registry
from keel.agents._json_part import JsonPart
from keel.agents._json_text import read
from keel.bootstrap import Workspace
from keel.ports.agent import AgentFolders, Unfit
from keel.setup.agent_files import carry_out, planned, take_out, to_take_out

AGENTS = registry.agents()
PLACE = AgentFolders(folder="/project")
JSON_PARTS = [part for agent in AGENTS for part in agent.parts(PLACE) if isinstance(part, JsonPart)]
[CODEX] = [part for agent in AGENTS for part in agent.parts(PLACE) if part.path.endswith(".toml")]
[SECTION] = [part for agent in AGENTS for part in agent.parts(PLACE) if part.path.endswith(".md")]

NAMES = st.sampled_from(["hooks", "PostToolUse", "postToolUse", "mcpServers", "servers", "version", "a", "é"])
BLANK = st.sampled_from(["", " ", "\n", "\n  ", "\t", "\r\n    ", " // x\n", "/* y */ "])
COMMA = st.sampled_from(["", ","])

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=4),
    max_leaves=6,
)


@st.composite
def written(draw: st.DrawFn, value: object) -> str:
    """A value as JSON with blanks, comments and last commas anywhere."""
    if isinstance(value, dict):
        inside = [f"{json.dumps(key)}{draw(BLANK)}:{draw(BLANK)}{draw(written(each))}" for key, each in value.items()]
        opening, closing = "{", "}"
    elif isinstance(value, list):
        inside, opening, closing = [draw(written(each)) for each in value], "[", "]"
    else:
        return json.dumps(value)
    text = ",".join(f"{draw(BLANK)}{each}{draw(BLANK)}" for each in inside)
    last = draw(COMMA) if inside else ""
    return f"{opening}{text}{last}{draw(BLANK)}{closing}"


objects = st.dictionaries(NAMES, values, max_size=5).flatmap(written)
files = st.tuples(BLANK, objects, BLANK).map("".join)
markdown = st.text(st.sampled_from("ab #\n\r-"), max_size=30)
tomls = st.lists(
    st.sampled_from(
        ["a = 1\n", "# remark\n", "\n", "b.c = 2 # x\n", "[t]\nd = 3\n", '[mcp_servers.x]\nargs = ["é"]\n']
    ),
    unique=True,
).map(lambda lines: "".join(sorted(lines, key=lambda line: line.startswith("["))))


@settings(max_examples=80, deadline=None)
@given(st.sampled_from(JSON_PARTS), files)
def test_a_json_file_keeps_what_is_others(part: JsonPart, text: str) -> None:
    before = read(text).value
    assert isinstance(before, dict)
    try:
        merged = part.merged(text)
    except Unfit:
        return  # something of others is where keel's part would be
    assert part.merged(merged) == merged
    after = read(part.without(merged)).value
    assert without_empty(after, part) == without_empty({**part.around, **before}, part)
    assert [mark for mark in ("// x", "/* y */") if merged.count(mark) != text.count(mark)] == []


@settings(max_examples=50, deadline=None)
@given(tomls)
def test_a_toml_file_keeps_what_is_others(text: str) -> None:
    merged = CODEX.merged(text)
    assert tomllib.loads(merged)["mcp_servers"]["keel"] == {"command": "keel", "args": ["mcp"]}
    assert CODEX.merged(merged) == merged
    assert tomllib.loads(CODEX.without(merged)) == tomllib.loads(text)


@settings(max_examples=50, deadline=None)
@given(markdown, markdown)
def test_a_section_keeps_what_is_around_it(before: str, after: str) -> None:
    merged = SECTION.merged(before)
    assert SECTION.merged(merged) == merged
    left = SECTION.without(merged + after)
    assert left.split() == (before + " " + after).split()


@settings(max_examples=15, deadline=None)
@given(
    st.dictionaries(
        st.sampled_from([".claude/settings.json", ".mcp.json", ".gemini/settings.json", ".cursor/hooks.json"]), files
    ),
    st.none() | tomls,
    st.none() | markdown,
)
def test_what_init_changed_becomes_what_it_was_byte_for_byte(
    jsons: dict[str, str], toml: str | None, notes: str | None
) -> None:
    with TemporaryDirectory() as name:
        folder = Path(name).resolve()
        texts = {**jsons, ".codex/config.toml": toml, "AGENTS.md": notes}
        for path, text in texts.items():
            if text is not None:
                (folder / path).parent.mkdir(exist_ok=True)
                (folder / path).write_bytes(text.encode("utf-8"))
        workspace = Workspace(str(folder), str(folder), lambda stage, done, total: None)
        place = AgentFolders(folder=str(folder))
        before = tree(folder)
        workspace.prepare()
        carry_out(workspace, planned(workspace, AGENTS, place).changes)
        assert planned(workspace, AGENTS, place).changes == ()
        take_out(to_take_out(workspace, place).changes)
        assert tree(folder) == before


def tree(folder: Path) -> dict[str, bytes | None]:
    """Every file with its bytes, and every folder, but for keel's own."""
    return {
        str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None
        for path in sorted(folder.rglob("*"))
        if ".keel" not in path.parts
    }


def without_empty(value: object, part: JsonPart) -> object:
    """A document without objects and lists that hold nothing on the way to keel's part: those go with it."""
    if not isinstance(value, dict):
        return value
    found = dict(value)
    for name in part.at[:1]:
        inner = found.get(name)
        if isinstance(inner, dict):
            found[name] = {key: each for key, each in inner.items() if not (key in part.at[1:] and each == [])}
        if found.get(name) in ({}, []):
            del found[name]
    return found
