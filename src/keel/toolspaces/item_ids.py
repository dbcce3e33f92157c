"""Item ids: the names of tools, and which texts are valid ones.

An id is a path of segments with `/` between them, relative to the `tools` folder of a space. It is checked before any
path is made of it, so that no id escapes from a space. Finding the tool is left to `resolve.py`.
"""

from __future__ import annotations

import re

from keel.errors import ToolIdError

MAX_ID_LENGTH = 200
"""Characters of an id: with a suffix, every segment is still a file name on every system."""

_ID = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9._-]*(?:/[A-Za-z0-9_-][A-Za-z0-9._-]*)*", re.ASCII)


def checked_id(item_id: object) -> str:
    """The id, when it is one; otherwise an error that says what is wrong with it."""
    if isinstance(item_id, str) and len(item_id) <= MAX_ID_LENGTH and _ID.fullmatch(item_id):
        return str(item_id)
    raise ToolIdError(item_id if isinstance(item_id, str) else repr(item_id), _problem(item_id))


def is_id(text: str) -> bool:
    """Whether a text is a valid id, whether the tool exists or not."""
    return len(text) <= MAX_ID_LENGTH and _ID.fullmatch(text) is not None


def _problem(item_id: object) -> str:
    if not isinstance(item_id, str):
        return f"it is no text, but {type(item_id).__name__}"
    if not item_id:
        return "it is empty"
    if len(item_id) > MAX_ID_LENGTH:
        return f"it is longer than {MAX_ID_LENGTH} characters"
    if item_id.startswith("/"):
        return "it is an absolute path"
    if "\\" in item_id or "\0" in item_id:
        return "it holds a backslash or NUL"
    segments = item_id.split("/")
    if "" in segments:
        return "one of its segments is empty"
    dots = next((segment for segment in segments if segment.startswith(".")), "")
    if dots:
        return f"its segment '{dots}' begins with a dot"
    return "it holds other characters"
