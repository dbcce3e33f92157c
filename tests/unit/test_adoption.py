"""Progressive adoption: what people are shown of findings on existing code, and what programs are.

Which code is held to what is told by `tests/spec/enforcement/adoption.md`; what `keel init` measures by
`tests/e2e/test_setup.py`.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from keel import registry
from keel.config import Enforcement, Override
from keel.enforcement.session.grades import grades
from tests.compiled import UNTYPED, Shop

OLD = UNTYPED.replace("fresh", "old")


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shop:
    """A file with a function that was there, and one that is new; neither has types."""
    shop = Shop(tmp_path / "shop", monkeypatch, {"m.py": OLD})
    shop.edit(m=f"{OLD}\n\n{UNTYPED}")
    return shop


def test_people_are_shown_new_code_and_a_count_of_the_rest(shop: Shop) -> None:
    report = shop.compile().report
    assert "error E002  Function 'fresh'" in report
    assert "'old'" not in report
    assert report.endswith("1 finding on code that is as it was; --verbose lists them")


@pytest.mark.parametrize("wish", ["verbose", "all"])
def test_those_who_ask_are_shown_everything(shop: Shop, wish: str) -> None:
    report = shop.compile(**{wish: True}).report
    assert "error E002  Function 'fresh'" in report
    assert "warning E002  Function 'old'" in report


def test_programs_get_everything(shop: Shop) -> None:
    result = shop.compile()
    assert [(each.symbol, each.unchanged) for each in result.errors] == [("fresh", False)]
    assert [(each.symbol, each.unchanged) for each in result.warnings] == [("old", True)]
    assert result.info is not None
    assert result.info.existing == 1


def test_what_was_accepted_and_is_changed_counts_as_new(shop: Shop) -> None:
    shop.edit(m=OLD.replace("return a", "return [a]"))
    assert shop.codes() == ["E002"]


@pytest.mark.parametrize(
    ("pattern", "path", "fits"),
    [
        ("tests/**", "tests/test_a.py", True),
        ("tests/**", "tests/unit/test_a.py", True),
        ("tests/**", "src/tests/test_a.py", False),
        ("tests/**", "tests.py", False),
        ("**/tests/**", "tests/test_a.py", True),
        ("**/tests/**", "src/tests/deep/test_a.py", True),
        ("src/**/a.py", "src/a.py", True),
        ("src/**/a.py", "src/x/y/a.py", True),
        ("src/*.py", "src/a.py", True),
        ("src/*.py", "src/x/a.py", False),
        ("test_*.py", "anywhere/test_a.py", True),
        ("**", "a.py", True),
        ("src/a.py", "src/a.py", True),
        ("src/a.py", "lib/src/a.py", False),
    ],
)
def test_globs_of_overrides(pattern: str, path: str, fits: bool) -> None:
    said = Enforcement(overrides=(Override(pattern=pattern, settings=(("docstrings", "off"),)),))
    grade = grades(said, registry.enforcement_keys())
    assert grade("docstrings", path) == ("off" if fits else "error")
