"""Edits of Python source on its concrete syntax: the bytes that must differ, and no others.

`PythonEditing` implements the Editing socket. Which edit fixes what is left to enforcement.
"""

from __future__ import annotations

from keel.languages.python.editing.calls import (
    add_argument,
    drop_argument,
    given_around,
    is_of_module,
    is_plain,
    rename_argument,
)
from keel.languages.python.editing.names import import_also, import_at_top, import_from, listed
from keel.languages.python.editing.renames import rename

__all__ = ["PythonEditing"]


class PythonEditing:
    """The Editing socket for Python."""

    rename = staticmethod(rename)
    rename_argument = staticmethod(rename_argument)
    drop_argument = staticmethod(drop_argument)
    add_argument = staticmethod(add_argument)
    given_around = staticmethod(given_around)
    is_plain = staticmethod(is_plain)
    is_of_module = staticmethod(is_of_module)
    listed = staticmethod(listed)
    import_at_top = staticmethod(import_at_top)
    import_from = staticmethod(import_from)
    import_also = staticmethod(import_also)
