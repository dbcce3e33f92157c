"""The codes of findings: those of the rules, from their modules, and the additive ones, from `keel.model.codes`.

What a rule finds, why and when it is wrong is said by its docstring.
"""

from __future__ import annotations

from keel import registry
from keel.model.codes import ADDITIVE
from tools.docs.markdown import link, table

HEADS = ("code", "category", "severity", "meaning")


def tables(page: str) -> str:
    """A table of either sort."""
    rules = [
        (f"`{rule.CODE}`", _linked(page, rule), rule.SEVERITY, _meaning(rule.__doc__ or ""))
        for rule in registry.rules()
    ]
    additive = [(f"`{code}`", said.category, said.severity, said.meaning) for code, said in ADDITIVE.items()]
    return "\n\n".join(["## Of rules", table(HEADS, rules), "## Additive", table(HEADS, additive)])


def _linked(page: str, rule: object) -> str:
    name = getattr(rule, "__name__", "").rpartition(".")[2]
    return link(page, f"src/keel/rules/{name}.py", str(getattr(rule, "CATEGORY", "")))


def _meaning(docstring: str) -> str:
    """The first line without the code and the category that it begins with."""
    said = docstring.partition("\n")[0].partition(": ")[2]
    return said[:1].upper() + said[1:]
