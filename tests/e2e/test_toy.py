"""A language that is only installed, and brings no capability: every command works on it, or says what it cannot do.

The language is `tests/toy`, put in through the entry point; the socket itself is held by `tests/contract`.
"""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from tests.e2e.test_cli import CALLS
from tests.guests import install, keel_with
from tests.repository import TOP
from tests.workspaces import commit_all, write_files

FILES = {
    "shop.toy": """module shop

; what the customer pays
fn total price amount
  tax price
  stock::count amount
  lost price
fn _round price
  total price
part stock
fn count amount
  take amount
fn take amount
""",
    "rates.toy": "module shop\nfn tax price\n",
    "cli.toy": "fn main\n  shop::total\n  shop::stock::take\n",
}
WORDS = {
    **{"check": ("total",), "describe": ("total",), "discover": ("total", "--depth", "2"), "explain": ("total", "tax")},
    **{"impact": ("take",), "resolve": ("shop::total",), "search": ("take",), "where": ("total",)},
    **{"neighbors": ("total", "--direction", "out", "--edge-types", "calls"), "where-to-put": ("total",)},
}
"""Of commands that ask about a symbol: what they are asked here."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The toy as an installer leaves it: its module is a line that leads to `tests/toy`."""
    text = f"import sys; sys.path.insert(1, {str(TOP)!r}); from tests.toy import language as language\n"
    entry_points = "[keel.languages]\ntoy = toy_language:language\n"
    return install(tmp_path_factory.mktemp("site"), {"toy_language": text}, entry_points)


@pytest.fixture
def shop(tmp_path: Path, site: Path) -> Path:
    folder = write_files(tmp_path / "shop", FILES)
    commit_all(folder)
    mapped = keel_with(site, folder, "map")
    assert (mapped.returncode, mapped.stderr) == (0, "")
    return folder


def said(done: subprocess.CompletedProcess[str]) -> str:
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


@pytest.mark.parametrize("verb", [verb for verb in CALLS if verb != "accept" and not verb.startswith("tools")])
def test_every_command_works(shop: Path, site: Path, verb: str) -> None:
    done = keel_with(site, shop, *verb.split(), *WORDS.get(verb, CALLS[verb]))
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr


def test_accepting_works_where_git_does_not_know_the_files(tmp_path: Path, site: Path) -> None:
    folder = write_files(tmp_path / "plain", FILES)
    said(keel_with(site, folder, "map"))
    assert "3 files" in said(keel_with(site, folder, "accept"))


def test_names_and_signatures_are_written_as_the_language_writes_them(shop: Path, site: Path) -> None:
    text = said(keel_with(site, shop, "discover", "total"))
    assert "total(price, amount)" in text
    assert "stock::count" in text
    assert "def " not in text


def test_a_module_may_be_several_files_or_a_part_of_one(shop: Path, site: Path) -> None:
    lines = said(keel_with(site, shop, "find", "symbol")).splitlines()
    modules = {tuple(line.split()[:3]) for line in lines if " module " in line}
    names = (("shop.toy:1", "shop"), ("rates.toy:1", "shop"), ("shop.toy:10", "stock"), ("cli.toy:1", "cli"))
    assert modules == {(where, "module", name) for where, name in names}
    assert said(keel_with(site, shop, "describe", "stock")).endswith("part stock\n")


def test_what_is_removed_is_an_error_by_the_links_alone(shop: Path, site: Path) -> None:
    (shop / "rates.toy").write_text("module shop\nfn vat price\n")
    done = keel_with(site, shop, "compile", "rates.toy")
    assert done.returncode == 1
    assert done.stdout.splitlines()[:2] == [
        "rates.toy:2  error E004  Function 'tax' was removed but is still used in 1 place.",
        "    shop.toy:5  total: calls it",
    ]
    explained = said(keel_with(site, shop, "explain", "E004", "tax"))
    assert "  call        shop.toy:5   tax price" in explained
    fixing = keel_with(site, shop, "fix")
    assert "keel cannot edit toy files yet" in fixing.stdout


def test_a_changed_signature_is_silent_and_said_to_be_unchecked(shop: Path, site: Path) -> None:
    (shop / "rates.toy").write_text("module shop\nfn tax price rate\n")
    assert said(keel_with(site, shop, "compile", "rates.toy")) == ""
    info = json.loads(said(keel_with(site, shop, "compile", "rates.toy", "--json")))["info"]
    assert [each["code"] for each in info["findings"]] == ["I006"]
    assert "I006 calls_not_checked" in said(keel_with(site, shop, "help", "I006"))


def test_what_the_language_lacks_is_said_in_a_line(shop: Path, site: Path) -> None:
    assert "  Toy: calls are not checked against signatures" in said(keel_with(site, shop, "status"))
    assert "keel cannot check calls in Toy yet" in said(keel_with(site, shop, "check", "total"))


def test_an_edit_of_python_beside_it_is_checked_as_ever(shop: Path, site: Path) -> None:
    write_files(shop, {"a.py": "def f(a): ...\n", "b.py": "from a import f\nf(1)\n"})
    commit_all(shop)
    (shop / "a.py").write_text("def f(a, b): ...\n")
    done = keel_with(site, shop, "compile", "a.py")
    assert "error E005" in done.stdout
    assert done.returncode == 1
