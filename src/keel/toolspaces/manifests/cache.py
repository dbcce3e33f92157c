"""A cache of parsed manifests, by the content of their files.

A file is read each time, and its content is the key: an edit, a new or a deleted file counts at once. Parsing is left
to `manifest.py`.
"""

from __future__ import annotations

import hashlib

from keel.toolspaces.manifests.manifest import Manifest, parsed

MAX_MANIFESTS = 4096
"""Manifests that are kept; when there are more, the oldest go."""

_held: dict[tuple[str, bool], Manifest] = {}


def manifest_of(item_id: str, path: str, data: bytes) -> tuple[Manifest, str]:
    """The manifest in the bytes of a tool's file, and the SHA-256 of these."""
    digest = hashlib.sha256(data).hexdigest()
    key = digest, path.endswith(".yaml")
    held = _held.get(key)
    if held is None:
        held = _held[key] = parsed(item_id, path, data)
        while len(_held) > MAX_MANIFESTS:
            del _held[next(iter(_held))]
    return held, digest
