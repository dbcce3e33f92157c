"""What ty's hover over a callee says it knows: a signature, with or without all types, or nothing that proves anything.

A function behind a decorator without types (`(...)`), a cached one (`_lru_cache_wrapper`), code that cannot be reached
(`Never`) and receivers of any type (`Unknown`) are checked against nothing, so that silence there is no proof.
"""

from __future__ import annotations

import re

from keel.ports.type_checker import Knowledge

_signature = re.compile(r"(?:async )?(?:def|class|bound method) [^(]*\(").match
ANYTHING = "(...)"
NO_VALUE = ("Unknown", "Never", "Any")
NOT_KNOWN = ("Unknown", "@Todo")
RULE = "\n---"
"""What stands between the signature and the docstring."""


def knowledge_of(hover: str) -> Knowledge:
    """What the text of a hover is proof of."""
    said = hover.partition(RULE)[0].strip()
    if not said or said in NO_VALUE:
        return Knowledge.NOTHING
    if not _signature(said) or ANYTHING in said:
        return Knowledge.VALUE
    return Knowledge.SHAPE if any(word in said for word in NOT_KNOWN) else Knowledge.TYPES
