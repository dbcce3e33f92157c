"""Nothing is collected in passing: each dependency and each lint ignore states its reason.

Whether the reason is a good one is for the reviewer.
"""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Iterable, Iterator

import pytest

from tests.repository import PYPROJECT, kept_files, name_of, settings

# An ignore inside Python code, up to the end of its codes; what follows is the reason.
IGNORE = re.compile(r"#\s*(?:noqa|type:\s*ignore)\b:?\s*(?:\[[^\]]*\]|(?:[A-Z]+\d+[, ]*)+)?")
FEWEST_WORDS = 2


def test_each_dependency_has_its_reason() -> None:
    project = settings()
    dependencies = [
        *project["build-system"]["requires"],
        *project["project"]["dependencies"],
        *(name for extra in project["project"]["optional-dependencies"].values() for name in extra),
    ]
    assert list(without_reason(dependencies, PYPROJECT.read_text(encoding="utf-8"))) == []


def test_each_ignore_in_the_settings_has_its_reason() -> None:
    tool = settings()["tool"]
    lint = tool["ruff"]["lint"]
    overrides = tool["mypy"].get("overrides", ())
    ignores = [
        *lint.get("ignore", ()),
        *lint.get("per-file-ignores", ()),
        *tool["ruff"].get("extend-exclude", ()),
        *(module for part in overrides for module in listed(part["module"])),
        *(line for part in tool["importlinter"]["contracts"] for line in exemptions(part)),
        *(line for line in tool["pytest"]["ini_options"]["filterwarnings"] if line != "error"),
    ]
    assert list(without_reason(ignores, PYPROJECT.read_text(encoding="utf-8"))) == []


def test_each_ignore_in_the_code_has_its_reason() -> None:
    found = [
        f"{name_of(path)}:{number}"
        for path in kept_files()
        if path.suffix == ".py" and not name_of(path).startswith("demo/sample/")
        for number in bare_ignores(path.read_text(encoding="utf-8"))
    ]
    assert found == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('"a>=1", # does this', []),
        ('# Does this.\n"a>=1",', []),
        ('"a>=1",', ["a>=1"]),
        ('# Does this.\n"b>=1",\n"a>=1",', ["a>=1"]),
        ('"a>=1", #', ["a>=1"]),
    ],
)
def test_a_reason_is_beside_or_above(text: str, expected: list[str]) -> None:
    assert list(without_reason(["a>=1"], text)) == expected


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("x = 1  # noqa: E501\n", [1]),
        ("x = 1  # type: ignore[attr-defined]\n", [1]),
        ("x = 1  # noqa: E501, F401 - the schema's own address\n", []),
        ("x = 1  # type: ignore[attr-defined]  # the stub lacks it\n", []),
        ("# The stub lacks it.\nx = 1  # type: ignore[attr-defined]\n", []),
        ("x = '# noqa'\n", []),
    ],
)
def test_a_bare_ignore_is_seen(code: str, expected: list[int]) -> None:
    assert list(bare_ignores(code)) == expected


def without_reason(entries: Iterable[str], text: str) -> Iterator[str]:
    """Those entries, quoted somewhere in the text, with no comment on their line or just above."""
    lines = ["", *(line.strip() for line in text.splitlines())]
    for entry in entries:
        places = [number for number, line in enumerate(lines) if f'"{entry}"' in line]
        if not all(has_reason(lines[number], lines[number - 1]) for number in places):
            yield entry


def has_reason(line: str, line_above: str) -> bool:
    """Whether a comment of some words ends the line, or fills the one above."""
    beside = line.partition("#")[2]
    above = line_above if line_above.startswith("#") else ""
    return any(len(words(reason)) >= FEWEST_WORDS for reason in (beside, above))


def bare_ignores(code: str) -> Iterator[int]:
    """The lines whose comment silences a tool, and neither it nor the line above says why."""
    above: dict[int, str] = {}
    for token in tokenize.generate_tokens(io.StringIO(code).readline):
        if token.type != tokenize.COMMENT:
            continue
        number = token.start[0]
        if token.line.lstrip().startswith("#"):
            above[number] = token.string
        ignore = IGNORE.match(token.string)
        if ignore is None:
            continue
        reasons = (token.string[ignore.end() :], above.get(number - 1, ""))
        if all(len(words(reason)) < FEWEST_WORDS for reason in reasons):
            yield number


def words(text: str) -> list[str]:
    """The words of a comment, without its signs."""
    return re.findall(r"\w+", text)


def listed(value: str | list[str]) -> list[str]:
    """A setting that may be one name or several."""
    return [value] if isinstance(value, str) else value


def exemptions(contract: dict[str, list[str]]) -> list[str]:
    """What an import contract lets pass."""
    return [*contract.get("ignore_imports", ()), *contract.get("exhaustive_ignores", ())]
