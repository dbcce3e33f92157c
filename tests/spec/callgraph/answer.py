"""keel's call graph of a case: its edges, folded to calls between definitions under the rules of the documents.

The project is written to disk and mapped by the real write line. Folding changes what the two graphs say differently,
never what they say: a decorator is called by the scope around, a class by its constructor.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from keel.graph.export import export_graph
from keel.indexing.context import IndexContext as WriteLine
from keel.indexing.pipeline import build
from keel.languages.python import language
from keel.model.lines import EdgeLine, NodeLine
from keel.stores.sqlite.facts_cache import SqliteFactsCache
from tests.memory_store import MemoryStore
from tests.spec.callgraph.cases import Case, Edge, module_name
from tests.spec.callgraph.observe import write_case
from tests.twins import inline

CALLS = ("calls", "instantiates", "decorates")
CALLABLE = ("function", "method")
CONSTRUCTORS = ("__init__", "__new__")

Answer = dict[Edge, bool]
"""The calls that a tool reports, each with whether it says that the call is implicit."""


def keel_answer(case: Case, folder: Path) -> Answer:
    """The calls that keel finds in a case."""
    tree = folder / "tree"
    write_case(case, tree)
    store = MemoryStore()
    build(WriteLine({"case": str(tree)}, [language], store, SqliteFactsCache(folder / "facts.db"), inline))
    with store.reading() as reader:
        lines = list(export_graph(reader))
    nodes = {line.id: line for line in lines if isinstance(line, NodeLine)}
    return folded(nodes, [line for line in lines if isinstance(line, EdgeLine)], _heads(case.files))


def folded(nodes: Mapping[str, NodeLine], edges: list[EdgeLine], heads: list[Head]) -> Answer:
    """The calls among the edges of a graph."""
    parents = {edge.target: edge.source for edge in edges if edge.kind == "contains"}
    classes = _Classes(nodes, edges)
    answer: Answer = {}
    for edge in edges:
        if edge.kind not in CALLS or not (nodes[edge.target].kind in CALLABLE or classes.is_called(edge.target)):
            continue
        source = nodes[edge.source]
        in_head = edge.kind == "decorates" or any(head.has(source, edge) for head in heads)
        call = Edge(_dotted(nodes[parents[source.id]] if in_head else source), _dotted(nodes[edge.target]))
        implicit = bool(edge.metadata.get("implicit"))
        answer[call] = implicit and answer.get(call, True)
    return answer


class Head(NamedTuple):
    """A part of a definition that is evaluated by the scope around it: a decorator, a default, a base."""

    path: str
    name: str
    line: int
    """Where the definition begins, its decorators apart."""
    start: tuple[int, int]
    end: tuple[int, int]

    def has(self, source: NodeLine, edge: EdgeLine) -> bool:
        """Whether an edge of the definition comes from this part of it."""
        is_own = (source.path, source.name, source.start_line) == (self.path, self.name, self.line)
        return is_own and self.start <= (edge.line, edge.column) < self.end


class _Classes:
    """The classes of a graph, and which of them have a constructor in their order of bases."""

    def __init__(self, nodes: Mapping[str, NodeLine], edges: list[EdgeLine]) -> None:
        self._nodes = nodes
        self._bases: dict[str, list[str]] = {}
        self._constructed: set[str] = set()
        for edge in edges:
            if edge.kind == "inherits":
                self._bases.setdefault(edge.source, []).append(edge.target)
            elif edge.kind == "contains" and nodes[edge.target].name in CONSTRUCTORS:
                self._constructed.add(edge.source)

    def is_called(self, node: str) -> bool:
        """Whether a call of this node stays one: a class without a constructor. With one, that is what is called."""
        return self._nodes[node].kind == "class" and not self._has_constructor(node, set())

    def _has_constructor(self, node: str, seen: set[str]) -> bool:
        if node in seen:
            return False
        seen.add(node)
        bases = self._bases.get(node, ())
        return node in self._constructed or any(self._has_constructor(base, seen) for base in bases)


def _dotted(node: NodeLine) -> str:
    """A node under the name that the documents give it."""
    module = module_name(node.path)
    if node.kind in ("module", "file"):
        return module
    _, numbered, number = node.id.rpartition("#")
    return f"{module}.{node.qualified_name}" + (f"#{number}" if numbered and number.isdigit() else "")


def _heads(files: Mapping[str, str]) -> list[Head]:
    return [
        head for path, text in files.items() for node in ast.walk(ast.parse(text)) for head in _heads_of(path, node)
    ]


def _heads_of(path: str, node: ast.AST) -> Iterator[Head]:
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            arguments = [
                *node.args.posonlyargs,
                *node.args.args,
                *node.args.kwonlyargs,
                node.args.vararg,
                node.args.kwarg,
            ]
            annotations = [each.annotation for each in arguments if each is not None]
            parts = [*node.decorator_list, *node.args.defaults, *node.args.kw_defaults, *annotations, node.returns]
        case ast.ClassDef():
            parts = [*node.decorator_list, *node.bases, *(keyword.value for keyword in node.keywords)]
        case ast.Lambda():
            parts = [*node.args.defaults, *node.args.kw_defaults]
        case _:
            return
    name = "<lambda>" if isinstance(node, ast.Lambda) else node.name
    for part in parts:
        if part is not None and part.end_lineno is not None and part.end_col_offset is not None:
            # Columns count from 1 in the graph and from 0 in the syntax tree.
            start, end = (part.lineno, part.col_offset + 1), (part.end_lineno, part.end_col_offset + 1)
            yield Head(path, name, node.lineno, start, end)
