"""After judging: a batch that starts and ends tells what a plain compile does, and asking again changes nothing.

Random edits come from `tests.edits`, as in `test_backward`. The circuit breaker alone may change what is told with
time; a session that counts nothing shows what there is before it.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import pytest

from keel import registry
from keel.model.findings import Finding
from keel.ports.rule import codes_that
from tests.compiled import Shop
from tests.edits import Author
from tests.twins import Twins

SEEDS = range(8)
EDITS = 3
DEFERRABLE = codes_that(registry.rules(), "IS_DEFERRABLE")


@pytest.mark.parametrize("seed", SEEDS)
def test_batch_start_and_end_tell_what_a_plain_compile_tells(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    choose = random.Random(seed)
    author = Author(choose.randrange)
    tree = author.tree()
    twins = Twins(tmp_path)
    twins.become(tree)
    shop = Shop(tmp_path, monkeypatch, {})
    for number in range(EDITS):
        tree = author.edit(tree, [tree])
        twins.become(tree)
        sources = sorted(path for path in tree if path.endswith(".py"))
        asked = choose.sample(sources, min(len(sources), choose.randrange(3)))
        session = f"number {number}"

        plain = told(shop, asked)
        assert told(shop, asked) == plain, "the same trees give the same findings"
        started = told(shop, asked, session=session, batch_start=True)
        ended = told(shop, [], session=session, batch_end=True)

        assert started == [each for each in plain if each[0] not in DEFERRABLE]
        assert ended == plain


def told(shop: Shop, asked: Sequence[str], session: str = "git", **given: bool) -> list[tuple[object, ...]]:
    """What a run finds."""
    result = shop.compile(*asked, session=session, **given)
    return [_plain(each) for each in (*result.errors, *result.warnings)]


def _plain(finding: Finding) -> tuple[object, ...]:
    return finding.code, finding.severity, finding.id, finding.message, finding.fix_hint, finding.affected
