"""The real ty beside keel: what it adds, what its absence costs, and what is told about it.

What is made of its answers in detail is in `tests/unit/test_confirm.py`; the criteria are those of the resolver with
ty, in the words in which they were agreed.
"""

from __future__ import annotations

import json
import logging
from pathlib import Path

import pytest

from keel import TyResolver
from keel.bootstrap import NO_TY
from keel.errors import HelperError
from keel.model.lines import EdgeLine
from keel.resolvers.ty import find
from keel.resolvers.ty.find import find_ty
from tests.workspaces import MakeWorkspace, RunKeel

pytestmark = pytest.mark.usefixtures("with_ty")

SHOP = {
    "shop/__init__.py": "from .goods import Item, stock\n",
    "shop/goods.py": (
        "from __future__ import annotations\n\n\n"
        "class Item:\n    def cost(self) -> int:\n        return 1\n\n\n"
        "def stock() -> dict[str, list[Item]]:\n    return {}\n"
    ),
    "shop/till.py": (
        "from typing import TYPE_CHECKING\n\nfrom . import stock\nfrom .goods import Item\n\n"
        "if TYPE_CHECKING:\n    from .goods import Item as Sold\n\n\n"
        "def total(item: Item) -> int:\n"
        "    return item.cost() + max(stock().values(), key=len)[0].cost()\n"
    ),
}


@pytest.fixture(autouse=True)
def _ty_is_installed() -> None:
    try:
        find_ty()
    except HelperError as error:
        pytest.skip(str(error))


def edges(folder: Path) -> list[EdgeLine]:
    return list(TyResolver(folder).resolve_project().edges)


def found(folder: Path, kind: str, source: str, target: str) -> list[EdgeLine]:
    """The edges of a kind between symbols, each said by the end of its id."""
    return [
        edge
        for edge in edges(folder)
        if edge.kind == kind and edge.source.endswith(source) and edge.target.endswith(target)
    ]


# acceptance


def test_given_relative_imports_when_ty_is_installed_then_the_imports_edge_resolves_with_confidence_of_093_or_more(
    workspace: MakeWorkspace,
) -> None:
    folder = workspace({"app/__init__.py": "", "app/models.py": "class User: ...\n", "app/auth/__init__.py": ""})
    (folder / "app/auth/login.py").write_text("from ..models import User\n", encoding="utf-8")
    [edge] = found(folder, "imports", "app/auth/login.py:<module>", ":app/models.py:User")
    assert (edge.tier, edge.confidence) == ("tier2_ty", 0.95)


def test_given_a_package_re_exporting_symbols_the_resolution_traces_through_init_to_the_actual_definition_file(
    workspace: MakeWorkspace,
) -> None:
    [edge] = found(workspace(SHOP), "imports", "shop/till.py:<module>", ":shop/goods.py:stock")
    assert edge.tier == "tier2_ty"


def test_given_a_star_import_the_edge_has_confidence_of_060_or_less_and_a_warning(workspace: MakeWorkspace) -> None:
    folder = workspace({"m.py": "def f(): ...\n", "user.py": "from m import *\nf()\n"})
    [edge] = found(folder, "calls", "user.py:<module>", ":m.py:f")
    assert edge.confidence <= 0.6
    assert edge.metadata["warning"] == "WARNING: star import from 'm' — resolution is ambiguous"


def test_given_ty_is_not_installed_then_new_logs_a_warning_and_available_is_false_and_resolution_falls_back(
    workspace: MakeWorkspace, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(find, "_candidates", lambda: iter(()))
    with caplog.at_level(logging.WARNING, "keel"):
        resolver = TyResolver(workspace(SHOP))
    assert not resolver.available
    assert "ty was not found" in caplog.text
    tiers = {edge.tier for edge in resolver.resolve_project().edges}
    assert tiers == {"tier1_treesitter", "tier2_treesitter_heuristic"}


def test_given_a_type_checking_block_imports_inside_are_type_only(workspace: MakeWorkspace) -> None:
    only = {edge.line: edge.type_only for edge in found(workspace(SHOP), "imports", "shop/till.py:<module>", ":Item")}
    assert only == {4: False, 7: True}


# the command line


def test_map_asks_ty_and_says_what_it_did(workspace: MakeWorkspace, run_keel: RunKeel) -> None:
    folder = workspace(SHOP)
    assert run_keel(["map"], cwd=folder).returncode == 0
    explained = run_keel(["explain", "total", "Item.cost"], cwd=folder).stdout
    assert "calls  0.93  by ty" in explained
    assert "ty was asked about all Python files" in run_keel(["status"], cwd=folder).stdout
    stats = json.loads(run_keel(["stats", "--differing", "--json"], cwd=folder).stdout)
    assert stats["tiers"]["tier2_ty"] > 3
    assert (stats["disagreements"], stats["differing"]) == ({}, [])


def test_a_container_of_the_standard_library_is_seen_through(workspace: MakeWorkspace) -> None:
    """What keel's own analysis leaves open: the element of a list in a dict, by its annotation."""
    calls = found(workspace(SHOP), "calls", ":total", ":Item.cost")
    assert [(edge.line, edge.tier, edge.confidence) for edge in calls] == [(11, "tier2_ty", 0.93)] * 2


def test_after_an_edit_the_graph_is_the_one_that_a_fresh_map_makes(workspace: MakeWorkspace, run_keel: RunKeel) -> None:
    folder = workspace(SHOP)
    run_keel(["map"], cwd=folder)
    goods = folder / "shop/goods.py"
    goods.write_text(goods.read_text(encoding="utf-8").replace("class Item", "class Ware:\n    ...\n\n\nclass Item"))
    kept = run_keel(["export"], cwd=folder).stdout
    run_keel(["map", "--fresh"], cwd=folder)
    assert kept == run_keel(["export"], cwd=folder).stdout
    assert "tier2_ty" in kept


def test_ty_is_told_where_imports_start_in_members_of_a_workspace_and_in_other_roots(
    workspace: MakeWorkspace, run_keel: RunKeel
) -> None:
    """By itself it knows the folder that it is shown, and `src` in it."""
    config = '[workspace.roots]\napp = "app"\nlibrary = "library"\n'
    folder = workspace(
        {
            ".keel/config.toml": config,
            "app/pyproject.toml": '[tool.uv.workspace]\nmembers = ["packages/*"]\n',
            "app/packages/one/pyproject.toml": '[project]\nname = "one"\n',
            "app/packages/one/src/one/__init__.py": "class One:\n    def go(self) -> None: ...\n",
            "app/packages/two/pyproject.toml": '[project]\nname = "two"\n',
            "app/packages/two/src/two.py": "from one import One\ndef use(x: list[One]):\n    x[0].go()\n",
            "library/pyproject.toml": '[tool.setuptools]\npackage-dir = {"" = "code"}\n',
            "library/code/shelf.py": "class Shelf:\n    def put(self) -> None: ...\n",
            "app/main.py": "from shelf import Shelf\ndef fill(x: list[Shelf]):\n    x[0].put()\n",
        }
    )
    assert run_keel(["map"], cwd=folder).returncode == 0
    exported = [json.loads(line) for line in run_keel(["export", "--kind", "calls"], cwd=folder).stdout.splitlines()]
    calls = {(line["target"].rpartition(":")[2], line["tier"]) for line in exported if line["type"] == "edge"}
    assert {("One.go", "tier2_ty"), ("Shelf.put", "tier2_ty")} <= calls


def test_no_ty_leaves_it_out_until_the_next_map(workspace: MakeWorkspace, run_keel: RunKeel) -> None:
    folder = workspace(SHOP)
    run_keel(["map", "--no-ty"], cwd=folder)
    assert "tier2_ty" not in run_keel(["export"], cwd=folder).stdout
    assert "ty was not asked; run `keel map` to ask it" in run_keel(["status"], cwd=folder).stdout
    run_keel(["map"], cwd=folder)
    assert "tier2_ty" in run_keel(["export"], cwd=folder).stdout


def test_the_configuration_turns_it_off(workspace: MakeWorkspace, run_keel: RunKeel) -> None:
    folder = workspace(SHOP)
    run_keel(["map"], cwd=folder)
    (folder / ".keel/config.toml").write_text("[resolution]\nty = false\n", encoding="utf-8")
    assert "tier2_ty" not in run_keel(["export"], cwd=folder).stdout
    assert "ty" not in run_keel(["status"], cwd=folder).stdout.split()


def test_a_run_without_it_leaves_what_it_said_and_the_next_makes_up(
    workspace: MakeWorkspace, run_keel: RunKeel, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = workspace(SHOP)

    def exported() -> str:
        return run_keel(["export"], cwd=folder).stdout

    run_keel(["map"], cwd=folder)
    before = exported()
    with monkeypatch.context() as patch:
        patch.setenv(NO_TY, "1")
        run_keel(["sync"], cwd=folder)
        assert exported() == before
        with (folder / "shop/till.py").open("a", encoding="utf-8") as file:
            file.write("\n\ndef again(item: Item) -> int:\n    return max(stock().values(), key=len)[0].cost()\n")
        run_keel(["compile"], cwd=folder)
        without = exported()
        assert "tier2_ty" in without
    after = exported()
    assert after.count("tier2_ty") > without.count("tier2_ty")
    run_keel(["map", "--fresh"], cwd=folder)
    assert exported() == after
