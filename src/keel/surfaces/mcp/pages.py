"""What can be read beside the tools: the page of every rule as a resource, and one prompt.

A finding names its rule by a code; its page says what the rule means, why, and when it is wrong. The prompt is for
people, whose agents show it as a command. What tools there are is left to `catalogue.py`.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from keel import registry

SCHEME = "keel://rules/"
PLAIN_TEXT = "text/plain"
PROMPT = "check"
PROMPT_TITLE = "Check my edits"
PROMPT_SAID = "Check the edits of this workspace, and fix what they break."
PROMPT_TEXT = """\
Ask keel `compile` without files. It compares this workspace with what was last accepted.
For each error: ask `explain` with its code and hash, and look at the places it names. Decide whether the edit or its \
users are to be changed, and do that. Ask `compile` again, until it reports no errors.
Do not suppress a finding unless it is wrong; then say why in the suppression."""


class Page(NamedTuple):
    """The page of a rule."""

    code: str
    title: str
    text: str

    @property
    def uri(self) -> str:
        """Where it is read."""
        return f"{SCHEME}{self.code}"


@lru_cache(maxsize=1)
def pages() -> dict[str, Page]:
    """The pages by their address."""
    found = [_page(rule.CODE, rule.__doc__ or "") for rule in registry.rules()]
    return {page.uri: page for page in found}


def _page(code: str, said: str) -> Page:
    return Page(code, said.strip().partition("\n")[0].rstrip("."), said.strip())
