"""Whatever was asked before, in whatever order: the answer is the same, and says everything it rests on.

Questions are numbers that ask each other at random, rings included. Some follow a call for it, some read a slot.
"""

from __future__ import annotations

from typing import NamedTuple

from hypothesis import example, given, settings
from hypothesis import strategies as st

from keel.languages.python.resolve.lookup.answer_cache import CALLS, AnswerCache, Trace

MAX_SESSIONS = 6
SLOT = 1000
"""Slots are numbered from here on, questions below. Questions with an odd number have a slot."""


class Answer(NamedTuple):
    """What it was made of, part by part and in order, and all the questions among that."""

    exactly: int
    questions: frozenset[int]


MISSING = Answer(0, frozenset())


class Asked(NamedTuple):
    """A question that a question asks, and whether a call is followed for it."""

    question: int
    is_call: bool


Graph = list[list[Asked]]
"""What each question asks, in order."""

numbers = st.integers(0, MAX_SESSIONS - 1)
graphs = st.lists(
    st.lists(st.builds(Asked, numbers, st.booleans()), max_size=3), min_size=MAX_SESSIONS, max_size=MAX_SESSIONS
)
orders = st.lists(numbers, max_size=6)


def plain(*asked: tuple[int, ...]) -> Graph:
    """A graph without calls."""
    return [[Asked(inner, False) for inner in each] for each in asked]


A_RING = plain((1,), (0,))
A_RING_BEHIND_A_CALL = [*A_RING, [Asked(0, True)]]
A_RING_IN_A_RING = plain((1, 2), (3, 0), (3,), (1,))
"""0 opens the outer ring; 3 is first met inside 1, with which it makes the inner one, and then again by way of 2."""
often = settings(max_examples=300, deadline=None)


class World:
    """A graph of questions, what is in the slots, and a memory."""

    def __init__(self, graph: Graph, slots: dict[int, int] | None = None) -> None:
        self.memory = AnswerCache()
        self.slots = slots or {}
        self.deepest = 0
        self._graph = graph

    def ask(self, question: int) -> Answer:
        return self.memory.remember(("Q", question), MISSING, self._find_out, question)

    def ask_all(self, questions: list[int]) -> None:
        for question in questions:
            self.ask(question)

    def fresh(self) -> World:
        """The same with nothing remembered."""
        return World(self._graph, self.slots)

    def _find_out(self, question: int) -> Answer:
        memory = self.memory
        self.deepest = max(self.deepest, CALLS - memory.budget)
        memory.keys.add(question)
        held = 0
        if question % 2:
            memory.slots_read.add(SLOT + question)
            held = self.slots.get(SLOT + question, 0)
        parts = [
            memory.deeper(MISSING, self.ask, inner) if is_call else self.ask(inner)
            for inner, is_call in self._graph[question]
        ]
        exactly = hash((question, held, *(part.exactly for part in parts)))
        return Answer(exactly, frozenset([question]).union(*(part.questions for part in parts)))


@often
@given(graphs, orders, numbers)
@example(A_RING, [0], 1)
@example(A_RING_BEHIND_A_CALL, [1], 2)
def test_an_answer_does_not_depend_on_what_was_asked_before(graph: Graph, before: list[int], last: int) -> None:
    world = World(graph)
    world.ask_all(before)
    assert world.ask(last) == world.fresh().ask(last)


@often
@given(graphs, orders, numbers)
@example(A_RING_IN_A_RING, [0], 2)
def test_nothing_is_lost_by_what_was_asked_before(graph: Graph, before: list[int], last: int) -> None:
    """Where answers are joins of their parts, order and repetition aside: the weaker promise."""
    world = World(graph)
    world.ask_all(before)
    assert world.ask(last).questions == world.fresh().ask(last).questions


@often
@given(graphs, orders, numbers)
def test_a_trace_names_everything_behind_an_answer(graph: Graph, before: list[int], last: int) -> None:
    world = World(graph)
    world.ask_all(before)
    trace = Trace()
    answer, slots = world.memory.traced(trace, world.ask, last)
    assert answer.questions <= trace.all_keys()
    assert {SLOT + question for question in answer.questions if question % 2} <= set(slots)


@often
@given(graphs, orders, st.sets(numbers), numbers)
def test_what_hangs_on_changed_slots_is_asked_again(
    graph: Graph, before: list[int], changed: set[int], last: int
) -> None:
    world = World(graph)
    world.ask_all(before)
    world.slots = {SLOT + question: 1 for question in changed}
    world.memory.forget(set(world.slots))
    assert world.ask(last).questions == world.fresh().ask(last).questions


@often
@given(graphs, orders)
def test_no_more_calls_are_followed_than_the_budget_allows(graph: Graph, questions: list[int]) -> None:
    world = World(graph)
    world.ask_all(questions)
    assert world.deepest <= CALLS
    assert world.memory.budget == CALLS
