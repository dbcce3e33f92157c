"""What is installed is found, once each, and the list of it changes only on purpose.

What the parts do is tested by the contract suite of each socket.
"""

from __future__ import annotations

from pathlib import Path

from keel import registry
from tests import snapshots

SNAPSHOT = Path(__file__).with_name("registry.txt")


def test_the_registry_is_the_agreed_one() -> None:
    snapshots.compare(SNAPSHOT, registry.describe())


def test_nothing_is_registered_twice() -> None:
    lines = registry.describe()
    assert len(lines) == len(set(lines))
