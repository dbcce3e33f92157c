"""What each capability of a language promises, on every language that has it; one that lacks it is answered for.

How calls bind and what edits look like is in the specs and unit tests of each language; here only what enforcement,
`fix` and `explain` rely on, whatever the language.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import pytest

from keel.languages.python import language as python
from keel.model.contracts import State
from keel.model.facts import Interface, Reference
from keel.model.kinds import EdgeKind, RefKind, Tier
from keel.model.refs import DefRef
from keel.model.rows import EdgeRow
from keel.ports.contracts import Contracts, TreeVersion
from keel.ports.language import (
    Language,
    confirming_of,
    contracts_of,
    conventions_of,
    editing_of,
    explaining_of,
    external_of,
    manifest_names,
    manifests_of,
)
from tests.linking import MemoryTree
from tests.toy import language as toy


class Sample(NamedTuple):
    """A file `shop` whose `total` calls `tax` of `rates`, before and after an edit of `rates`."""

    language: Language
    before: Mapping[str, str]
    after: Mapping[str, str]
    """`tax` takes one parameter more."""


SAMPLES = {
    "python": Sample(
        python,
        {"shop.py": "from rates import tax\n\ndef total(price):\n    tax(price)\n", "rates.py": "def tax(a): ...\n"},
        {"shop.py": "from rates import tax\n\ndef total(price):\n    tax(price)\n", "rates.py": "def tax(a, b): ...\n"},
    ),
    "toy": Sample(
        toy,
        {"shop.toy": "fn total price\n  rates::tax price\n", "rates.toy": "fn tax a\n"},
        {"shop.toy": "fn total price\n  rates::tax price\n", "rates.toy": "fn tax a b\n"},
    ),
}
WITH_CONTRACTS, WITHOUT = [SAMPLES["python"]], [SAMPLES["toy"]]
RATES, SHOP = 0, 1
"""The numbers of the files, which are in the order of their paths."""
TAX = DefRef(RATES, 2)


@pytest.fixture(params=SAMPLES)
def sample(request: pytest.FixtureRequest) -> Sample:
    return SAMPLES[request.param]


def side(sample: Sample, files: Mapping[str, str]) -> TreeVersion[Interface]:
    tree = MemoryTree(sample.language, files)
    return TreeVersion(tree, tree.references, lambda slot: {})


def contracts(sample: Sample) -> Contracts:
    return contracts_of(sample.language, side(sample, sample.before), side(sample, sample.after))


def call(sample: Sample) -> tuple[MemoryTree, Reference]:
    tree = MemoryTree(sample.language, sample.before)
    return tree, next(one for one in tree.facts[SHOP].references.items if one.kind == RefKind.CALL)


def test_contracts_tell_a_call_that_fits_from_one_that_does_not_or_say_that_they_do_not_know(sample: Sample) -> None:
    _, reference = call(sample)
    judge = contracts(sample)
    verdicts = [judge.fits(SHOP, reference, TAX, is_now=is_now).state for is_now in (False, True)]
    known, not_known = [State.FITS, State.MISFIT], [State.NOT_KNOWN, State.NOT_KNOWN]
    assert verdicts == (known if sample in WITH_CONTRACTS else not_known)


def test_contracts_say_what_has_changed_about_a_definition(sample: Sample) -> None:
    changes = [each.name for each in contracts(sample).alterations(TAX, TAX)]
    assert changes == (["b"] if sample in WITH_CONTRACTS else [])


def test_the_extent_of_a_use_is_in_its_file_and_holds_its_name(sample: Sample) -> None:
    tree, reference = call(sample)
    start, end = contracts(sample).extent(tree.interface(SHOP), reference)
    text = sample.before[tree.files[SHOP].path].encode()
    assert text[start:end].startswith(b"tax")


def test_a_use_is_not_excused_where_the_source_says_nothing(sample: Sample) -> None:
    tree, _ = call(sample)
    lines = sample.before[tree.files[SHOP].path].split("\n")
    assert not contracts(sample).is_excused(lines, 1, is_import=False)


def test_nothing_is_unknown_in_a_file_that_is_whole(sample: Sample) -> None:
    tree, _ = call(sample)
    names = contracts(sample).names
    assert list(names.unknown(SHOP, tree.facts[SHOP].references.items, is_now=True)) == []
    assert names.unbound(tree.interface(SHOP), tree.interface(SHOP)) == frozenset()


def test_nothing_becomes_of_what_is_not_gone(sample: Sample) -> None:
    tree, _ = call(sample)
    facts = {row.path: tree.facts[number] for number, row in tree.files.items()}
    assert contracts(sample).successors(facts, facts) == {}


def test_conventions_say_what_a_function_lacks(sample: Sample) -> None:
    conventions = conventions_of(sample.language)
    tree, _ = call(sample)
    if sample in WITHOUT:
        assert conventions is None
        return
    assert conventions is not None
    assert conventions.untyped(tree.interface(RATES), TAX.ordinal) == (["a"], True)
    assert conventions.undocumented(tree.interface(RATES), TAX.ordinal, full=False)


def test_editing_renames_a_name_and_leaves_the_rest_alone(sample: Sample) -> None:
    editing = editing_of(sample.language)
    if sample in WITHOUT:
        assert editing is None
        return
    assert editing is not None
    tree, reference = call(sample)
    source = sample.before[tree.files[SHOP].path].encode()
    at = tree.interface(SHOP).defs[reference.source].start + reference.at
    edits = editing.rename(source, at, "tax", "vat", is_home=False)
    assert edits
    for edit in sorted(edits, key=lambda each: -each.start):
        source = source[: edit.start] + edit.text + source[edit.end :]
    assert source.count(b"vat") == sample.before[tree.files[SHOP].path].count("tax")


def test_explaining_begins_at_the_reference_and_shows_lines_that_exist(sample: Sample) -> None:
    explaining = explaining_of(sample.language)
    if sample in WITHOUT:
        assert explaining is None
        return
    assert explaining is not None
    tree, reference = call(sample)
    edge = EdgeRow(reference.source, reference.at, EdgeKind.CALLS, *TAX, Tier.TIER2_TREESITTER_HEURISTIC, 95)
    clues = explaining.explain(tree, SHOP, edge, tree.references, lambda slot: {})
    assert clues[0].file == SHOP
    sizes = {number: len(sample.before[row.path].encode()) for number, row in tree.files.items()}
    assert all(0 <= each.at < sizes[each.file] for each in clues)


def test_questions_for_helpers_are_about_references_of_the_file(sample: Sample) -> None:
    confirming = confirming_of(sample.language)
    if sample in WITHOUT:
        assert confirming is None
        return
    assert confirming is not None
    tree, _ = call(sample)
    asked = confirming.questions(tree.interface(SHOP), tree.references(SHOP))
    count, size = len(tree.facts[SHOP].references.items), len(sample.before[tree.files[SHOP].path].encode())
    assert asked
    assert all(0 <= index < count for each in asked for index in each.references)
    assert all(0 <= each.at < size for each in asked)


def test_manifests_that_are_broken_are_warned_of_and_declare_nothing(sample: Sample) -> None:
    manifests = manifests_of(sample.language)
    if sample in WITHOUT:
        assert manifests is None
        assert manifest_names(sample.language) == ()
        return
    assert manifests is not None
    for name in manifest_names(sample.language):
        read = manifests.parse_manifests({("app", name): b"\xff\xfe[broken"})
        assert not any(manifest.packages for manifest in read.manifests)


def test_external_names_the_package_of_a_reference_or_nothing(sample: Sample) -> None:
    external = external_of(sample.language)
    if sample in WITHOUT:
        assert external is None
        return
    assert external is not None
    text = (
        "import os.path\nfrom requests import get\nfrom . import here\nos.path.join()\nget()\nhere()\nlen()\nlost()\n"
    )
    tree = MemoryTree(sample.language, {"m.py": text})
    found = [one for one in tree.facts[0].references.items if one.kind == RefKind.CALL]
    assert [external.package_of(tree.interface(0), one) for one in found] == ["os", "requests", "", "builtins", ""]
