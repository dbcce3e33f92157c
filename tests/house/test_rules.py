"""A rule is one file, and everything about it is found from there: its code, its page, its help, its keys.

What rules find is told by `tests/spec/enforcement`.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from keel import registry
from keel.model.findings import SEVERITIES
from keel.ports.rule import Rule, keys_of
from tests.repository import TOP
from tests.workspaces import keel_inside

RULES = dict(zip(registry.names(registry.RULES), registry.rules(), strict=True))
SPECIAL = {f"src/keel/{path}" for path in ("rules", "model/findings.py")}
"""Where codes may be named: in the rules, and for formats, which know no rules."""


@pytest.mark.parametrize("name", RULES)
def test_a_rule_is_named_by_its_code_and_says_what_it_is(name: str) -> None:
    rule = RULES[name]
    assert name.startswith(f"{rule.CODE.lower()}_")
    assert rule.SEVERITY in SEVERITIES
    page = rule.__doc__ or ""
    assert page.startswith(f"{rule.CODE} {rule.CATEGORY}: ")
    assert [part for part in ("What it finds", "Why", "How sure", "When it is wrong") if f"\n{part}:" not in page] in (
        [],
        ["How sure"],  # those that say how strict they are instead
    )


@pytest.mark.parametrize("rule", RULES.values(), ids=RULES)
def test_help_shows_the_page_of_a_rule(rule: Rule, tmp_path: Path) -> None:
    said = keel_inside(tmp_path, "help", rule.CODE.lower())
    assert (said.code, said.err) == (0, "")
    assert said.out == f"{(rule.__doc__ or '').rstrip()}\n"


def test_keys_have_a_meaning_a_default_and_choices() -> None:
    for name, said in keys_of(registry.rules()).items():
        assert said.help.endswith("."), name
        assert said.default in said.choices, name


def test_no_other_code_knows_a_rule_by_its_code() -> None:
    """What is done with findings is what their rule says; examples in text are no knowledge."""
    quoted = re.compile(r"""^[^#]*["'][A-Z]\d{3}["']""", re.MULTILINE)
    knowing = [
        path.relative_to(TOP).as_posix()
        for path in (TOP / "src" / "keel").rglob("*.py")
        if quoted.search(re.sub(r'"""(.|\n)*?"""', "", path.read_text(encoding="utf-8")))
    ]
    assert [path for path in knowing if not path.startswith(tuple(SPECIAL))] == []
