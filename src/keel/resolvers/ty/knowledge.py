"""What ty knows about a callee, from its hover text: a signature, with or without all types, or nothing.

A function behind a decorator without types (`(...)`), a cached one (`_lru_cache_wrapper`), code that cannot be reached
(`Never`) and receivers of any type (`Unknown`) are not checked by ty, so that the absence of a diagnostic proves
nothing. Asking for the hover is left to `session`.
"""

from __future__ import annotations

import re

from keel.ports.type_checker import Knowledge

_signature = re.compile(r"(?:async )?(?:def|class|bound method) [^(]*\(").match
ANYTHING = "(...)"
NO_VALUE = ("Unknown", "Never", "Any")
NOT_KNOWN = ("Unknown", "@Todo")
RULE = "\n---"
"""The separator between the signature and the docstring."""


def knowledge_of(hover: str) -> Knowledge:
    """How much the text of a hover proves."""
    said = hover.partition(RULE)[0].strip()
    if not said or said in NO_VALUE:
        return Knowledge.NOTHING
    if not _signature(said) or ANYTHING in said:
        return Knowledge.VALUE
    return Knowledge.SHAPE if any(word in said for word in NOT_KNOWN) else Knowledge.TYPES
