"""What a variable is seen to hold when a function runs is among what its file was read to say of that place.

Functions are made at random and run with many outcomes of their conditions. Every value is a text that says how it came
about, just as `tests.spec.held` writes it: `K1()` returns "K1()", an element of `some()` is "item of some()".
"""

from __future__ import annotations

import random
import textwrap
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from hypothesis import example, given, settings
from hypothesis import strategies as st

from keel.languages.python import language
from tests.spec.held import seen

VARIABLES = ("x", "y")
RUNS = 30
MAX_CHOICES = 60
"""A run that asks for more is given up: its loops have gone round often enough."""

variables = st.sampled_from(VARIABLES)
leaves = st.one_of(
    st.builds("{} = K()".format, variables),
    st.builds("{} = {}".format, variables, variables),
    st.builds("see({})".format, variables),
    st.builds("see({})".format, variables),
    st.just("risk()"),
    st.sampled_from(["return", "break", "continue"]),
)


def indented(block: list[str]) -> str:
    return textwrap.indent("\n".join(block) or "pass", "    ")


def compound(blocks: st.SearchStrategy[list[str]]) -> st.SearchStrategy[str]:
    """Statements with blocks inside."""
    body, rest = blocks.map(indented), st.one_of(st.none(), blocks.map(indented))

    def with_rest(head: str, body: str, rest: str | None, clause: str = "else") -> str:
        return f"{head}:\n{body}" + (f"\n{clause}:\n{rest}" if rest else "")

    def tried(body: str, handler: str, rest: str | None, last: str | None) -> str:
        text = with_rest(f"try:\n{body}\nexcept E", handler, rest)
        return text + (f"\nfinally:\n{last}" if last else "")

    return st.one_of(
        st.builds(with_rest, st.just("if toss()"), body, rest),
        st.builds(with_rest, st.just("while toss()"), body, rest),
        st.builds(with_rest, st.builds("for {} in some()".format, variables), body, rest),
        st.builds(with_rest, st.builds("with enter() as {}".format, variables), body, st.none()),
        st.builds(tried, body, body, rest, rest),
        st.builds(with_rest, st.just("try"), body, blocks.map(indented), st.just("finally")),
    )


statements = st.recursive(leaves, lambda inner: compound(st.lists(inner, max_size=4)), max_leaves=10)
bodies = st.lists(statements, min_size=1, max_size=5)


def program(body: list[str]) -> str | None:
    """The function with a body, each K numbered; nothing when it is no Python: a `break` outside of a loop."""
    text = "def f():\n    x = K()\n    y = K()\n" + indented([*body, "see(x, y)"]) + "\n"
    parts = text.split("K()")
    text = "".join(f"{part}K{number}()" for number, part in enumerate(parts[:-1])) + parts[-1]
    try:
        compile(text, "f.py", "exec")
    except SyntaxError:
        return None
    return text


class E(Exception):
    """What `risk` may raise."""


class GivenUp(BaseException):
    """Ends a run that has gone on for long enough."""


class Run:
    """One run of a function, by what a seed chooses."""

    def __init__(self, seed: int, held: dict[int, set[str]]) -> None:
        self._choose = random.Random(seed).choice
        self._left = MAX_CHOICES
        self._held = held

    def of(self, text: str) -> None:
        """Runs it, and notes what is seen."""
        makers = {f"K{number}": (lambda number=number: f"K{number}()") for number in range(text.count("K"))}
        tools = {"toss": self._toss, "some": self._some, "risk": self._risk, "enter": self._enter, "E": E}
        lines = text.splitlines()
        noted = "\n".join(line.replace("see(", f"see({number}, ") for number, line in enumerate(lines, 1))
        scope: dict[str, Any] = {**makers, **tools, "see": self._see}
        exec(compile(noted, "f.py", "exec"), scope)
        with suppress(E, GivenUp, UnboundLocalError):
            scope["f"]()

    def _toss(self) -> bool:
        self._left -= 1
        if self._left < 0:
            raise GivenUp
        return self._choose((True, False))

    def _some(self) -> list[str]:
        return ["item of some()"] * self._choose((0, 1, 2))

    def _risk(self) -> None:
        if self._toss():
            raise E

    @contextmanager
    def _enter(self) -> Iterator[str]:
        yield "entered enter()"

    def _see(self, line: int, *held: str) -> None:
        self._held[line].update(held)


def observed(text: str) -> dict[int, set[str]]:
    """What was seen in many runs, by line."""
    held: dict[int, set[str]] = defaultdict(set)
    for seed in range(RUNS):
        Run(seed, held).of(text)
    return held


def read(text: str) -> dict[int, set[str]]:
    """What the file says, by line."""
    held: dict[int, set[str]] = defaultdict(set)
    for line in seen(language.extract(text.encode(), "f.py")):
        _, _, values = line.head.partition(" = ")
        held[int(line.attributes["line"])].update(values.split(" | "))
    return held


LOOP_IN_LOOP = ["while toss():\n    while toss():\n        see(x)\n    x = K()"]
MIDDLE_OF_TRY = ["try:\n    x = K()\n    risk()\n    x = K()\nexcept E:\n    see(x)"]
ELSE = ["while toss():\n    x = K()\nelse:\n    see(x)"]
FINALLY_BEHIND_BREAK = ["while toss():\n    try:\n        break\n    finally:\n        x = K()"]
FINALLY_BEHIND_CONTINUE = ["while toss():\n    see(x, y)\n    try:\n        continue\n    finally:\n        x = K()"]
BRANCH_IN_TRY = ["try:\n    if toss():\n        x = K()\n        risk()\n        x = K()\nexcept E:\n    see(x)"]
ELSE_IN_TRY = ["try:\n    while toss():\n        x = K()\n    else:\n        risk()\n        x = K()\nexcept E: see(x)"]
RETURN_IN_TRY = ["try:\n    if toss():\n        x = K()\n        return\nfinally:\n    see(x)"]
MET_IN_LOOP = ["while toss():\n    for x in some():\n        pass\n    else:\n        see(x)\n        x = K()"]
NO_ELEMENT = ["for x in some():\n    pass"]


@settings(max_examples=150, deadline=None, derandomize=True)
@given(bodies)
@example(LOOP_IN_LOOP)
@example(MIDDLE_OF_TRY)
@example(ELSE)
@example(BRANCH_IN_TRY)
@example(ELSE_IN_TRY)
@example(RETURN_IN_TRY)
@example(MET_IN_LOOP)
@example(NO_ELEMENT)
@example(FINALLY_BEHIND_BREAK)
@example(FINALLY_BEHIND_CONTINUE)
def test_what_is_held_in_a_run_was_read(body: list[str]) -> None:
    text = program(body)
    if text is None:
        return
    said = read(text)
    missing = {line: sorted(held - said[line]) for line, held in observed(text).items() if held - said[line]}
    assert missing == {}, text
