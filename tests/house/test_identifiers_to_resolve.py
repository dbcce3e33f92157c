"""An agent with a name is sent to `resolve`: the descriptions say so, and none recommends to search and then describe.

Descriptions are all that an agent reads before it chooses a tool. How tools answer is tested with them.
"""

from __future__ import annotations

import re

import pytest

from keel import registry
from keel.errors import SymbolAmbiguous
from tools.docs.repository import TOP

VERBS = ("search", "find", "describe", "neighbors")
PAGES = ("README.md", "docs/agents.md", "docs/agent-guide.md", "docs/mcp.md")
"""Pages that tell agents or people which verb to use; those that are there are read."""
INSTRUCTIONS = "src/keel/surfaces/mcp/server.py", "src/keel/surfaces/mcp/catalogue.py"
"""Where a server's instructions are, as far as there is a server."""

_search_then_describe = re.compile(r"search[^.|\n]{0,60}\b(?:then|and)\b[^.|\n]{0,40}describe", re.IGNORECASE)


def texts() -> dict[str, str]:
    """Everything that describes the verbs, by where it is."""
    operations = {verb: registry.operation(verb) for verb in (*VERBS, "resolve")}
    found = {f"keel {verb}": one.__doc__ or "" for verb, one in operations.items() if one is not None}
    for page in (*PAGES, *INSTRUCTIONS):
        if (TOP / page).exists():
            found[page] = (TOP / page).read_text(encoding="utf-8")
    return found


@pytest.mark.parametrize("place", texts())
def test_nothing_recommends_to_search_and_then_describe(place: str) -> None:
    assert not _search_then_describe.search(texts()[place])


@pytest.mark.parametrize("verb", [verb for verb in VERBS if registry.operation(verb) is not None])
def test_the_description_sends_identifiers_to_resolve(verb: str) -> None:
    assert "`resolve`" in texts()[f"keel {verb}"]


@pytest.mark.parametrize("place", [place for place, text in texts().items() if "`neighbors`" in text])
def test_who_names_the_verbs_names_resolve(place: str) -> None:
    assert "`resolve`" in texts()[place]


def test_a_collision_sends_to_resolve() -> None:
    assert "`keel resolve`" in str(SymbolAmbiguous("f", ["a.py:1  function f  x"], 2))
