"""The registry: built-ins and guests by one door, each once, and none imported that was not asked for."""

from __future__ import annotations

import importlib.metadata
import subprocess
import sys
from types import SimpleNamespace

import pytest

from keel import registry
from keel.errors import KeelError


class Entry:
    """An entry point of another distribution."""

    def __init__(self, name: str, part: object) -> None:
        self.name, self._part = name, part

    def load(self) -> object:
        return self._part


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> dict[str, list[Entry]]:
    """What other distributions bring, by group; a test fills it."""
    entries: dict[str, list[Entry]] = {}
    monkeypatch.setattr(importlib.metadata, "entry_points", lambda group: entries.get(group, []))
    return entries


def test_a_guest_is_found_when_guests_are_asked_for(installed: dict[str, list[Entry]]) -> None:
    cobol = SimpleNamespace(name="cobol", suffixes=(".cob", ".cbl"))
    installed["keel.languages"] = [Entry("cobol", cobol)]
    assert [language.name for language in registry.languages()] == ["python"]
    assert [language.name for language in registry.languages(plugins=True)] == ["cobol", "python"]
    assert "languages cobol .cob .cbl" in registry.describe(plugins=True)


@pytest.mark.parametrize("names", [["python"], ["cobol", "cobol"]])
def test_two_of_one_name_are_refused(installed: dict[str, list[Entry]], names: list[str]) -> None:
    installed["keel.languages"] = [Entry(name, SimpleNamespace(name=name, suffixes=())) for name in names]
    with pytest.raises(KeelError, match=f"'{names[0]}' is installed by"):
        registry.languages(plugins=True)


def test_a_part_that_does_not_fit_its_socket_is_refused(installed: dict[str, list[Entry]]) -> None:
    installed["keel.operations"] = [Entry("dance", SimpleNamespace(Params=object))]
    with pytest.raises(KeelError, match=r"'dance' of keel\.operations offers no Result, run"):
        registry.operation("dance", plugins=True)


def test_a_folder_of_operations_is_a_family() -> None:
    assert "tools list" in registry.family("tools")
    assert set(registry.family("tools")) <= set(registry.names(registry.OPERATIONS))
    assert "tools" not in registry.names(registry.OPERATIONS)
    assert registry.family("where") == registry.family("") == registry.family("..") == []


@pytest.mark.parametrize(
    "name", ["", "nope", "_line", "__init__", "../errors", "a.b", "tools", "tools.list", "tools _spaces", "tools nope"]
)
def test_what_is_not_there_is_none(name: str) -> None:
    assert registry.operation(name) is None
    assert registry.format(name) is None


def test_one_operation_is_loaded_without_the_others() -> None:
    program = (
        "import sys; from keel import registry; registry.operation('where');"
        "print(*sorted(name for name in sys.modules if name.startswith('keel.operations.')),"
        "'importlib.metadata' in sys.modules, 'msgspec' in sys.modules)"
    )
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, encoding="utf-8", check=True).stdout
    shared = [f"keel.operations.{name}" for name in ("_single", "_symbol_or_tool")]
    assert said.split() == [*shared, "keel.operations.where", "False", "False"]
