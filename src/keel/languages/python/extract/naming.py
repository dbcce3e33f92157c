"""Names by custom: what a leading underscore says about who may use something.

Nothing else about a definition is decided here.
"""

from __future__ import annotations

from keel.model.kinds import Visibility

PUBLIC, PROTECTED, PRIVATE = Visibility.PUBLIC, Visibility.PROTECTED, Visibility.PRIVATE


def visibility(name: bytes) -> Visibility:
    """`_x` is protected, `__x` private, `__x__` and everything else public."""
    if name[:1] != b"_" or (name[:2] == b"__" and name[-2:] == b"__"):
        return PUBLIC
    return PRIVATE if name[:2] == b"__" else PROTECTED
