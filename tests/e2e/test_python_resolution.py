"""The acceptance criteria of Python's resolution, in the words in which they were agreed, on the command line.

Each is a test of its own; what lies behind them is tested where it lives (`tests/unit/test_python_heuristic.py`,
`tests/e2e/test_ty.py`, `tests/spec/python/links`).
"""

from __future__ import annotations

import json
import logging
import sqlite3
from collections.abc import Callable, Mapping
from contextlib import closing
from typing import Any

import pytest

from keel import PythonHeuristicResolver, TyResolver
from keel.errors import HelperError
from keel.model.kinds import Tier
from keel.resolvers.ty import find
from keel.resolvers.ty.find import find_ty
from tests.workspaces import MakeWorkspace, RunKeel

pytestmark = pytest.mark.usefixtures("with_ty")

Json = dict[str, Any]
Mapped = Callable[..., list[Json]]


@pytest.fixture
def mapped(workspace: MakeWorkspace, run_keel: RunKeel) -> Mapped:
    """What `keel export` says of a project that was mapped, with ty unless it is left out."""

    def exported(files: Mapping[str, str], *options: str) -> list[Json]:
        if "--no-ty" not in options:
            try:
                find_ty()
            except HelperError as error:
                pytest.skip(str(error))
        folder = workspace(files)
        assert run_keel(["map", *options], cwd=folder).returncode == 0
        return [json.loads(line) for line in run_keel(["export"], cwd=folder).stdout.splitlines()]

    return exported


def edge(lines: list[Json], kind: str, source: str, target: str) -> Json:
    """The one edge of a kind between two symbols, each said by the end of its id."""
    [found] = [
        line
        for line in lines
        if line["type"] == "edge"
        and line["kind"] == kind
        and line["source"].endswith(source)
        and line["target"].endswith(target)
    ]
    return found


def test_given_a_python_project_with_relative_imports_when_ty_is_installed_and_resolution_runs_then_the_imports_edge_resolves_to_the_correct_file_and_symbol_with_confidence_093_or_more(  # noqa: E501  # the words of the criterion
    mapped: Mapped,
) -> None:
    lines = mapped(
        {
            "app/__init__.py": "",
            "app/models.py": "class User: ...\n",
            "app/auth/__init__.py": "",
            "app/auth/login.py": "from ..models import User\n",
        }
    )
    found = edge(lines, "imports", ":app/auth/login.py:<module>", ":app/models.py:User")
    assert found["confidence"] >= 0.93
    assert found["tier"] == "tier2_ty"


@pytest.mark.parametrize("options", [(), ("--no-ty",)], ids=["with ty", "without ty"])
def test_given_a_package_with_init_re_exporting_symbols_when_a_consumer_imports_from_the_package_name_then_the_resolution_traces_through_init_to_the_actual_definition_file(  # noqa: E501  # the words of the criterion
    mapped: Mapped, options: tuple[str, ...]
) -> None:
    files = {
        "auth/__init__.py": "from .login import authenticate\n",
        "auth/login.py": "def authenticate(): ...\n",
        "main.py": "from auth import authenticate\nauthenticate()\n",
    }
    lines = mapped(files, *options)
    edge(lines, "imports", ":main.py:<module>", ":auth/login.py:authenticate")
    edge(lines, "calls", ":main.py:<module>", ":auth/login.py:authenticate")


@pytest.mark.parametrize("options", [(), ("--no-ty",)], ids=["with ty", "without ty"])
@pytest.mark.parametrize("listed", ["", "__all__ = ['f']\n"], ids=["without __all__", "with __all__"])
def test_given_a_file_with_from_module_import_star_when_resolution_runs_then_the_edge_is_created_with_confidence_060_or_less_and_a_warning_star_import_annotation(  # noqa: E501  # the words of the criterion
    mapped: Mapped, listed: str, options: tuple[str, ...]
) -> None:
    lines = mapped({"utils.py": f"{listed}def f(): ...\n", "main.py": "from utils import *\nf()\n"}, *options)
    found = edge(lines, "calls", ":main.py:<module>", ":utils.py:f")
    assert found["confidence"] <= 0.6
    assert found["metadata"]["warning"].startswith("WARNING: star import from 'utils'")


def test_given_a_function_with_full_type_annotations_when_the_function_node_is_created_then_type_hints_present_is_set_to_true(  # noqa: E501  # the words of the criterion
    workspace: MakeWorkspace, run_keel: RunKeel
) -> None:
    folder = workspace({"m.py": "def f(x: int) -> str: ...\ndef g(x) -> str: ...\n"})
    run_keel(["map"], cwd=folder)
    said = [json.loads(run_keel(["describe", name, "--json"], cwd=folder).stdout) for name in ("f", "g")]
    assert [one["node"]["type_hints_present"] for one in said] == [True, False]


def test_given_ty_is_not_installed_on_the_system_when_tyresolver_new_is_called_then_it_logs_a_warning_and_available_is_set_to_false_and_resolution_falls_back_to_tree_sitter_heuristics(  # noqa: E501  # the words of the criterion
    workspace: MakeWorkspace, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(find, "_candidates", lambda: iter(()))
    folder = workspace({"lib.py": "def f(): ...\n", "main.py": "from lib import f\nf()\n"})
    with caplog.at_level(logging.WARNING, "keel"):
        resolver = TyResolver(folder)
    assert "ty was not found" in caplog.text
    assert resolver.available is False
    found = resolver.resolve_project()
    assert found == PythonHeuristicResolver(folder).resolve_project()
    assert {one.tier for one in found.edges} == {"tier1_treesitter", "tier2_treesitter_heuristic"}


def test_given_ty_is_installed_and_a_project_has_an_if_type_checking_import_block_when_resolution_runs_then_imports_inside_the_block_are_marked_as_type_only_true(  # noqa: E501  # the words of the criterion
    mapped: Mapped,
) -> None:
    lines = mapped(
        {
            "models.py": "class User: ...\nclass Role: ...\n",
            "main.py": "from typing import TYPE_CHECKING\nfrom models import Role\n\n"
            "if TYPE_CHECKING:\n    from models import User\n",
        }
    )
    assert edge(lines, "imports", ":main.py:<module>", ":models.py:User")["type_only"] is True
    assert edge(lines, "imports", ":main.py:<module>", ":models.py:Role")["type_only"] is False


@pytest.mark.parametrize("options", [(), ("--no-ty",)], ids=["with ty", "without ty"])
def test_given_a_python_project_with_nested_packages_when_from_a_b_c_import_func_is_resolved_then_each_package_level_has_a_valid_init_and_the_resolution_walks_the_full_chain(  # noqa: E501  # the words of the criterion
    mapped: Mapped, options: tuple[str, ...]
) -> None:
    files = {
        "a/__init__.py": "",
        "a/b/__init__.py": "",
        "a/b/c/__init__.py": "from .deep import func\n",
        "a/b/c/deep.py": "def func(): ...\n",
        "main.py": "from a.b.c import func\n",
    }
    found = edge(mapped(files, *options), "imports", ":main.py:<module>", ":a/b/c/deep.py:func")
    without = edge(mapped({**files, "a/b/__init__.py": "x = 1\n"}, *options), "imports", ":main.py:<module>", ":func")
    assert found["confidence"] == without["confidence"]
    assert found["confidence"] == (0.78 if options else 0.95)


def test_given_the_heuristic_resolver_encounters_an_absolute_import_matching_two_candidate_files_when_resolution_runs_without_ty_then_the_edge_is_created_with_confidence_040_and_both_candidates_are_noted_in_metadata(  # noqa: E501  # the words of the criterion
    mapped: Mapped,
) -> None:
    lines = mapped(
        {"tools/lib.py": "def f(): ...\n", "lib.py": "def f(): ...\n", "tools/main.py": "from lib import f\n"},
        "--no-ty",
    )
    found = edge(lines, "imports", ":tools/main.py:<module>", ":f")
    assert found["confidence"] == 0.4
    assert sorted(one.split(":")[2] for one in found["metadata"]["candidates"]) == ["lib.py", "tools/lib.py"]


def test_resolution_results_are_kept_in_the_resolution_cache_by_tier(
    workspace: MakeWorkspace, run_keel: RunKeel
) -> None:
    folder = workspace({"lib.py": "def f(): ...\n", "main.py": "from lib import f\nf()\n"})
    run_keel(["map"], cwd=folder)
    with closing(sqlite3.connect(folder / ".keel/graph.db")) as graph:
        tiers = {tier for (tier,) in graph.execute("SELECT resolution_tier FROM resolution_cache")}
    assert tiers == {int(Tier.TIER2_TY)}
