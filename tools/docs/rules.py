"""A page for each rule, and an index of all: from the rule's docstring.

Which rules there are is left to the registry.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from keel import registry
from keel.ports.rule import Rule
from tools.docs.markdown import body, link, summary, table

INDEX = "docs/rules/README.md"
SECTION = re.compile(r"^(What it finds|Why|Instead|How sure|How strict|When it is wrong):", re.MULTILINE)
"""How the parts of a rule's docstring begin."""


def pages() -> Iterator[tuple[str, str]]:
    """The index of rules, and the page of each."""
    yield INDEX, _index()
    for rule in _rules():
        yield _page_of(rule), _page(rule)


@cache
def _rules() -> list[Rule]:
    return registry.rules()


def _page_of(rule: Rule) -> str:
    return f"docs/rules/{rule.CODE}.md"


def _first_sentence(rule: Rule) -> str:
    said = summary(rule.__doc__).partition(": ")[2]
    return said[:1].upper() + said[1:]


def _index() -> str:
    compiling, review, explain = (
        link(INDEX, f"docs/commands/{verb.split()[0]}.md", f"`keel {verb}`")
        for verb in ("compile", "review", "explain CODE HASH")
    )
    rows = [
        (
            link(INDEX, _page_of(rule), f"`{rule.CODE}`"),
            f"`{rule.CATEGORY}`",
            f"`{rule.SEVERITY}`",
            _first_sentence(rule),
        )
        for rule in _rules()
    ]
    return f"""{_note("the rules there are")}
# Rules

What {compiling} and {review} find. `keel help CODE` shows the page of a rule in the terminal, {explain} the evidence
for one finding.

{table(("code", "category", "severity at most", "what is found"), rows)}
"""


def _page(rule: Rule) -> str:
    source = f"src/{getattr(rule, '__name__', '').replace('.', '/')}.py"
    text = SECTION.sub(lambda found: f"**{found[1]}:**", body(rule.__doc__, "text"))
    parts = [
        f"{_note(f'`{source}`')}\n# {rule.CODE} {rule.CATEGORY}",
        _first_sentence(rule),
        text,
        f"{link(_page_of(rule), INDEX, 'All rules')}",
    ]
    return "\n\n".join(parts) + "\n"


def _note(source: str) -> str:
    return f"<!-- Made by `make docs` from {source}; not edited by hand. -->\n"
