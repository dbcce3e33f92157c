"""Results for language models: few tokens, the most relevant first, and within a budget.

A map and a report of findings have forms of their own; every other result is written as its `LAYOUT` says, without
alignment. A record in a list may declare its line here as `LLM`. What did not fit is counted at the end. Estimating
tokens is left to `_tokens.py`.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from keel.formats._budget import Entry, fitted
from keel.formats.human import filled
from keel.model.record import Record, fields_of
from keel.model.report import Report
from keel.model.text.wording import format_counts

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from keel.graph.workspace_map import WorkspaceMap

DEFAULT_TOKENS = 4000
FIRST, LATER = range(2)
"""Ranks: lines about the whole answer, and entries of lists."""
AFTER_LISTS = 5
"""The rank of lines behind the lists: they come after so many entries of each."""
FEW_LINES = 3


class Llm:
    """The Format socket for language models, with a budget of tokens."""

    name = "llm"

    def __init__(self, tokens: int = DEFAULT_TOKENS) -> None:
        self.tokens = tokens

    def within(self, tokens: int) -> Llm:
        """The same with another budget."""
        return Llm(tokens)

    def render(self, result: object, colour: bool = False) -> Iterator[str]:
        """The most relevant of the result that fits, in one piece."""
        if isinstance(result, Report):
            from keel.formats._llm_findings import closing_of as closing
            from keel.formats._llm_findings import finding_entries

            yield fitted(finding_entries(result, self.tokens), self.tokens, closing(result))
            return
        atlas = _as_map(result)
        if atlas is not None:
            from keel.formats._llm_map import closing_of, map_entries

            yield fitted(map_entries(atlas), self.tokens, closing_of(atlas))
        else:
            yield fitted(list(_entries(result)), self.tokens, _closing)


def _as_map(result: object) -> WorkspaceMap | None:
    """The result, when it is a map with modules to show."""
    if not hasattr(result, "modules"):
        return None
    from keel.graph.workspace_map import WorkspaceMap

    return result if isinstance(result, WorkspaceMap) and result.modules else None


def _closing(left: Sequence[Entry]) -> str:
    counts = Counter(entry.noun for entry in left if entry.noun)
    return f"… not shown: {format_counts(counts)}; raise --max-tokens to see more" if counts else ""


def _entries(result: object) -> Iterator[Entry]:
    """The parts of a result's layout that have something to say."""
    number = 0
    rank: tuple[float, ...] = (FIRST,)
    for part in getattr(result, "LAYOUT", fields_of(type(result))):
        if "{" in part:
            entries = _text_entries(filled(_closer(part), result), number, rank)
        else:
            value = getattr(result, part)
            entries = _field_entries(part, value, number, rank)
            if isinstance(value, list | tuple) and value:
                rank = (LATER, AFTER_LISTS)
        for entry in entries:
            number += 1
            yield entry


def _text_entries(text: str, number: int, rank: tuple[float, ...]) -> Iterator[Entry]:
    """A few lines are about the whole answer; of many, each needs those before it. `number` is that of the first."""
    lines = text.split("\n") if text else []
    for index, line in enumerate(lines):
        if len(lines) > FEW_LINES:
            yield Entry(f"\n{line}", (LATER, index), "line", number + index - 1 if index else -1)
        else:
            yield Entry(f"\n{line}", rank, "line")


def _field_entries(name: str, value: object, number: int, rank: tuple[float, ...]) -> Iterator[Entry]:
    """A field that has something to say; of a list, each entry comes after those before it."""
    title = name.replace("_", " ")
    if value is None or value in ("", (), [], {}):
        return
    if isinstance(value, dict):
        yield Entry(f"\n{title}: {_counts(value)}", rank, "line")
    elif isinstance(value, list | tuple):
        yield Entry(f"\n{title}:")
        for index, item in enumerate(value):
            yield Entry(f"\n{item_text(item)}", (LATER, index), f"{title} entry", number + index)
    else:
        yield from _text_entries(f"{title}: {value}", number, rank)


def item_text(item: object) -> str:
    """A record of a list on one line."""
    if not isinstance(item, Record):
        return str(item)
    template = getattr(item, "LLM", "") or getattr(item, "LAYOUT", ("",))[0]
    return filled(_closer(template), item) if template else str(item)


def _closer(template: str) -> str:
    """A template whose columns are one blank apart."""
    return template.replace("  ", " ")


def _counts(counts: Mapping[object, object]) -> str:
    return ", ".join(
        f"{word} {{{_counts(value)}}}" if isinstance(value, dict) else f"{word or '(none)'} {_number(value)}"
        for word, value in counts.items()
    )


def _number(value: object) -> str:
    return f"{value:,}" if type(value) is int else str(value)


format = Llm()
