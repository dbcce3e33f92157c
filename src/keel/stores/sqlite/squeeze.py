"""Compresses large blobs: a few big files make up most of the facts of a project.

Small ones are stored as they are, since that would save little and every query reads some. Which blobs there are is
left to `schema.py`.
"""

from __future__ import annotations

LARGE = 32_768
"""Half of a project's facts are in files of this size and more, which are one in twenty."""
MARK = b"\xc1"
"""Begins a blob that is compressed; no encoded facts begin so."""


def squeezed(blob: bytes, least: int = LARGE) -> bytes:
    """A blob as it is stored: compressed from so many bytes on."""
    if len(blob) < least and not blob.startswith(MARK):
        return blob
    import zlib  # only here: start-up of questions that meet no large file

    return MARK + zlib.compress(blob, 1)


def loosened(stored: bytes) -> bytes:
    """The inverse of `squeezed`."""
    if not stored.startswith(MARK):
        return stored
    import zlib

    return zlib.decompress(stored[len(MARK) :])
