"""The registry: built-ins and guests by one door, each once, and none imported that was not asked for."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

import pytest

from keel import registry
from keel.errors import KeelError
from keel.surfaces.cli.through import is_quick
from tests.guests import install

COBOL = """
class language:
    name, suffixes = "cobol", (".cob", ".cbl")
    extract = linker = None
"""


class Install(Protocol):
    """Installs a distribution for the test."""

    def __call__(self, entry_points: str, name: str = "guest", **modules: str) -> None: ...


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    """A folder on the search path, empty at first."""
    monkeypatch.setattr(sys, "path", [*sys.path, str(tmp_path)])
    before = set(sys.modules)

    def put(entry_points: str, name: str = "guest", **modules: str) -> None:
        install(tmp_path, modules, entry_points, name)
        registry._guests.cache_clear()

    yield put
    registry._guests.cache_clear()
    for name in set(sys.modules) - before:
        del sys.modules[name]


def test_a_guest_is_found_beside_the_built_in_ones(installed: Install) -> None:
    installed("[keel.languages]\ncobol = cobol_guest\n", cobol_guest=COBOL)
    assert [language.name for language in registry.languages()] == ["cobol", "python"]
    assert "languages cobol .cob .cbl" in registry.describe()
    assert registry.guests(registry.LANGUAGES) == ["cobol"]


def test_an_entry_point_may_name_the_object_and_extras(installed: Install) -> None:
    text = (
        "# by hand\n[other]\nx = y\n\n[keel.languages]\n; a note\n cobol=cobol_other : language [fast]\n[more]\nz = 1\n"
    )
    installed(text, cobol_other=COBOL)
    assert [language.name for language in registry.languages()] == ["cobol", "python"]


def test_one_that_is_built_in_is_refused(installed: Install) -> None:
    installed("[keel.languages]\npython = cobol_guest\n")
    with pytest.raises(
        KeelError, match=r"'python' is built in, and the entry point 'python' .* in guest brings another"
    ):
        registry.languages()


def test_two_of_one_name_are_refused(installed: Install) -> None:
    installed("[keel.languages]\ncobol = a\n", name="first")
    installed("[keel.languages]\ncobol = b\n", name="second")
    with pytest.raises(KeelError, match=r"languages: the entry point 'cobol' .* are two of one name"):
        registry.languages()


def test_two_rules_of_one_code_are_refused(installed: Install) -> None:
    rule = "CODE, CATEGORY, SEVERITY = 'E001', 'mine', 'ERROR'\ndef check(case): return iter(())\n"
    installed("[keel.rules]\nx001_mine = my_rule\n", my_rule=rule)
    with pytest.raises(KeelError, match="'x001_mine' has the code E001 of 'e001_broken_caller'"):
        registry.rules()


def test_the_first_distribution_of_a_name_hides_the_others(
    installed: Install, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    installed("[keel.languages]\ncobol = cobol_guest\n", cobol_guest=COBOL)
    later = install(tmp_path / "later", {}, "[keel.languages]\nfortran = nowhere\n")
    monkeypatch.setattr(sys, "path", [*sys.path, str(later)])
    registry._guests.cache_clear()
    assert registry.guests(registry.LANGUAGES) == ["cobol"]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("[keel.rules]\nnonsense\n", "of guest: line 2 is no `name = module:attribute` in \\[keel.rules\\]"),
        ("[keel.rules]\n = module\n", "of guest: line 2 is no"),
    ],
)
def test_a_bad_file_is_an_error_that_names_the_distribution(installed: Install, text: str, problem: str) -> None:
    installed(text)
    with pytest.raises(KeelError, match=problem):
        registry.names(registry.RULES)


@pytest.mark.parametrize("text", ["[other]\nnonsense\n", "[keel.toys]\nnonsense\n", ""])
def test_what_is_not_for_keel_is_not_looked_at(installed: Install, text: str) -> None:
    installed(text)
    assert registry.guests(registry.RULES) == []


def test_a_part_that_does_not_fit_its_socket_is_refused(installed: Install) -> None:
    installed("[keel.operations]\ndance = dance_verb\n", dance_verb="Params = object\n")
    with pytest.raises(KeelError, match=r"'dance' of keel\.operations in guest offers no Result, run"):
        registry.operation("dance")


@pytest.mark.parametrize("reference", ["no_such_module", "dance_verb:nothing"])
def test_a_part_that_cannot_be_loaded_is_refused(installed: Install, reference: str) -> None:
    installed(f"[keel.operations]\ndance = {reference}\n", dance_verb="")
    with pytest.raises(KeelError, match=r"'dance' of keel\.operations in guest cannot be loaded: "):
        registry.operation("dance")


def test_relative_folders_and_the_working_directory_bring_no_guests(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(tmp_path, {}, "[keel.rules]\nx001 = evil\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path, "", ".", str(tmp_path)])
    registry._guests.cache_clear()
    assert registry.guests(registry.RULES) == []
    registry._guests.cache_clear()


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
    assert said.split() == ["keel.operations.where", "False", "False"]


@pytest.mark.parametrize("verb", registry.names(registry.OPERATIONS))
def test_whether_a_verb_is_quick_is_read_off_its_text(verb: str) -> None:
    assert is_quick(verb) == getattr(registry.operation(verb), "QUICK", False)


def test_what_runs_after_every_edit_goes_through_the_daemon() -> None:
    assert is_quick("hook")
    assert is_quick("compile")
    assert not is_quick("map")
    assert not is_quick("../operations/compile")
