"""The codes of findings, from the modules of the rules.

What a rule finds, why and when it is wrong is said by its docstring.
"""

from __future__ import annotations

from keel import registry
from tools.docs.markdown import link, table

HEADS = ("code", "category", "severity", "meaning")


def codes(page: str) -> str:
    """A table of all codes."""
    rows = [
        (
            link(page, f"docs/rules/{rule.CODE}.md", f"`{rule.CODE}`"),
            rule.CATEGORY,
            rule.SEVERITY,
            _meaning(rule.__doc__ or ""),
        )
        for rule in registry.rules()
    ]
    return table(HEADS, rows)


def _meaning(docstring: str) -> str:
    """The first line without the code and the category that it begins with."""
    said = docstring.partition("\n")[0].partition(": ")[2]
    return said[:1].upper() + said[1:]
