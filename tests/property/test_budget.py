"""Budgets of tokens: whatever the answer, the text stays within, and what it lacks is said."""

from __future__ import annotations

import re
import shutil
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.tokenizers import most_tokens
from keel.bootstrap import open_workspace
from keel.formats._budget import Entry, fitted
from keel.formats._tokens import estimate
from keel.formats.llm import Llm
from keel.graph.workspace_map import Module, Symbol, WorkspaceMap
from keel.operations import describe, discover, stats, status
from keel.operations import map as map_operation

LEAST = 100
"""What the command line takes at least."""

# any answer, by the estimate

WORDS = st.text("abcdefghijklmnop_ABC0123 é名\n:", max_size=60)
ENTRIES = st.lists(
    st.builds(
        lambda text, rank: Entry(f"\n{text}", (rank,), "thing"),
        WORDS,
        st.integers(0, 5),
    ),
    max_size=40,
)


def closing(left: object) -> str:
    count = len(list(left)) if isinstance(left, list | tuple) else 0
    return f"… {count} more things" if count else ""


@given(entries=ENTRIES, budget=st.integers(20, 400))
def test_any_entries_are_fitted_and_what_is_left_out_is_counted(entries: list[Entry], budget: int) -> None:
    text = fitted(entries, budget, closing)
    assert estimate(text) <= budget
    said = re.search(r"… (\d+) more things\n$", text)
    whole = "".join(entry.text for entry in entries)
    assert said is not None or text == whole.lstrip("\n") + "\n" or not entries


@given(entries=ENTRIES, budget=st.integers(20, 400))
def test_what_is_kept_is_more_relevant_than_what_would_still_have_fitted(entries: list[Entry], budget: int) -> None:
    equal = [entry._replace(text=f"\nentry {index:03d}") for index, entry in enumerate(entries)]
    text = fitted(equal, budget, closing)
    kept = {index for index, entry in enumerate(equal) if entry.text in f"\n{text}"}
    ranks_kept = [entries[index].rank or () for index in kept]
    ranks_left = [entry.rank or () for index, entry in enumerate(entries) if index not in kept]
    assert not ranks_kept or not ranks_left or max(ranks_kept) <= min(ranks_left)


NAMES = st.sampled_from(["get", "load_all", "Session", "_hidden", "HTTPServer", "parse_url_2", "größe", "名前"])


@st.composite
def atlases(draw: st.DrawFn) -> WorkspaceMap:
    """A map of a few modules with any symbols."""
    modules, symbols = [], []
    left_out = draw(st.sampled_from([{}, {"module": 3, "function": 40}]))
    for number in range(draw(st.integers(0, 6))):
        path = f"{draw(st.sampled_from(['src', 'tests', 'src/deep/er']))}/m{number}.py"
        modules.append(
            Module(
                root="r",
                path=path,
                module=f"m{number}",
                language="python",
                lines=9,
                classes=1,
                functions=2,
                used_by=draw(st.integers(0, 9)),
                used_by_tests=0,
                uses=0,
                is_test=path.startswith("tests"),
            )
        )
        symbols.extend(draw(st.lists(_symbols(path), max_size=12)))
    return WorkspaceMap(
        scope="",
        depth=draw(st.integers(1, 3)),
        most_referenced=tuple(symbols[:3]),
        modules=tuple(modules),
        symbols=tuple(symbols),
        total=len(modules) + left_out.get("module", 0),
        offset=0,
        left_out=left_out,
    )


def _symbols(path: str) -> st.SearchStrategy[Symbol]:
    return st.builds(
        lambda name, around, line, kind, references: Symbol(
            root="r",
            path=path,
            line=line,
            kind=kind,
            qualified_name=f"{around}{name}",
            hash="0",
            visibility="private" if name.startswith("_") else "public",
            declaration=f"def {around}{name}(a, b: int = 0) -> str",
            references=references,
            references_from_tests=0,
        ),
        NAMES,
        st.sampled_from(["", "Session.", "Other."]),
        st.integers(1, 3000),
        st.sampled_from(["class", "function", "method", "field", "constant"]),
        st.integers(0, 50),
    )


@given(atlas=atlases(), budget=st.integers(LEAST, 800))
def test_any_map_is_fitted_and_every_symbol_is_shown_or_counted(atlas: WorkspaceMap, budget: int) -> None:
    text = "".join(Llm(budget).render(atlas))
    assert estimate(text) <= budget
    whole = "".join(Llm(10**6).render(atlas))
    if text != whole:
        advice = "narrow with --scope" if atlas.total > 1 else "raise --max-tokens"
        assert re.search(rf"… .*more .*; {advice}\n$", text)
    if atlas.modules and atlas.left_out:
        assert "… " in whole, "what the operation left out is said, whatever the budget"


# answers about real packages, by real tokenizers

PACKAGES = ("_pytest", "jsonschema", "importlinter")


@pytest.fixture(scope="module", params=PACKAGES)
def answers(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> list[object]:
    """Maps of an installed package at every depth, and answers about some of its symbols."""
    found = next(Path(folder) / request.param for folder in sys.path if (Path(folder) / request.param).is_dir())
    folder = tmp_path_factory.mktemp("real")
    shutil.copytree(found, folder / request.param, ignore=shutil.ignore_patterns("__pycache__"))
    opened = open_workspace(str(folder))
    maps = [map_operation.run(opened, map_operation.Params(depth=depth)) for depth in (1, 2, 3)]
    handles = [symbol.hash for symbol in maps[1].symbols[:: max(1, len(maps[1].symbols) // 12)]]
    return [
        *maps,
        status.run(opened, status.Params()),
        stats.run(opened, stats.Params()),
        *(discover.run(opened, discover.Params(symbol=handle, depth=3)) for handle in handles),
        *(describe.run(opened, describe.Params(symbol=handle)) for handle in handles),
    ]


@pytest.mark.parametrize("budget", [LEAST, 150, 300, 1000, 4000])
def test_budgets_are_kept_by_real_tokenizers(answers: list[object], budget: int) -> None:
    used = [most_tokens("".join(Llm(budget).render(answer))) for answer in answers]
    assert max(used) <= budget


def test_a_budget_that_is_too_small_for_the_map_is_mostly_used(answers: list[object]) -> None:
    whole = [most_tokens("".join(Llm(10**6).render(answer))) for answer in answers[1:3]]
    used = [most_tokens("".join(Llm(1000).render(answer))) for answer in answers[1:3]]
    assert all(part >= 700 for part, all_of_it in zip(used, whole, strict=True) if all_of_it > 2000)


def test_a_definition_costs_about_six_tokens_in_a_map(answers: list[object]) -> None:
    symbols = getattr(answers[1], "symbols", ())
    # Six is what source costs; the long names of tests, which some packages bring along, cost more.
    assert most_tokens("".join(Llm(10**6).render(answers[1]))) / len(symbols) < 8
