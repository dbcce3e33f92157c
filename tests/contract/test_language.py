"""What every language promises: pure extraction, sound facts, links that say what they looked up, and an honest sync.

Run on Python and on the guest of `tests/toy`; the capabilities that a language may lack have suites of their own in
`test_capabilities.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import pytest

from keel.languages.python import language as python
from keel.model.facts import FILE_DEF, MODULE_DEF, Facts, decode_interface, decode_references, encode
from keel.model.kinds import NodeKind, Reason, RefKind
from keel.ports.language import Language
from tests.linking import Linked, linked
from tests.toy import language as toy


class Sample(NamedTuple):
    """The same small project in one language: `total` calls `tax` of another file, and something that is not there."""

    language: Language
    files: Mapping[str, str]
    gone: Mapping[str, str]
    """The project without `tax`."""
    moved: Mapping[str, str]
    """The project with lines before `tax`."""


CALLER = "from rates import tax\ndef total(price):\n    tax(price)\n    lost(price)\n"
SAMPLES = {
    "python": Sample(
        python,
        {"shop.py": CALLER, "rates.py": "def tax(price): ...\n"},
        {"rates.py": "def vat(price): ...\n"},
        {"rates.py": "# rates\n\ndef other(): ...\n\ndef tax(price): ...\n"},
    ),
    "toy": Sample(
        toy,
        {"shop.toy": "fn total price\n  rates::tax price\n  lost price\n", "rates.toy": "fn tax price\n"},
        {"rates.toy": "fn vat price\n"},
        {"rates.toy": "; rates\n\nfn other\n\nfn tax price\n"},
    ),
}
HOSTILE = (
    *(b"", b"\n", b"\0\0", b"\xff\xfe\xfa", b"\xef\xbb\xbf", b"(" * 5000, b"fn " * 1000),
    *("def ü(): ü()\n".encode(), b"a" * 100_000),
)


@pytest.fixture(params=SAMPLES)
def sample(request: pytest.FixtureRequest) -> Sample:
    return SAMPLES[request.param]


def extracted(sample: Sample) -> dict[str, Facts]:
    return {path: sample.language.extract(text.encode(), path) for path, text in sample.files.items()}


def test_it_says_its_name_its_files_and_the_version_of_its_facts(sample: Sample) -> None:
    assert sample.language.name.islower()
    assert all(suffix.startswith(".") for suffix in sample.language.suffixes)
    assert sample.language.version > 0


def test_extraction_depends_on_the_bytes_alone(sample: Sample) -> None:
    assert extracted(sample) == extracted(sample)


def test_of_the_path_only_the_suffix_counts_since_facts_are_kept_by_content(sample: Sample) -> None:
    for path, text in sample.files.items():
        elsewhere = f"some/where/else{path[path.rindex('.') :]}"
        assert sample.language.extract(text.encode(), path) == sample.language.extract(text.encode(), elsewhere)


def test_every_file_begins_with_itself_and_its_module(sample: Sample) -> None:
    for facts in extracted(sample).values():
        kinds = [facts.interface.defs[ordinal].kind for ordinal in (FILE_DEF, MODULE_DEF)]
        assert kinds == [NodeKind.FILE, NodeKind.MODULE]


def test_everything_in_the_facts_points_to_something(sample: Sample) -> None:
    for path, facts in extracted(sample).items():
        interface, size = facts.interface, len(sample.files[path].encode())
        for ordinal, each in enumerate(interface.defs):
            assert each.parent < ordinal
            assert 0 <= each.start <= each.name_at <= each.end <= size
            assert interface.text(each.name) or ordinal <= MODULE_DEF
        for one in facts.references.items:
            assert 0 <= interface.defs[one.source].start + one.at < size
            assert interface.text(one.text)


def test_the_common_half_can_be_read_by_anybody(sample: Sample) -> None:
    for facts in extracted(sample).values():
        interface = decode_interface(encode(facts.interface))
        assert [each.qualified_name for each in interface.defs] == [
            each.qualified_name for each in facts.interface.defs
        ]
        assert interface.lines == facts.interface.lines
        assert decode_references(encode(facts.references)).items == facts.references.items


def test_the_language_itself_reads_back_all_that_it_wrote(sample: Sample) -> None:
    for facts in extracted(sample).values():
        assert sample.language.decode(encode(facts.interface)) == facts.interface


@pytest.mark.parametrize("source", HOSTILE, ids=range(len(HOSTILE)))
def test_no_source_makes_extraction_fail(sample: Sample, source: bytes) -> None:
    path = f"a{sample.language.suffixes[0]}"
    facts = sample.language.extract(source, path)
    assert facts == sample.language.extract(source, path)
    assert len(facts.interface.defs) > MODULE_DEF
    sample.language.text(source).decode()


def test_calls_become_edges_or_say_why_not(sample: Sample) -> None:
    graph = linked(sample.language, sample.files)
    assert ("total", "tax") in graph.edges
    assert [reason for name, reason in graph.reasons if name == "lost"] == [Reason.NO_CANDIDATE]


def test_each_reference_has_a_reason(sample: Sample) -> None:
    graph = linked(sample.language, sample.files)
    assert {name for name, _ in graph.reasons} >= {"lost"}
    assert all(reason == Reason.LINKED for name, reason in graph.reasons if name.endswith("tax"))


def test_what_a_file_looked_up_covers_what_can_change_its_links(sample: Sample) -> None:
    assert is_linked_again(sample, sample.gone)


def test_what_says_the_same_elsewhere_in_its_file_changes_no_answer(sample: Sample) -> None:
    assert not is_linked_again(sample, sample.moved)


def test_the_links_are_those_of_the_files_alone(sample: Sample) -> None:
    backwards = dict(reversed(list(sample.files.items())))
    assert linked(sample.language, sample.files) == linked(sample.language, backwards)


def is_linked_again(sample: Sample, change: Mapping[str, str]) -> bool:
    """Whether the file that calls has looked up something whose answer a change of the other file alters."""
    before: Linked = linked(sample.language, sample.files)
    caller = next(path for path in sample.files if path not in change)
    return bool(before.keys[caller] & before.changed(change))


def test_calls_are_references_with_their_role(sample: Sample) -> None:
    facts = next(iter(extracted(sample).values()))
    assert RefKind.CALL in {one.kind for one in facts.references.items}
