"""Through the daemon a command says exactly what it says alone, about the files as they are."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tests.daemons import alone, keel, log_of, served, serving, until
from tests.e2e.daemon.conftest import BROKEN, FILES
from tests.workspaces import git

COMMANDS = [
    ("compile",),
    ("compile", "shop.py"),
    ("compile", "shop.py", "--json"),
    ("compile", "--llm"),
    ("compile", "--format", "github"),
    ("compile", "nothing.py"),
    ("compile", "--nonsense"),
    ("compile", "--help"),
    ("where", "price"),
    ("where", "price", "--json"),
    ("where", "nobody"),
    ("where", "nobody", "--json"),
    ("describe", "shop.py"),
    ("discover", "price"),
    ("resolve", "price"),
    ("resolve", "nobody", "--json"),
    ("find", "--name", "price*"),
    ("neighbors", "price", "--direction", "in", "--edge-types", "calls"),
    ("impact", "price"),
    ("check", "price"),
    ("search", "price"),
    ("explain", "E005", "shop.price"),
]


def test_every_command_writes_the_same_bytes_and_ends_with_the_same_code(shop: Path) -> None:
    (shop / "shop.py").write_text(BROKEN)
    expected = {words: alone(shop, *words) for words in COMMANDS}
    with serving(shop):
        for words, said in expected.items():
            assert keel(shop, *words) == said, words
        assert served(shop) == len(COMMANDS)


def test_paths_are_meant_from_the_folder_of_the_client(shop: Path) -> None:
    (shop / "shop.py").write_text(BROKEN)
    inside = shop / "pkg"
    expected = [alone(inside, "compile", path) for path in ("../shop.py", "deep.py", "shop.py")]
    with serving(shop):
        assert [keel(inside, "compile", path) for path in ("../shop.py", "deep.py", "shop.py")] == expected
        assert served(shop) == 3


def test_breaking_and_fixing_is_seen_at_once_every_time(shop: Path) -> None:
    with serving(shop):
        for _ in range(5):
            (shop / "shop.py").write_text(BROKEN)
            code, out, _ = keel(shop, "compile", "shop.py")
            assert (code, "till.py:6" in out) == (1, True)
            (shop / "shop.py").write_text(FILES["shop.py"])
            assert keel(shop, "compile", "shop.py") == (0, "", "")
        assert served(shop) == 10


def test_what_anyone_writes_is_in_the_graph_before_anyone_asks(shop: Path) -> None:
    with serving(shop):
        until(lambda: "folders and files" in keel(shop, "daemon")[1])
        subprocess.run(["sed", "-i", "s/def price/def cost/", "shop.py"], cwd=shop, check=True)
        until(lambda: "1 changed" in log_of(shop))
        assert keel(shop, "where", "cost")[0] == 0


def test_a_checkout_of_a_thousand_files_is_seen_whole(shop: Path) -> None:
    names = [f"many/m{number}.py" for number in range(1000)]
    (shop / "many").mkdir()
    for name in names:
        (shop / name).write_text('from shop import price\n\nprice("a")\n')
    git(shop, "add", "--all")
    git(shop, "commit", "-q", "-m", "a thousand callers")
    with serving(shop):
        until(lambda: "1,000 added" in log_of(shop))
        for name in names:
            (shop / name).write_text('from shop import price\n\nprice("a", 1)\n')
        git(shop, "checkout", "-q", "-b", "other")
        git(shop, "commit", "-q", "-a", "-m", "a thousand broken callers")
        git(shop, "checkout", "-q", "main")
        assert keel(shop, "compile") == (0, "", "")
        git(shop, "checkout", "-q", "other")
        git(shop, "reset", "-q", "main")
        code, out, _ = keel(shop, "compile", "many/m999.py")
        assert (code, "many/m999.py:3" in out) == (1, True)


def test_the_configuration_is_read_again_when_it_changed(shop: Path) -> None:
    (shop / "new.py").write_text("def new():\n    pass\n")
    settings = shop / ".keel/config.toml"
    with serving(shop):
        assert keel(shop, "compile", "new.py")[0] == 1
        settings.write_text('[enforcement]\ntype_hints = "off"\ndocstrings = "off"\n')
        assert keel(shop, "compile", "new.py")[0] == 0
        settings.write_text("[enforcement]\nnonsense = 1\n")
        code, _, err = keel(shop, "compile", "new.py")
        assert (code, "nonsense" in err) == (2, True)
        settings.unlink()
        assert keel(shop, "compile", "new.py")[0] == 1
        assert served(shop) == 4


def test_a_root_that_leads_elsewhere_is_followed(shop: Path, tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / f"{name}.py").write_text(f'def {name}() -> None:\n    """It."""\n')
    link = tmp_path / "library"
    link.symlink_to(tmp_path / "one")
    (shop / ".keel/config.toml").write_text('[workspace.roots]\nshop = "."\nlibrary = "../library"\n')
    with serving(shop):
        keel(shop, "compile")
        assert keel(shop, "where", "one")[0] == 0
        link.unlink()
        link.symlink_to(tmp_path / "two")
        keel(shop, "compile")
        assert (keel(shop, "where", "two")[0], keel(shop, "where", "one")[0]) == (0, 1)


@pytest.mark.parametrize("when", [1, 2_000_000_000])
def test_files_from_another_time_are_seen(when: int, shop: Path) -> None:
    with serving(shop):
        (shop / "shop.py").write_text(BROKEN)
        os.utime(shop / "shop.py", (when, when))
        assert keel(shop, "compile", "shop.py")[0] == 1
        (shop / "shop.py").write_text(FILES["shop.py"])
        os.utime(shop / "shop.py", (when, when))
        assert keel(shop, "compile", "shop.py") == (0, "", "")
