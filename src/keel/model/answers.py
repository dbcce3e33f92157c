"""A helper's answers about a file's references, as they are stored: definitions by name, not by position.

Names stay valid when other files are edited, positions do not. Asking is left to `indexing`, merging to the languages.
"""

from __future__ import annotations

import msgspec
from msgspec import Struct


class Named(Struct, array_like=True, frozen=True):
    """A definition of the workspace by name."""

    root: str
    path: str
    qualified_name: str
    occurrence: int


class Answer(Struct, array_like=True, frozen=True):
    """The answer about one reference, by its index in the file; a reference without one was not answered.

    A definition outside of the workspace is left out: a package under development is often installed too.
    """

    reference: int
    definitions: list[int]
    """Indexes of definitions of the workspace, at least one."""


class Answers(Struct, array_like=True, frozen=True):
    """All answers about one file."""

    definitions: list[Named]
    items: list[Answer]


encode = msgspec.msgpack.Encoder().encode
decode = msgspec.msgpack.Decoder(Answers).decode
