"""What the resolver of Python promises without a type checker: its criteria of acceptance, and the public class."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from keel import KeelError, PythonHeuristicResolver, open_workspace
from keel.errors import ImportUnresolved
from keel.model.lines import EdgeLine
from keel.operations import describe
from keel.operations import map as map_
from tests.workspaces import MakeWorkspace

AUTH = {
    "src/models.py": "class User: ...\n",
    "src/__init__.py": "",
    "src/auth/__init__.py": "from .login import authenticate\nfrom .register import create_user\n",
    "src/auth/login.py": (
        "from . import tools\nfrom ..models import User\nfrom .helpers import hash\n\n\n"
        "def authenticate(user: User) -> str:\n    return hash(tools.salt())\n"
    ),
    "src/auth/register.py": "def create_user(name): ...\n",
    "src/auth/tools.py": "def salt(): ...\n",
    "src/auth/helpers.py": "def hash(text): ...\n",
}


def edge(folder: Path, kind: str, source: str, target: str) -> EdgeLine:
    """The one edge of a kind between two symbols, each said by the end of its id."""
    edges = PythonHeuristicResolver(folder).resolve_project().edges
    [found] = [one for one in edges if one.kind == kind and one.source.endswith(source) and one.target.endswith(target)]
    return found


# acceptance


def test_given_a_project_with_relative_imports_the_imports_edge_resolves_to_the_correct_file_and_symbol(
    workspace: MakeWorkspace,
) -> None:
    """`from ..models import User`, with `__init__.py` present: 0.85 without a type checker."""
    found = edge(workspace(AUTH), "imports", "src/auth/login.py:<module>", ":User")
    assert found.target.endswith(":src/models.py:User")
    assert found.confidence == 0.85


def test_given_a_package_re_exporting_symbols_the_resolution_traces_through_init_to_the_actual_definition_file(
    workspace: MakeWorkspace,
) -> None:
    folder = workspace({**AUTH, "main.py": "from src.auth import authenticate\n"})
    found = edge(folder, "imports", ":main.py:<module>", ":authenticate")
    assert found.target.endswith(":src/auth/login.py:authenticate")
    assert found.confidence == 0.78


@pytest.mark.parametrize(
    ("exports", "confidence"), [("", 0.5), ("__all__ = ['f']\n", 0.6)], ids=["without __all__", "with __all__"]
)
def test_given_a_star_import_the_edge_has_confidence_at_most_60_and_a_warning(
    workspace: MakeWorkspace, exports: str, confidence: float
) -> None:
    folder = workspace({"tools.py": f"{exports}def f(): ...\n", "main.py": "from tools import *\nf()\n"})
    found = edge(folder, "calls", ":main.py:<module>", ":tools.py:f")
    assert found.confidence == confidence
    assert found.metadata["warning"] == "WARNING: star import from 'tools' — resolution is ambiguous"


def test_given_a_star_import_without_all_private_names_do_not_come(workspace: MakeWorkspace) -> None:
    folder = workspace({"tools.py": "def _f(): ...\n", "main.py": "from tools import *\n_f()\n"})
    found = PythonHeuristicResolver(folder).resolve_project()
    assert [one.kind for one in found.edges if one.target.endswith(":_f") and one.kind == "calls"] == []
    assert [(one.name, one.reason) for one in found.unresolved] == [("_f", "no_candidate")]


@pytest.mark.parametrize(
    ("signature", "present"), [("(x: int) -> str", True), ("(x: int)", False), ("(x) -> str", False)]
)
def test_given_a_function_with_full_type_annotations_type_hints_present_is_set_to_true(
    workspace: MakeWorkspace, signature: str, present: bool
) -> None:
    opened = open_workspace(str(workspace({"main.py": f"def f{signature}: ...\n"})))
    opened.prepare()
    map_.run(opened, map_.Params())
    assert describe.run(opened, describe.Params(symbol="f")).node.type_hints_present is present


def test_given_ty_is_not_installed_resolution_falls_back_to_heuristics(workspace: MakeWorkspace) -> None:
    resolver = PythonHeuristicResolver(workspace(AUTH))
    assert resolver.available is True
    tiers = {one.tier for one in resolver.resolve_project().edges}
    assert tiers == {"tier1_treesitter", "tier2_treesitter_heuristic"}


def test_given_an_if_type_checking_block_imports_inside_it_are_marked_type_only(workspace: MakeWorkspace) -> None:
    main = (
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from models import User\nfrom models import Other\n"
    )
    folder = workspace({"models.py": "class User: ...\nclass Other: ...\n", "main.py": main})
    assert edge(folder, "imports", ":main.py:<module>", ":User").type_only
    assert not edge(folder, "imports", ":main.py:<module>", ":Other").type_only


def test_given_nested_packages_the_resolution_walks_the_full_chain(workspace: MakeWorkspace) -> None:
    folder = workspace(
        {
            "a/__init__.py": "",
            "a/b/__init__.py": "",
            "a/b/c/__init__.py": "def func(): ...\n",
            "main.py": "from a.b.c import func\n",
        }
    )
    found = edge(folder, "imports", ":main.py:<module>", ":func")
    assert (found.target.rpartition(":")[0].endswith(":a/b/c/__init__.py"), found.confidence) == (True, 0.8)


def test_given_a_directory_without_init_it_is_a_package_with_5_hundredths_less(workspace: MakeWorkspace) -> None:
    folder = workspace({"a/b/c.py": "def func(): ...\n", "main.py": "from a.b.c import func\n"})
    assert edge(folder, "imports", ":main.py:<module>", ":func").confidence == 0.75


TWICE = {
    "tools/lib.py": "def f(): ...\n",
    "lib.py": "def f(): ...\n",
    "tools/main.py": "import lib\nlib.f()\n",
}


def test_given_an_absolute_import_matching_two_files_the_edge_has_confidence_40_and_both_are_noted_in_metadata(
    workspace: MakeWorkspace,
) -> None:
    found = edge(workspace(TWICE), "imports", ":tools/main.py:<module>", "lib.py:<module>")
    candidates = found.metadata["candidates"]
    assert isinstance(candidates, list)
    assert found.confidence == 0.4
    assert [one.partition(":")[2].partition(":")[2] for one in candidates] == [
        "tools/lib.py:<module>",
        "lib.py:<module>",
    ]


def test_imports_from_typing_make_no_calls_edges(workspace: MakeWorkspace) -> None:
    folder = workspace({"main.py": "from typing import cast\nx = cast(int, 1)\n"})
    assert [one for one in PythonHeuristicResolver(folder).resolve_project().edges if one.kind == "calls"] == []


# one import at a time


@pytest.mark.parametrize(
    ("import_path", "is_relative", "path", "symbol", "confidence"),
    [
        (".", True, "src/auth/__init__.py", "", 0.85),
        (".tools", True, "src/auth/tools.py", "", 0.85),
        ("..models", True, "src/models.py", "", 0.85),
        ("..models.User", True, "src/models.py", "User", 0.85),
        (".helpers.hash", True, "src/auth/helpers.py", "hash", 0.85),
        ("tools", True, "src/auth/tools.py", "", 0.85),
        ("src.models", False, "src/models.py", "", 0.8),
        ("src.models.User", False, "src/models.py", "User", 0.8),
        ("src.auth.authenticate", False, "src/auth/login.py", "authenticate", 0.78),
    ],
)
def test_an_import_is_resolved_to_a_file(
    workspace: MakeWorkspace, import_path: str, is_relative: bool, path: str, symbol: str, confidence: float
) -> None:
    folder = workspace(AUTH)
    found = PythonHeuristicResolver(folder).resolve_import("src/auth/login.py", import_path, is_relative)
    assert found.resolved_path == os.path.join(os.path.realpath(folder), *path.split("/"))
    assert (found.symbol, found.confidence, found.is_heuristic) == (symbol, confidence, True)


def test_an_import_that_matches_two_files_names_both(workspace: MakeWorkspace) -> None:
    folder = workspace(TWICE)
    found = PythonHeuristicResolver(folder).resolve_import(folder / "tools/main.py", "lib", False)
    assert found.confidence == 0.4
    assert [os.path.relpath(one, os.path.realpath(folder)) for one in found.candidates] == ["tools/lib.py", "lib.py"]


@pytest.mark.parametrize(
    ("source", "import_path", "is_relative", "reason"),
    [
        ("src/auth/login.py", "json", False, "external"),
        ("src/auth/login.py", "src.nothing", False, "no_candidate"),
        ("src/auth/login.py", "....models", True, "no_candidate"),
        ("src/auth/missing.py", ".tools", True, "no Python file of the project"),
    ],
)
def test_an_import_that_names_no_file_says_why(
    workspace: MakeWorkspace, source: str, import_path: str, is_relative: bool, reason: str
) -> None:
    with pytest.raises(ImportUnresolved, match=reason) as refused:
        PythonHeuristicResolver(workspace(AUTH)).resolve_import(source, import_path, is_relative)
    assert isinstance(refused.value, KeelError)
    assert refused.value.reason == reason


def test_the_resolver_leaves_nothing_in_the_project(workspace: MakeWorkspace) -> None:
    folder = workspace(AUTH)
    before = sorted(folder.rglob("*"))
    PythonHeuristicResolver(folder).resolve_project()
    assert sorted(folder.rglob("*")) == before
