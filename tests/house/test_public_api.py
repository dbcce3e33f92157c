"""Everything public is listed, typed and documented, and the list changes only on purpose.

What the names do is tested with the folder that defines them.
"""

from __future__ import annotations

import inspect
from pathlib import Path

import pytest

import keel
from tests import snapshots
from tests.repository import PACKAGE

SNAPSHOT = Path(__file__).with_name("public_api.txt")


def test_the_public_names_are_the_agreed_ones() -> None:
    snapshots.compare(SNAPSHOT, [f"{kind_of(name)} {name}" for name in sorted(keel.__all__)])


def test_no_name_is_listed_twice() -> None:
    assert len(keel.__all__) == len(set(keel.__all__))


@pytest.mark.parametrize("name", keel.__all__)
def test_each_public_name_is_there_and_documented(name: str) -> None:
    value = getattr(keel, name)
    # A plain value, such as the version, carries no docstring of its own.
    if kind_of(name) != "value":
        assert (value.__doc__ or "").strip(), f"keel.{name} has no docstring"


def test_the_package_tells_type_checkers_that_it_is_typed() -> None:
    assert (PACKAGE / "py.typed").is_file()


def kind_of(name: str) -> str:
    """What a public name is, in the word of the snapshot."""
    value = getattr(keel, name)
    if inspect.ismodule(value):
        return "module"
    if inspect.isclass(value):
        return "class"
    return "function" if inspect.isroutine(value) else "value"
