"""Words of the contract have plain words for people, and JSON keeps its own.

What the words mean is said by `docs/vocabulary.md`.
"""

from __future__ import annotations

import pytest

from keel.formats.human import Human
from keel.formats.json import Json
from keel.model.kinds import Reason, ResolveReason, Tier
from keel.model.record import Record, field
from keel.model.text.plain import MATCHES, REASONS, TIERS, in_plain_words


class Counts(Record):
    """Counts by words of the contract."""

    tiers: dict[str, int] = field("Edges by what found them.")


@pytest.mark.parametrize(
    ("known", "plain"), [(Tier, TIERS), (Reason, REASONS), (ResolveReason, MATCHES)], ids=["tier", "reason", "match"]
)
def test_every_word_has_plain_words(
    known: type[Tier] | type[Reason] | type[ResolveReason], plain: dict[str, str]
) -> None:
    assert tuple(plain) == known.words()
    assert [text for text in plain.values() if "_" in text] == []


def test_another_word_stays_as_it_is() -> None:
    assert in_plain_words("calls") == "calls"


def test_people_read_plain_words_and_programs_the_contract() -> None:
    counts = Counts(tiers={"tier2_treesitter_heuristic": 6, "tier2_ty": 18})
    assert "".join(Human().render(counts)) == "edges found:\n  by keel (heuristic)   6\n  by ty                18\n"
    assert '"tier2_treesitter_heuristic": 6' in "".join(Json().render(counts))
