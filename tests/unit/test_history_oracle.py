"""The oracle of `benchmarks.history` replays, joins and counts as it says: three tiny releases, nothing fetched.

What real releases say is the benchmark's matter.
"""

from __future__ import annotations

import hashlib
import tomllib
from pathlib import Path

import pytest

from benchmarks.corpora import CorpusMissing
from benchmarks.history import index
from benchmarks.history.__main__ import RELEASES
from benchmarks.history.page import as_markdown, as_table, read_steps, write
from benchmarks.history.replay import Statement, Step, changed_signatures, replay
from benchmarks.history.repository import commit_all
from benchmarks.history.verdicts import Truth, Verdict, judged, read_verdicts
from tests.workspaces import write_files

TRUE = Verdict("shop", "2", "E004", "shop/prices.py:total", True, "main.py still imports it")
RELEASED = {
    "1": {"shop/prices.py": "def total(items):\n    return 1\n", "main.py": "from shop.prices import total\n"},
    "2": {"shop/prices.py": "def whole(items):\n    return 1\n", "main.py": "from shop.prices import total\n"},
    "3": {"shop/prices.py": "def whole(items, tax=0):\n    return 1\n", "main.py": "from shop.prices import whole\n"},
}


@pytest.fixture(scope="module")
def steps(tmp_path_factory: pytest.TempPathFactory) -> list[Step]:
    """The steps between three releases, of which the second one is broken."""
    folder = tmp_path_factory.mktemp("history") / "shop"

    def fill(version: str, tree: Path) -> None:
        write_files(tree, RELEASED[version])

    commit_all(folder, list(RELEASED), fill)
    return list(replay("shop", folder, list(RELEASED)))


def test_every_step_is_an_edit_of_the_release_before(steps: list[Step]) -> None:
    assert [step.name for step in steps] == ["shop 1 → 2", "shop 2 → 3"]
    assert [(step.files, step.signatures) for step in steps] == [(1, 0), (2, 1)]
    assert all(step.cpu_seconds > 0 for step in steps)


def test_what_is_said_is_kept_place_by_place(steps: list[Step]) -> None:
    assert steps[0].said == [Statement("ERROR", "E004", "shop/prices.py:total", "main.py:1", "main.py", "imports it")]
    assert not steps[1].said


@pytest.mark.parametrize(
    ("verdicts", "truth", "bar"),
    [
        ([], Truth.NOT_JUDGED, "NOT MET, 1 places"),
        ([TRUE], Truth.TRUE, "met"),
        ([Verdict("shop", "3", "E004", TRUE.symbol, True, "of another step")], Truth.NOT_JUDGED, "NOT MET, 1 places"),
        ([Verdict("shop", "2", "E004", TRUE.symbol, False, "no", "main.py:9"), TRUE], Truth.TRUE, "met"),
        ([Verdict("shop", "2", "E004", TRUE.symbol, False, "no", "main.py:1"), TRUE], Truth.FALSE, "NOT MET, 1 places"),
    ],
)
def test_an_error_has_the_first_verdict_about_its_place(
    steps: list[Step], verdicts: list[Verdict], truth: Truth, bar: str
) -> None:
    found = judged(steps, verdicts)
    assert [each.truth for each in found] == [truth]
    assert f"no ERROR that is not true: {bar}" in as_table(steps, found)
    assert "| shop | 2 | 3 | 1 | 1 | 1 |" in as_markdown(steps, found, {"keel": "0"})


def test_steps_are_kept_with_their_errors(steps: list[Step], tmp_path: Path) -> None:
    assert read_steps(tmp_path) == []
    write(steps, judged(steps, [TRUE]), {"keel": "0"}, tmp_path)
    assert read_steps(tmp_path) == steps


def test_signatures_are_compared_function_by_function() -> None:
    before = "class A:\n    def f(self, a): ...\n    def g(self): ...\ndef gone(): ...\ndef h(): ...\n"
    after = "class A:\n    def f(self, b): ...\n    def g(self):\n        return 1\nasync def h(): ...\n"
    assert changed_signatures(before, after) == 2
    assert changed_signatures("def f(a): ...", "def f(:") == 0


def test_an_archive_is_found_by_its_name_and_proved_by_its_hash(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    good, bad = hashlib.sha256(b"content").hexdigest(), "0" * 64
    page = f'<a href="../x/Shop-1.tar.gz#sha256={good}">Shop-1.tar.gz</a>\n<a href="y#sha256={bad}">shop-2.tar.gz</a>'
    monkeypatch.setenv("KEEL_CORPORA", str(tmp_path))
    monkeypatch.setattr(index, "_read", lambda address: page.encode() if address.endswith("/shop/") else b"content")
    index._addresses.cache_clear()
    assert index.archive("shop", "1").read_bytes() == b"content"
    with pytest.raises(CorpusMissing, match=r"shop-2\.tar\.gz is not what"):
        index.archive("shop", "2")
    with pytest.raises(CorpusMissing, match="shop 3 has no source archive"):
        index.archive("shop", "3")
    index._addresses.cache_clear()


def test_the_written_verdicts_are_about_releases_that_are_replayed() -> None:
    releases = tomllib.loads(RELEASES.read_text(encoding="utf-8"))
    assert all(len(versions) == 11 for versions in releases.values())
    verdicts = read_verdicts()
    assert verdicts
    assert all(each.release in releases[each.package][1:] and each.why for each in verdicts)
