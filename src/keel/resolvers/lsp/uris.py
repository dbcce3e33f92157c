"""Converts paths to URIs and back, byte for byte: a name that is no UTF-8 survives the round trip.

Which files are meant is left to the callers.
"""

from __future__ import annotations

import os
import sys
from functools import lru_cache
from urllib.parse import quote_from_bytes, unquote_to_bytes

FILE = "file://"
MAX_KEPT = 8_192
"""Entries of the cache: responses name the same files over and over."""


@lru_cache(MAX_KEPT)
def uri_of(path: str) -> str:
    """The URI of an absolute path."""
    if sys.platform == "win32":
        path = "/" + path.replace("\\", "/")
    return FILE + quote_from_bytes(os.fsencode(path), safe="/:")


@lru_cache(MAX_KEPT)
def path_of(uri: str) -> str | None:
    """The absolute path that a URI names; None when it names no file."""
    if not uri.startswith(FILE):
        return None
    path = os.fsdecode(unquote_to_bytes(uri.removeprefix(FILE).removeprefix("localhost")))
    if sys.platform == "win32":
        path = path.lstrip("/").replace("/", "\\")
    return path if os.path.isabs(path) else None
