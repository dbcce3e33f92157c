"""What `resolve` answers, as specs show it: a ` ```graph ` block of files and nodes, and ` ```resolve ` blocks.

A graph has a line `file PATH [service=NAME]` for each file and below it a line for each node. A resolve block has a
line `? IDENTIFIER [hint=KIND]` for each question; what follows is the answer: `one ID`, or `many` and a line with
reason, id and service for each candidate, or `none MESSAGE`, or `invalid MESSAGE`. `…` means any text.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator
from pathlib import Path

from keel.bootstrap import Workspace
from keel.errors import UsageError
from keel.model.kinds import NodeKind
from keel.model.rows import FileUpdate
from keel.operations import resolve
from tests.sources import SourceNode, a_client, a_listener, a_producer, a_route, a_source, a_workspace
from tests.spec.consoles import matches
from tests.spec.markdown import Block

ASKED = "? "


def graph_of(block: Block) -> list[FileUpdate]:
    """The files that a `graph` block shows."""
    found: list[tuple[dict[str, str], list[SourceNode]]] = []
    for _, line in block.lines():
        word, *rest = shlex.split(line)
        if word == "file":
            options = dict(each.split("=", 1) for each in rest[1:])
            found.append(({"path": rest[0], **options}, []))
        else:
            found[-1][1].append(_thing(word, rest))
    return [a_source(number, things=things, **options) for number, (options, things) in enumerate(found, 1)]


def _thing(word: str, rest: list[str]) -> SourceNode:
    makers: dict[str, Callable[..., SourceNode]] = {
        "route": a_route,
        "client": a_client,
        "listener": a_listener,
        "producer": a_producer,
    }
    return makers[word](*rest) if word in makers else SourceNode(NodeKind[word.upper()], rest[0])


def check_resolve(folder: Path, graph: Block | None, block: Block) -> list[str]:
    """What of a `resolve` block does not hold for the graph above it."""
    assert graph is not None, "there is a graph block before"
    workspace = a_workspace(folder / "shop", graph_of(graph))
    wrong = []
    for number, question, expected in _questions(block):
        said = "\n".join(_answer(workspace, question))
        if not matches(said, expected):
            wrong.append(f"line {number}: {question}\n--- expected\n{expected}\n--- said\n{said}")
    return wrong


def _questions(block: Block) -> Iterator[tuple[int, str, str]]:
    number, question = block.line, ""
    expected: list[str] = []
    for at, line in enumerate(block.text.splitlines(), block.line):
        if line.startswith(ASKED):
            if question:
                yield number, question, "\n".join(expected)
            number, question, expected = at, line.removeprefix(ASKED), []
        elif line.strip():
            expected.append(" ".join(line.split()))
    yield number, question, "\n".join(expected)


def _answer(workspace: Workspace, question: str) -> Iterator[str]:
    text, _, hint = question.partition(" hint=")
    identifier = shlex.split(text)[0] if text.startswith("'") else text
    try:
        result = resolve.run(workspace, resolve.Params(identifier=identifier, hint_kind=hint or None))
    except UsageError as error:
        yield f"error {error}"
        return
    if result.node is not None:
        yield f"one {result.node.id}"
    elif result.candidates:
        yield "many"
        for one in result.candidates:
            yield f"{one.reason} {one.node.id} {one.node.service}".rstrip()
    else:
        yield f"{'none' if result.success else 'invalid'} {result.message}"
