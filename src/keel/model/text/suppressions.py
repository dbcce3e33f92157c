"""The text of a suppression after `keel:suppress`: the codes, and the reason.

Finding such comments in source is left to the languages, applying them to enforcement.
"""

from __future__ import annotations

import re

_before_reason = re.compile(r"\u2014|--|:").search
_codes = re.compile(r"[^\s,]+").findall


def codes_and_reason(text: str) -> tuple[list[str], str]:
    """`E001, W002 — why` as its codes and its reason, each as far as it is written; neither is checked."""
    mark = _before_reason(text)
    head, reason = (text[: mark.start()], text[mark.end() :]) if mark else (text, "")
    return _codes(head), reason.strip()
