"""Comments that speak to keel: `# keel:suppress E001 — reason` above a definition.

What a suppression silences is left to enforcement.
"""

from __future__ import annotations

import re

from keel.model.facts import Suppression

_suppress = re.compile(
    rb"^[ \t]*#[ \t]*keel:suppress[ \t]+([A-Z]\d{3}(?:[ \t]*,[ \t]*[A-Z]\d{3})*)[ \t]*(?:(?:\xe2\x80\x94|--|:)[ \t]*(.*))?$",
    re.MULTILINE,
).finditer


def suppressions(source: bytes) -> list[Suppression]:
    """All suppression comments on lines of their own, in order."""
    if b"keel:suppress" not in source:
        return []
    return [
        Suppression(
            match.start(1),
            [code.strip() for code in match[1].decode().split(",")],
            (match[2] or b"").decode("utf-8", "replace").strip(),
        )
        for match in _suppress(source)
    ]
