"""Names by custom: what a leading underscore says about who may use something.

Nothing else about a definition is decided here.
"""

from __future__ import annotations

from keel.model.kinds import Visibility


def visibility(name: bytes) -> Visibility:
    """`_x` is protected, `__x` private, `__x__` and everything else public."""
    if not name.startswith(b"_") or (name.startswith(b"__") and name.endswith(b"__")):
        return Visibility.PUBLIC
    return Visibility.PRIVATE if name.startswith(b"__") else Visibility.PROTECTED
