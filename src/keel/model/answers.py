"""What a helper such as ty said of a file's references, in the form that is kept: definitions by name, not by place.

Names outlive edits elsewhere, places do not. Asking is left to `indexing`, what is made of it to the languages.
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
    """What was said of one reference, by its index in the file; of one that is not there, nothing is known.

    A definition outside of the workspace is none here: a package that is worked on is often installed too.
    """

    reference: int
    definitions: list[int]
    """Indexes of definitions of the workspace, at least one."""


class Answers(Struct, array_like=True, frozen=True):
    """Everything that was said of one file."""

    definitions: list[Named]
    items: list[Answer]


encode = msgspec.msgpack.Encoder().encode
decode = msgspec.msgpack.Decoder(Answers).decode
