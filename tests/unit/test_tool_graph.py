"""The graph of tools: which are in it, what each delegates to, and how it joins the export and the counts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from keel import registry
from keel.bootstrap import Workspace, open_workspace
from keel.operations import discover, export, stats
from keel.operations import map as map_operation
from keel.toolspaces.spaces import spaces_of
from keel.toolspaces.tool_graph import ToolGraph, tool_graph, tools_in_use
from tests.toolspaces import SpaceFolders, make_trees, manifest

YAML = "__tool_type__: config\n__executor_id__: {executor}\n"


@pytest.fixture
def trees(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> SpaceFolders:
    """The real system space, and nothing in the others."""
    return make_trees(tmp_path, monkeypatch)


def mapped(trees: SpaceFolders) -> Workspace:
    """The project, with some code of its own."""
    (trees.project / "app.py").write_text("def greet() -> None:\n    pass\n")
    opened = open_workspace(str(trees.project))
    map_operation.run(opened, map_operation.Params())
    return opened


def lines_of(workspace: Workspace, **params: Any) -> list[dict[str, Any]]:
    """What `keel export` writes."""
    written = registry.format("jsonl")
    assert written is not None
    text = "".join(written.render(export.run(workspace, export.Params(**params))))
    return [json.loads(line) for line in text.splitlines()]


def edges_of(graph: ToolGraph) -> list[tuple[str, str]]:
    return [(edge.source.removeprefix("tool:"), edge.target.removeprefix("tool:")) for edge in graph.edges]


def test_a_project_without_tools_has_nothing_to_do_with_the_systems(trees: SpaceFolders) -> None:
    spaces = spaces_of(trees.project)
    assert tools_in_use(spaces) == ToolGraph()
    assert "tool:system:python_runtime" in tool_graph(spaces).tools


def test_in_use_is_what_a_person_made_and_everything_that_runs_it(trees: SpaceFolders) -> None:
    trees.add("project", "greet")
    trees.add("user", "mine", executor="greet")
    found = tools_in_use(spaces_of(trees.project))
    assert list(found.tools) == [
        "tool:project:greet",
        "tool:system:python_runtime",
        "tool:system:subprocess",
        "tool:user:mine",
    ]
    assert edges_of(found) == [
        ("project:greet", "system:python_runtime"),
        ("system:python_runtime", "system:subprocess"),
        ("user:mine", "project:greet"),
    ]


def test_a_shadowed_tool_is_marked_and_has_no_edges(trees: SpaceFolders) -> None:
    for space in ("project", "user"):
        trees.add(space, "python_runtime", executor="subprocess")
    found = tools_in_use(spaces_of(trees.project))
    marks = {own_id: tool.shadowed_by for own_id, tool in found.tools.items()}
    assert marks == {
        "tool:project:python_runtime": "",
        "tool:system:python_runtime": "project",
        "tool:system:subprocess": "",
        "tool:user:python_runtime": "project",
    }
    assert edges_of(found) == [("project:python_runtime", "system:subprocess")]


def test_a_deleted_shadow_and_a_new_one_count_at_once(trees: SpaceFolders) -> None:
    trees.add("project", "greet")
    shadow = trees.add("project", "python_runtime", executor="subprocess")
    assert ("project:greet", "project:python_runtime") in edges_of(tools_in_use(spaces_of(trees.project)))
    shadow.unlink()
    assert ("project:greet", "system:python_runtime") in edges_of(tools_in_use(spaces_of(trees.project)))


def test_a_ring_a_broken_tool_and_an_executor_that_is_nowhere_are_no_trouble(trees: SpaceFolders) -> None:
    trees.add("project", "a", executor="b")
    trees.add("project", "b", executor="a")
    trees.add("project", "broken", "__tool_type__ = 1\n")
    trees.add("project", "lost", executor="nowhere")
    trees.add("project", "module", "x = 1\n")
    found = tools_in_use(spaces_of(trees.project))
    assert [tool.item_id for tool in found.tools.values()] == ["a", "b", "broken", "lost"]
    assert edges_of(found) == [("project:a", "project:b"), ("project:b", "project:a")]


def test_the_export_has_tools_after_all_else_in_the_order_of_ids(trees: SpaceFolders) -> None:
    trees.add("project", "greet")
    (trees.tools("project") / "plain.yaml").write_text(YAML.format(executor="greet"))
    lines = lines_of(mapped(trees))
    for sort, key in (("node", "id"), ("edge", "source")):
        ids = [line[key] for line in lines if line["type"] == sort]
        assert ids == sorted(ids)
    tools = {line["qualified_name"]: line for line in lines if line.get("kind") == "tool"}
    assert list(tools) == ["greet", "plain", "python_runtime", "subprocess"]
    assert tools["greet"]["module"] == "sym:project:.ai/tools/greet.py:<module>"
    assert tools["greet"]["module"] in {line["id"] for line in lines if line["type"] == "node"}
    assert (tools["plain"]["module"], tools["plain"]["language"]) == ("", "yaml")
    assert tools["subprocess"]["path"] == ".ai/tools/subprocess.py", "no path of this machine is in an export"
    [edge] = [line for line in lines if line.get("source") == "tool:project:plain"]
    assert (edge["kind"], edge["target"], edge["path"], edge["line"], edge["confidence"]) == (
        "delegates_to",
        "tool:project:greet",
        ".ai/tools/plain.yaml",
        2,
        1.0,
    )


@pytest.mark.parametrize(
    ("params", "tools", "edges"),
    [
        ({"kind": ("tool",)}, 4, 3),
        ({"kind": ("delegates_to",)}, 4, 3),
        ({"kind": ("calls",)}, 4, 0),
        ({"kind": ("function",)}, 0, 0),
        ({"kind": ("tool",), "path": (".ai",)}, 2, 1),
        ({"kind": ("tool",), "path": (".ai/tools/plain.yaml",)}, 1, 0),
        ({"kind": ("tool",), "path": ("app.py",)}, 0, 0),
        ({"kind": ("tool",), "language": ("python",)}, 3, 2),
        ({"kind": ("tool",), "min_confidence": 1.0}, 4, 3),
    ],
)
def test_what_narrows_an_export_narrows_its_tools(
    trees: SpaceFolders, params: dict[str, Any], tools: int, edges: int
) -> None:
    trees.add("project", "greet")
    (trees.tools("project") / "plain.yaml").write_text(YAML.format(executor="greet"))
    lines = lines_of(mapped(trees), **params)
    kinds = [line["kind"] for line in lines]
    assert (kinds.count("tool"), kinds.count("delegates_to")) == (tools, edges)


def test_drawings_tell_tools_of_one_id_apart(trees: SpaceFolders) -> None:
    trees.add("project", "subprocess", manifest(None, "primitive"))
    opened = mapped(trees)
    for shape in ("dot", "mermaid"):
        written = registry.format(shape)
        assert written is not None
        text = "".join(written.render(export.run(opened, export.Params(kind=("tool",)))))
        assert '"tool subprocess (project)"' in text
        assert '"tool subprocess (system, shadowed)"' in text


def test_stats_count_tools_and_their_edges(trees: SpaceFolders) -> None:
    opened = mapped(trees)
    before = stats.run(opened, stats.Params())
    assert "tool" not in before.nodes
    assert "delegates_to" not in before.edges
    trees.add("user", "greet")
    after = stats.run(opened, stats.Params())
    assert (after.nodes["tool"], after.edges["delegates_to"]) == (3, 2)
    assert sum(after.edges.values()) == sum(after.tiers.values()) == sum(after.confidence.values())


def test_discover_walks_from_tool_to_tool(trees: SpaceFolders) -> None:
    trees.add("project", "git/log")
    trees.add("project", "twice", executor="git/log")
    opened = mapped(trees)
    found = discover.run(opened, discover.Params(symbol="git/log", depth=5))
    assert [(each.qualified_name, each.depth, each.via) for each in found.downstream] == [
        ("python_runtime", 1, ""),
        ("subprocess", 2, "python_runtime"),
    ]
    assert [(each.qualified_name, each.call_path, each.call_line) for each in found.upstream] == [
        ("twice", ".ai/tools/twice.py", 2)
    ]
    assert found.module_context.path == ".ai/tools/git/log.py"
    first = discover.run(opened, discover.Params(symbol="tool:project:git/log", depth=5, limit=1))
    assert [each.qualified_name for each in first.downstream] == ["python_runtime"]
    assert first.note == "not shown: 1 downstream; see more with --limit or --offset"


def test_discover_of_a_ring_ends(trees: SpaceFolders) -> None:
    trees.add("project", "a", executor="b")
    trees.add("project", "b", executor="a")
    found = discover.run(mapped(trees), discover.Params(symbol="tool:project:a", depth=5))
    assert [each.qualified_name for each in (*found.upstream, *found.downstream)] == ["b", "b"]
