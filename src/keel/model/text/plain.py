"""Words of the JSON contract in plain English: who found an edge, why a reference has none, why a name matched.

Used by every text that people read; JSON, exports and schemas keep the words of `kinds`. Defining the words is left to
`docs/vocabulary.md`.
"""

from __future__ import annotations

TIERS = {
    "tier1_treesitter": "by keel, from one file",
    "tier2_ty": "by ty",
    "tier2_oxc": "by oxc",
    "tier2_treesitter_heuristic": "by keel (heuristic)",
    "tier2_rust_analyzer": "by rust-analyzer",
    "tier3_lsp": "by a language server",
    "tier3_scip": "by a SCIP index",
}
"""Who found an edge."""

REASONS = {
    "linked": "linked",
    "no_candidate": "no matching definition",
    "ambiguous": "several matching definitions",
    "dynamic": "known only at run time",
    "external": "outside the workspace",
    "provider_failed": "a helper failed",
    "not_looked": "not looked up",
}
"""Why a reference has no edge."""

MATCHES = {
    "exact_id": "by id or hash",
    "exact_fqn": "by full name",
    "route_method_path": "by method and path",
    "client_target_path": "by service and path",
    "fqn_suffix": "by the end of its full name",
    "route_template": "by path",
    "short_name": "by short name",
    "client_target": "by service",
    "tool_id": "by tool id",
    "producer_topic": "by topic",
    "package_name": "by package name",
}
"""Why an identifier matches a node."""

TITLES = {"tiers": "edges found", "references": "references", "goes": "remove", "loses": "edit", "stays": "keep"}
"""Titles that people read, by the name of the field; every other field is titled by its name."""

_PLAIN = TIERS | REASONS | MATCHES


def in_plain_words(word: str) -> str:
    """A word of the contract as people say it; any other word as it is."""
    return _PLAIN.get(word, word)
