"""Binding is Python's own: random signatures, records and partial applications against really calling them.

A verdict must be that of the call, and the first reason must name what Python's own message names. What cannot be made
up at random (decorators, bases outside) is for the specs in `tests/spec/python/binding`.
"""

from __future__ import annotations

import inspect
import re
import sys
import types
from collections.abc import Callable
from itertools import combinations
from typing import Any

from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from keel.languages.python.binding.bind import (
    Callee,
    CallShape,
    Fault,
    Fits,
    Misfit,
    NotKnown,
    Outcome,
    Reason,
    bind,
    bind_shape,
)
from keel.languages.python.binding.callees import Reached, callee_of, callee_of_value
from keel.languages.python.binding.calls import read_call
from tests.texts import Texts, text_of

NAMES = ("a", "b", "c", "d", "e")
MANY = settings(max_examples=200, deadline=None)
FEWER = settings(max_examples=100, deadline=None)


# what is made up


@st.composite
def signatures(draw: st.DrawFn, first: str = "") -> str:
    """A parameter list, as text."""
    names = list(draw(st.permutations(NAMES)))[: draw(st.integers(0, 5))]
    only, plain = draw(st.integers(0, 2)), draw(st.integers(0, 3))
    places, middle, keywords = names[:only], names[only : only + plain], names[only + plain :]
    optional_from = draw(st.integers(0, len(places) + len(middle)))
    text = [f"{name}=0" if index >= optional_from else name for index, name in enumerate(places + middle)]
    parts = ([first] if first else []) + text[: len(places)]
    parts += ["/"] if parts and places else []
    parts += text[len(places) :]
    star = draw(st.booleans())
    parts += ["*rest"] if star else ["*"] if keywords else []
    parts += [f"{name}=0" if draw(st.booleans()) else name for name in keywords]
    parts += ["**more"] if draw(st.booleans()) else []
    return ", ".join(parts)


@st.composite
def calls(draw: st.DrawFn) -> str:
    """The arguments of a call, as text; stars are written out."""
    count = draw(st.integers(0, 4))
    names = draw(st.lists(st.sampled_from((*NAMES, "z")), unique=True, max_size=4))
    starred = draw(st.integers(0, 2)) if draw(st.booleans()) else 0
    parts = [str(number) for number in range(count)]
    parts += [f"*({', '.join(['1'] * starred)},)"] if starred else []
    opened = draw(st.integers(0, len(names)))
    parts += [f"{name}=0" for name in names[opened:]]
    entries = ", ".join(f'"{name}": 0' for name in names[:opened])
    parts += [f"**{{{entries}}}"] if opened else []
    return ", ".join(parts)


def verdict(call: Callable[[], object]) -> TypeError | None:
    """What Python itself says of a call."""
    try:
        call()
    except TypeError as error:
        return error
    except NameError:  # what dataclasses make of a field that is for `__init__` and kept out of it
        assume(False)
    return None


def executed(source: str) -> dict[str, Any]:
    """The names of a program; programs that Python refuses are not looked at."""
    module = types.ModuleType("made_up")
    sys.modules["made_up"] = module  # dataclasses look annotations in quotes up there
    try:
        exec(compile(source, "made_up.py", "exec", dont_inherit=True), module.__dict__)
    except (TypeError, ValueError):
        assume(False)
    finally:
        del sys.modules["made_up"]
    return module.__dict__


def last_call(source: str) -> tuple[Texts, CallShape, int]:
    """The last call of a program: its shape and the place of what it calls."""
    tree = text_of(source)
    place = tree.calls()[-1]
    return tree, read_call(tree.interface(0), place), tree.interface(0).ir[place + 1]


def outcome_of(source: str) -> Outcome:
    """Whether the last call of a program fits what it names."""
    tree, call, place = last_call(source)
    return bind(call, callee_of_value(tree.names(), 0, place))


# what is compared

QUOTED = re.compile(r"'([^']*)'")
COUNTS = re.compile(r"takes (?:from (\d+) to )?(\d+) positional arguments? but (\d+)")


def agree(outcome: Outcome, error: TypeError | None, before: int = 0) -> None:
    """The verdict is Python's, and the first reason is the one it raises; `before` arguments are not written."""
    assert not isinstance(outcome, NotKnown), outcome.doubt.words
    if error is None:
        assert isinstance(outcome, Fits), outcome
        return
    assert isinstance(outcome, Misfit), error
    said, reason = str(error), outcome.reasons[0]
    if "takes no arguments" in said:
        assert reason.fault in (Fault.TOO_MANY, Fault.UNEXPECTED_KEYWORD)
        return
    assert reason.fault is fault_of(said), said
    if reason.fault is Fault.TOO_MANY:
        match = COUNTS.search(said)
        assert match
        least, most, number = (int(count) - before for count in (match[1] or match[2], match[2], match[3]))
        assert (reason.least, reason.most, reason.given) == (max(least, 0), most, number), said
    elif reason.fault in (Fault.MISSING, Fault.MISSING_KEYWORD):
        assert list(reason.names) == QUOTED.findall(said)
    elif reason.fault is Fault.POSITIONAL_ONLY:
        assert list(reason.names) == QUOTED.findall(said)[0].split(", ")
    else:
        assert reason.names[0] == QUOTED.findall(said)[0]


def fault_of(said: str) -> Fault:
    """What is wrong by the words of Python's message."""
    words = {
        "required positional": Fault.MISSING,
        "required keyword-only": Fault.MISSING_KEYWORD,
        "unexpected keyword": Fault.UNEXPECTED_KEYWORD,
        "multiple values": Fault.MULTIPLE_VALUES,
        "positional-only arguments passed": Fault.POSITIONAL_ONLY,
        "positional argument": Fault.TOO_MANY,
    }
    return next(fault for part, fault in words.items() if part in said)


# functions


@MANY
@given(signatures(), calls())
def test_a_function_takes_what_python_lets_it_take(head: str, call: str) -> None:
    source = f"def f({head}): ...\ndef probe(): return f({call})\n"
    scope = executed(source)
    outcome = outcome_of(source)
    agree(outcome, verdict(scope["probe"]))
    shape = last_call(source)[1]
    bound = verdict(
        lambda: inspect.signature(scope["f"]).bind(*range(shape.positional), **dict.fromkeys(shape.keywords, 0))
    )
    if "positional only" not in str(bound):  # `inspect` refuses a name that `**more` takes when it is called
        assert isinstance(outcome, Fits) == (bound is None)


@FEWER
@given(signatures("self"), calls(), st.sampled_from(("", "@classmethod", "@staticmethod")), st.booleans())
def test_a_method_takes_what_python_lets_it_take(head: str, call: str, decorator: str, on_class: bool) -> None:
    owner = "A" if on_class else "A()"
    source = f"class A:\n    {decorator}\n    def m({head}): ...\ndef probe(): return {owner}.m({call})\n"
    tree = text_of(source)
    shape = read_call(tree.interface(0), tree.calls()[-1])
    reached = Reached.CLASS if on_class else Reached.INSTANCE
    outcome = bind(shape, callee_of(tree.names(), tree.place("A.m"), reached))
    before = int(decorator == "@classmethod" or (not on_class and not decorator))
    agree(outcome, verdict(executed(source)["probe"]), before)


@FEWER
@given(signatures("cls"), signatures("self"), calls(), st.sampled_from(("init", "new", "both", "neither")))
def test_a_constructor_takes_what_python_lets_it_take(new: str, init: str, call: str, which: str) -> None:
    body = "    x = 0\n"
    if which in ("new", "both"):
        body += f"    def __new__({new}): return object.__new__(cls)\n"
    if which in ("init", "both"):
        body += f"    def __init__({init}): ...\n"
    source = f"class A:\n{body}class B(A): ...\ndef probe(): return B({call})\n"
    agree(outcome_of(source), verdict(executed(source)["probe"]), before=1)


@FEWER
@given(signatures(), calls(), calls(), st.booleans())
def test_a_partial_takes_what_is_left(head: str, given_before: str, call: str, twice: bool) -> None:
    made = f"partial(f, {given_before})"
    made = f"partial({made}, 9)" if twice else made
    source = f"from functools import partial\ndef f({head}): ...\np = {made}\ndef probe(): return p({call})\n"
    before = last_call(f"f({given_before})")[1].positional + twice
    outcome, error = outcome_of(source), verdict(executed(source)["probe"])
    if isinstance(outcome, Misfit) and outcome.reasons[0].fault is Fault.TOO_MANY:
        room = len([part for part in inspect.signature(executed(source)["f"]).parameters.values() if part.kind <= 1])
        before = min(before, room)
    agree(outcome, error, before)


# records


@st.composite
def record_fields(draw: st.DrawFn) -> str:
    """The body of a dataclass."""
    values = (
        "",
        " = 0",
        " = field()",
        " = field(default=0)",
        " = field(default_factory=int)",
        " = field(init=False, default=0)",
        " = field(kw_only=True)",
        " = field(kw_only=False, default=1)",
    )
    hints = ("int", "InitVar[int]", "ClassVar[int]", "'int'", "'InitVar[int]'", "dc.InitVar[int]", "t.ClassVar", "list")
    names = draw(st.lists(st.sampled_from(NAMES[:4]), unique=True, max_size=4))
    lines = [f"    {name}: {draw(st.sampled_from(hints))}{draw(st.sampled_from(values))}\n" for name in names]
    if draw(st.integers(0, 3)) == 0:
        lines.insert(draw(st.integers(0, len(lines))), "    _: KW_ONLY\n")
    return "".join(lines) or "    ...\n"


OPTIONS = ("", "()", "(kw_only=True)", "(init=False)", "(slots=True)", "(frozen=True, kw_only=False)")
HEAD = """
import dataclasses as dc
import typing as t
from collections import namedtuple
from dataclasses import KW_ONLY, InitVar, dataclass, field
from typing import ClassVar, NamedTuple
"""


@MANY
@example("    a: ClassVar[int] = 0\n    b: int\n", "    a: int\n    b: int = 0\n", "(slots=True)", "", "")
@example("    a: InitVar[int] = 0\n", "    a: int\n", "(slots=True)", "", "")
@given(record_fields(), record_fields(), st.sampled_from(OPTIONS), st.sampled_from((*OPTIONS, None)), calls())
def test_a_dataclass_takes_its_fields(first: str, second: str, base: str, own: str | None, call: str) -> None:
    decorator = "" if own is None else f"@dataclass{own}\n"
    source = (
        f"{HEAD}@dataclass{base}\nclass A:\n{first}\n{decorator}class B(A):\n{second}\n"
        f"    def __post_init__(self, *given): ...\ndef probe(): return B({call})\n"
    )
    scope = executed(source)
    error = verdict(scope["probe"])
    assume(error is None or "B.__init__()" in str(error) or "A.__init__()" in str(error) or "B()" in str(error))
    agree(outcome_of(source), error, before=1)


@FEWER
@given(st.lists(st.sampled_from(NAMES), unique=True), st.integers(0, 4), calls(), st.integers(0, 4))
def test_a_named_tuple_takes_its_fields(names: list[str], required: int, call: str, form: int) -> None:
    needed = names[:required]
    body = "".join(f"    {name}: int{'' if name in needed else ' = 0'}\n" for name in names) or "    ...\n"
    defaults = f"[{', '.join('0' for _ in names[len(needed) :])}]"
    pairs = ", ".join(f'("{name}", int)' for name in names)
    made = [
        f"class P(NamedTuple):\n{body}",
        f"class Q(NamedTuple):\n{body}\nclass P(Q): ...\n",
        f'P = namedtuple("P", "{" ".join(names)}", defaults={defaults})\n',
        f'class P(namedtuple("P", {names!r}, defaults={defaults})):\n    def m(self): ...\n',
        f'P = NamedTuple("P", [{pairs}])\n',
    ][form]
    source = f"{HEAD}{made}def probe(): return P({call})\n"
    agree(outcome_of(source), verdict(executed(source)["probe"]), before=1)


# stars of unknown content


@MANY
@given(signatures(), calls(), st.booleans(), st.booleans())
def test_an_open_call_is_judged_by_all_that_it_may_be(head: str, call: str, star: bool, stars: bool) -> None:
    source = f"def f({head}): ...\ndef probe(): return f({call})\n"
    tree, shape, place = last_call(source)
    assume(len(set(shape.keywords)) == len(shape.keywords))
    callee = callee_of_value(tree.names(), 0, place)
    open_call = CallShape(shape.positional, shape.keywords, star, stars)
    outcome = bind(open_call, callee)
    all_fit = [isinstance(bind(each, callee), Fits) for each in possible(open_call)]
    if isinstance(outcome, Misfit):
        assert not any(all_fit)
    elif isinstance(outcome, Fits):
        assert all(all_fit)
    else:
        assert any(all_fit)
        assert not all(all_fit)


def possible(call: CallShape) -> list[CallShape]:
    """The calls that one with stars may be, as far as few arguments go."""
    names = (*NAMES, "z", "other")
    sets = (
        [each for size in range(len(names) + 1) for each in combinations(names, size)] if call.more_keywords else [()]
    )
    return [
        CallShape(call.positional + extra, call.keywords + more)
        for extra in range(8 if call.more_positional else 1)
        for more in sets
    ]


def test_reasons_are_told_in_words() -> None:
    tree = text_of("def f(a, b, /, *, c): ...\nf(1, 2, 3, b=1, z=2)\n")
    outcome = bind(read_call(tree.interface(0), tree.calls()[0]), callee_of(tree.names(), tree.place("f")))
    assert isinstance(outcome, Misfit)
    assert [reason.words for reason in outcome.reasons] == [
        "positional-only 'b' passed by keyword",
        "unexpected keyword 'z'",
        "too many positional arguments: takes 2, given 3",
        "missing required keyword-only 'c'",
    ]


def test_nothing_is_asked_of_a_callee_without_shapes() -> None:
    assert isinstance(bind(CallShape(3), Callee()), Fits)
    assert Reason(Fault.MISSING, ("x", "y")).words == "missing required 'x', 'y'"


def test_a_shape_is_bound_alone() -> None:
    tree = text_of("def f(a): ...\n")
    [shape] = callee_of(tree.names(), tree.place("f")).shapes
    assert isinstance(bind_shape(CallShape(1), shape), Fits)
