"""Which parameter gets which argument: the language's own rules, checked against `inspect` over all small signatures.

What arguments evaluate to is for the specs of links.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest

from keel.languages.python import language
from keel.languages.python.resolve.evaluate.abstract_values import TEXT
from keel.languages.python.resolve.evaluate.arguments import Arguments, PassedArgument, assigned, omitted
from keel.languages.python.resolve.parameters import Taking, taking
from keel.model.facts import Param

HEADS = [
    "a, b",
    "a, b=1",
    "a, /, b",
    "a, /, b=1, *, k",
    "a, *rest",
    "*rest, k=1",
    "a, **more",
    "a, k=1, **more",
    "a, /, *rest, k, **more",
    "*, a, b=1",
    "",
]
CALLS = list(product(range(4), ((), ("k",), ("b",), ("a",), ("k", "z"), ("b", "k"))))
"""How many positional arguments, and which keywords."""


def signature(head: str) -> tuple[list[Param], list[str], Taking]:
    """The parameters of `def f(head)`, their names, and what they take."""
    interface = language.extract(f"def f({head}): ...\n".encode(), "m.py").interface
    [found] = [each.signature for each in interface.defs if each.signature is not None]
    names = [interface.text(param.name) for param in found.params]
    return found.params, names, taking([param.kind for param in found.params], names)


def an_argument(text: str, name: str = "") -> PassedArgument:
    return PassedArgument(name, abstract_values=((TEXT, text),))


def arguments(positional: int, keywords: tuple[str, ...]) -> Arguments:
    """So many positional arguments, named by their place, and keywords, named by themselves."""
    return Arguments(
        tuple(an_argument(str(index)) for index in range(positional)),
        tuple((name, an_argument(name, name)) for name in keywords),
    )


def texts(given: list[PassedArgument]) -> list[str]:
    return [argument.abstract_values[0][1] for argument in given if argument.abstract_values]


def by_name(head: str, call: Arguments, skip: int = 0) -> dict[str, list[str]]:
    """What each parameter is given, by name."""
    _, names, takes = signature(head)
    return {names[index]: texts(given) for index, given in sorted(assigned(takes, call, skip).items())}


def fitting() -> Iterator[tuple[str, int, tuple[str, ...], inspect.BoundArguments]]:
    """Every head with every call that fits it, and what Python makes of it."""
    for head, (positional, keywords) in product(HEADS, CALLS):
        scope: dict[str, Any] = {}
        exec(f"def f({head}): ...", scope)
        try:
            bound = inspect.signature(scope["f"]).bind(
                *map(str, range(positional)), **{name: name for name in keywords}
            )
        except TypeError:
            continue
        yield head, positional, keywords, bound


@pytest.mark.parametrize(
    ("head", "positional", "keywords", "bound"),
    [pytest.param(*each, id=f"f({each[0]}) with {each[1]} and {','.join(each[2]) or 'none'}") for each in fitting()],
)
def test_arguments_are_given_as_python_does(
    head: str, positional: int, keywords: tuple[str, ...], bound: inspect.BoundArguments
) -> None:
    call = arguments(positional, keywords)
    expected = {
        name: list(value.values() if isinstance(value, dict) else value if isinstance(value, tuple) else [value])
        for name, value in bound.arguments.items()
    }
    assert by_name(head, call) == expected
    params, names, takes = signature(head)
    kept = [names[index] for index in omitted(params, assigned(takes, call, 0), call, 0)]
    defaults = {name for name, param in bound.signature.parameters.items() if param.default is not param.empty}
    assert kept == [name for name in names if name in defaults and name not in bound.arguments]


def test_a_receiver_takes_the_first_place() -> None:
    assert by_name("self, a, b=1", arguments(1, ("b",)), skip=1) == {"a": ["0"], "b": ["b"]}


def test_a_receiver_is_not_given_by_keyword() -> None:
    assert by_name("self, a", arguments(0, ("self", "a")), skip=1) == {"a": ["a"]}


def test_what_does_not_fit_is_left_out() -> None:
    assert by_name("a", arguments(3, ("z",))) == {"a": ["0"]}


def test_a_star_of_unknown_length_may_reach_every_further_place() -> None:
    call = Arguments((an_argument("0"),), rest=(an_argument("any"),), is_open=True)
    assert by_name("a, b, c=1, *rest, k=1", call) == {"a": ["0"], "b": ["any"], "c": ["any"], "rest": ["any"]}


def test_what_may_be_given_is_not_omitted() -> None:
    params, _, takes = signature("a, b=1")
    call = Arguments((an_argument("0"),), is_open=True)
    assert omitted(params, assigned(takes, call, 0), call, 0) == []
