"""Values that programs give: what fits becomes parameters, and everything else is told, at once."""

from __future__ import annotations

import pytest

from keel.errors import UsageError
from keel.model.record import Record, field
from keel.surfaces.given import params_of


class Params(Record):
    """Parameters of every form."""

    name: str = field("A name.")
    count: int = field("A count.", default=1, least=0, most=9)
    share: float | None = field("A share.", default=None)
    words: tuple[str, ...] = field("Words.", default=())
    kind: str = field("A kind.", default="a", choices=("a", "b"))
    filter: dict[str, str | tuple[str, ...]] = field("A filter.", default={})
    loud: bool = field("Whether.", default=False)
    anything: object = field("Anything.", default=None)


def test_values_become_parameters() -> None:
    given = params_of(Params, {"name": "x", "share": 1, "words": ["a", "b"], "filter": {"root": ["r"], "x": "y"}})
    assert (given.name, given.count, given.share, given.words) == ("x", 1, 1, ("a", "b"))
    assert given.filter == {"root": ("r",), "x": "y"}


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({}, "name is missing: A name"),
        ({"name": 1}, "name is a text, not 1"),
        ({"name": "x", "count": "1"}, "count is a whole number, not '1'"),
        ({"name": "x", "count": True}, "count is a whole number, not True"),
        ({"name": "x", "count": 10}, "count is at least 0 and at most 9, not 10"),
        ({"name": "x", "share": "much"}, "share is a number or null"),
        ({"name": "x", "words": "a"}, "words is a list, each of it a text, not 'a'"),
        ({"name": "x", "words": ["a", 2]}, "words is a list, each of it a text"),
        ({"name": "x", "words": ["a"] * 1001}, "words has 1,001 entries"),
        ({"name": "x", "kind": "c"}, "kind is one of a, b, not 'c'"),
        ({"name": "x", "filter": {"root": 3}}, "filter is an object"),
        ({"name": "x", "filter": ["root"]}, "filter is an object"),
        ({"name": "x", "loud": 1}, "loud is true or false, not 1"),
        ({"name": "x" * 10_001}, "name has 10,001 letters"),
        ({"name": "a\0"}, "name has a sign in it"),
        ({"name": "\ud800"}, "name has a sign in it"),
        ({"name": "x", "nmae": "y"}, "there is no parameter 'nmae'"),
        ({"name": "x", "anything": {"deep": ["\0"]}}, "anything has a sign in it"),
    ],
    ids=lambda value: str(value)[:30],
)
def test_what_does_not_fit_is_said(given: dict[str, object], said: str) -> None:
    with pytest.raises(UsageError) as refused:
        params_of(Params, given)
    assert said in refused.value.message()


def test_everything_that_is_wrong_is_said_at_once_with_what_there_is() -> None:
    with pytest.raises(UsageError) as refused:
        params_of(Params, {"nmae": "x", "count": -1})
    said = refused.value.message()
    assert all(part in said for part in ("'nmae'", "name is missing", "count is at least 0"))
    assert refused.value.hint.startswith("it takes name, count")


def test_numbers_that_are_none_do_not_fit_bounds() -> None:
    class Bounded(Record):
        """A number with bounds."""

        share: float = field("A share.", least=0, most=1)

    with pytest.raises(UsageError):
        params_of(Bounded, {"share": float("nan")})
