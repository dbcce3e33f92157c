"""Whatever is in the graph and whatever is asked: `resolve` keeps its promises, and says the same of the same graph."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from keel.model.kinds import NodeKind, ResolveReason
from keel.model.rows import FileUpdate
from keel.operations import resolve
from tests.sources import SourceNode, a_client, a_listener, a_producer, a_route, a_source, a_workspace

NAMES = ("a", "b", "A", "A.b", "A.B.c", "a.b", "orders")
PATHS = ("a.py", "a/b.py", "a/__init__.py", "x/a/b.py", "orders.py")
ROUTES = ("/a", "/a/{id}", "/orders", "/")
SERVICES = ("", "a", "orders")
KINDS = (NodeKind.CLASS, NodeKind.FUNCTION, NodeKind.METHOD, NodeKind.PACKAGE)

things = st.one_of(
    st.builds(SourceNode, st.sampled_from(KINDS), st.sampled_from(NAMES)),
    st.builds(a_route, st.sampled_from(["GET", "POST"]), st.sampled_from(ROUTES)),
    st.builds(a_client, st.sampled_from(["a", "orders"]), st.just("GET"), st.sampled_from(ROUTES)),
    st.builds(a_listener, st.sampled_from(["orders", "b"])),
    st.builds(a_producer, st.sampled_from(["orders", "b"])),
)


@st.composite
def graphs(draw: st.DrawFn) -> list[FileUpdate]:
    paths = draw(st.lists(st.sampled_from(PATHS), unique=True, max_size=4))
    return [
        a_source(number, path, draw(st.lists(things, max_size=5)), service=draw(st.sampled_from(SERVICES)))
        for number, path in enumerate(paths, 1)
    ]


identifiers = st.one_of(
    st.sampled_from(
        [*NAMES, *PATHS, *ROUTES, "", " ", "a.a", "b#2", "x.a.b.A", "GET /a/{x}/", "orders /a", "a GET /a"]
    ),
    st.sampled_from(["a*", "what is a", "sym:a.b", "sym:app:a.py:A.b", "route:app:a.py:GET /a", "file:app:a.py", "."]),
    st.text(st.sampled_from("aAb./ {}:#*?\0\ud800é"), max_size=12),
    st.text(max_size=30),
)
hints = st.one_of(st.none(), st.sampled_from([kind for kind in resolve.KINDS if kind != resolve.TOOLS]))


def asked(graph: Sequence[FileUpdate], questions: list[tuple[str, str | None]]) -> list[resolve.Result]:
    with tempfile.TemporaryDirectory() as folder:
        workspace = a_workspace(Path(folder) / "w", graph)
        return [
            resolve.run(workspace, resolve.Params(identifier=identifier, hint_kind=hint))
            for identifier, hint in questions
        ]


@settings(max_examples=60, deadline=None)
@given(graphs(), st.lists(st.tuples(identifiers, hints), min_size=1, max_size=8))
def test_the_answer_is_one_many_or_none(graph: list[FileUpdate], questions: list[tuple[str, str | None]]) -> None:
    answers = asked(graph, questions)
    for (identifier, _), answer in zip(questions, answers, strict=True):
        assert resolve.broken_promise(answer) == ""
        assert answer.success or not identifier.strip() or "\0" in identifier or not identifier.isprintable()
        ranks = [
            (resolve.PRIORITY[ResolveReason[candidate.reason.upper()]], -candidate.score)
            for candidate in answer.candidates
        ]
        assert ranks == sorted(ranks)
    assert asked(graph, questions) == answers
    assert asked([*reversed(graph)], questions) == answers, "a rebuild in another order says the same"


def test_promises_can_be_broken() -> None:
    """What the check refuses, it does refuse."""
    node = asked([a_source(1, "a.py", [])], [("a.py", None)])[0].node
    assert node is not None
    one = resolve.Candidate(node=node, reason="exact_id", score=1)
    broken = [
        resolve.Result(success=True, status="one"),
        resolve.Result(success=True, status="one", node=node, candidates=(one, one)),
        resolve.Result(success=True, status="many", candidates=(one,)),
        resolve.Result(success=True, status="many", candidates=(one, one)),
        resolve.Result(success=True, status="none"),
        resolve.Result(success=True, status="none", node=node, message="no"),
        resolve.Result(success=False, status="none", message="no"),
        resolve.Result(success=True, status="some", node=node),
    ]
    assert [bool(resolve.broken_promise(each)) for each in broken] == [True] * len(broken)
