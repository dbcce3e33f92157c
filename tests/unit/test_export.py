"""The export: its lines and their order, that equal graphs export to equal bytes, and what narrows it."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from keel import registry
from keel.bootstrap import Workspace, open_workspace
from keel.errors import SymbolNotFound, UsageError
from keel.operations import export, sync
from keel.operations import map as map_operation
from tests.workspaces import MakeWorkspace

FILES = {
    "app/__init__.py": "from app.core import run\n",
    "app/core.py": (
        "import os\n"
        "from app.shapes import Shape\n"
        "\n"
        "\n"
        "class Square(Shape):\n"
        "    def area(self):\n"
        "        return helper(2)\n"
        "\n"
        "\n"
        "def helper(n):\n"
        "    return n * os.getpid()\n"
        "\n"
        "\n"
        "def run():\n"
        "    return Square().area()\n"
        "\n"
        "\n"
        "def _hidden():\n"
        "    return nowhere()\n"
    ),
    "app/shapes.py": "class Shape:\n    def area(self):\n        raise NotImplementedError\n",
}

ExportedLine = dict[str, Any]


@pytest.fixture
def app(workspace: MakeWorkspace) -> Workspace:
    return mapped(workspace(FILES, "demo"))


def mapped(folder: Path) -> Workspace:
    opened = open_workspace(str(folder))
    map_operation.run(opened, map_operation.Params())
    return opened


def text_of(workspace: Workspace, shape: str = "jsonl", **params: Any) -> str:
    """What `keel export` writes."""
    written = registry.format(shape)
    assert written is not None
    return "".join(written.render(export.run(workspace, export.Params(**params))))


def lines_of(workspace: Workspace, **params: Any) -> list[ExportedLine]:
    return [json.loads(line) for line in text_of(workspace, **params).splitlines()]


def of_type(lines: list[ExportedLine], kind: str) -> list[ExportedLine]:
    return [line for line in lines if line["type"] == kind]


def test_each_line_has_exactly_its_fields(app: Workspace) -> None:
    fields = {
        "node": "id hash kind name qualified_name root path start_line end_line language external",
        "edge": "kind source target path line column tier confidence type_only metadata",
        "ref": "kind source name path line column reason candidates",
    }
    lines = lines_of(app)
    assert {line["type"] for line in lines} == fields.keys()
    for line in lines:
        assert list(line) == ["type", *fields[line["type"]].split()]


def test_a_node_is_told_with_its_place(app: Workspace) -> None:
    [square] = [line for line in lines_of(app) if line.get("qualified_name") == "Square"]
    assert square.pop("hash").isalnum()
    assert square == {
        "type": "node",
        "id": "sym:demo:app/core.py:Square",
        "kind": "class",
        "name": "Square",
        "qualified_name": "Square",
        "root": "demo",
        "path": "app/core.py",
        "start_line": 5,
        "end_line": 7,
        "language": "python",
        "external": False,
    }


def test_an_edge_is_where_its_reference_is(app: Workspace) -> None:
    edges = {(edge["kind"], edge["source"], edge["target"]): edge for edge in of_type(lines_of(app), "edge")}
    call = edges["calls", "sym:demo:app/core.py:Square.area", "sym:demo:app/core.py:helper"]
    assert (call["path"], call["line"], call["column"]) == ("app/core.py", 7, 16)
    assert 0 < call["confidence"] <= 1
    base = edges["inherits", "sym:demo:app/core.py:Square", "sym:demo:app/shapes.py:Shape"]
    assert (base["line"], base["column"]) == (5, 14)


def test_structural_edges_follow_from_the_nodes(app: Workspace) -> None:
    core = "sym:demo:app/core.py"
    edges = [edge for edge in of_type(lines_of(app), "edge") if edge["path"] == "app/core.py"]
    contains = {(edge["source"], edge["target"]) for edge in edges if edge["kind"] == "contains"}
    exports = {edge["target"]: edge for edge in edges if edge["kind"] == "exports"}
    assert ("file:demo:app/core.py", f"{core}:<module>") in contains
    assert (f"{core}:<module>", f"{core}:Square") in contains
    assert (f"{core}:Square", f"{core}:Square.area") in contains
    assert exports.keys() == {f"{core}:Square", f"{core}:helper", f"{core}:run"}
    run = exports[f"{core}:run"]
    assert (run["source"], run["line"], run["column"]) == (f"{core}:<module>", 14, 5)
    assert (run["tier"], run["confidence"]) == ("tier1_treesitter", 1.0)


def test_a_reference_without_an_edge_says_why(app: Workspace) -> None:
    [nowhere] = [ref for ref in of_type(lines_of(app), "ref") if ref["name"] == "nowhere"]
    assert nowhere["source"] == "sym:demo:app/core.py:_hidden"
    assert (nowhere["kind"], nowhere["line"], nowhere["column"]) == ("call", 19, 12)
    assert nowhere["reason"] == "no_candidate"


def test_lines_come_by_id_and_then_by_position(app: Workspace) -> None:
    lines = lines_of(app)
    order = ["node", "edge", "ref"]
    assert [line["type"] for line in lines] == sorted((line["type"] for line in lines), key=order.index)
    assert [node["id"] for node in of_type(lines, "node")] == sorted(node["id"] for node in of_type(lines, "node"))
    for kind in ("edge", "ref"):
        places = [(line["source"], line["line"], line["column"]) for line in of_type(lines, kind)]
        assert places == sorted(places)


def test_equal_graphs_export_to_equal_bytes(workspace: MakeWorkspace, app: Workspace) -> None:
    """One graph is built at once, the other file by file and by way of other contents."""
    folder = workspace({"app/shapes.py": "class Shape:\n    pass\n", "gone.py": "def gone(): pass\n"}, "other/demo")
    other = mapped(folder)
    (folder / "gone.py").unlink()
    for path, text in random.Random(7).sample(sorted(FILES.items()), len(FILES)):
        (folder / path).write_text(text, encoding="utf-8")
        sync.run(other, sync.Params())
    assert text_of(other) == text_of(app)


def test_kinds_narrow_each_sort_by_itself(app: Workspace) -> None:
    lines = lines_of(app, kind=("class", "inherits"))
    assert {line["kind"] for line in lines} == {"class", "inherits"}
    assert of_type(lines, "ref") == []
    only_nodes = lines_of(app, kind=("class",))
    assert {line["kind"] for line in of_type(only_nodes, "node")} == {"class"}
    assert {edge["kind"] for edge in of_type(only_nodes, "edge")} == {"inherits"}


@pytest.mark.parametrize("path", ["app/core.py", "./app/core.py", "*/core.py", "./*/core.py", "app.core"])
def test_a_path_narrows_to_a_graph_of_its_own(app: Workspace, path: str) -> None:
    lines = lines_of(app, path=(path,))
    ids = {node["id"] for node in of_type(lines, "node")}
    assert {line["path"] for line in lines} == {"app/core.py"}
    assert {edge["target"] for edge in of_type(lines, "edge")} <= ids


def test_paths_are_understood_as_a_scope_is(app: Workspace) -> None:
    absolute = str(Path(app.folder, "app/core.py"))
    assert {line["path"] for line in lines_of(app, path=(absolute,))} == {"app/core.py"}
    both = lines_of(app, path=("app.core", "app/shapes.py"))
    assert {line["path"] for line in both} == {"app/core.py", "app/shapes.py"}
    assert text_of(app, path=("app",)) == text_of(app, path=(".",)) == text_of(app)


@pytest.mark.parametrize("path", ["app/cor.py", "*/cor.py"])
def test_a_path_that_holds_nothing_is_an_error_before_anything_is_written(app: Workspace, path: str) -> None:
    with pytest.raises(SymbolNotFound) as caught:
        export.run(app, export.Params(path=("app/shapes.py", path)))
    assert caught.value.nearest[0] == "app/core.py"


def test_a_floor_and_a_language_narrow(app: Workspace) -> None:
    edges = of_type(lines_of(app, min_confidence=0.99), "edge")
    assert {edge["confidence"] for edge in edges} == {1.0}
    with pytest.raises(UsageError, match=r"'cobol' \(python\)"):
        lines_of(app, language=("cobol",))
    assert text_of(app, language=("python",)) == text_of(app)


def test_drawings_hold_nodes_and_edges(app: Workspace) -> None:
    dot = text_of(app, "dot", kind=("class", "inherits"))
    assert dot.startswith("digraph keel {")
    assert '  "sym:demo:app/core.py:Square" -> "sym:demo:app/shapes.py:Shape" [label="inherits"];\n' in dot
    mermaid = text_of(app, "mermaid", kind=("class", "inherits"))
    assert mermaid.startswith("flowchart LR\n")
    assert mermaid.count("-->|inherits|") == 1
    assert text_of(app, "mermaid", kind=("module",)).count("#60;module#62;") == 3
