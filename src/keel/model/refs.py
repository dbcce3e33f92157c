"""Refs: cheap names of files and definitions inside one run; stable names are left to `model/ids.py`."""

from __future__ import annotations

from typing import NamedTuple

FileKey = tuple[str, str]
"""A file of the graph: its root and its escaped path; a folder ends in `/`."""
DefKey = tuple[int, int]
"""A definition as a plain tuple, where very many are made: the number of its file, and its ordinal there."""


class DefRef(NamedTuple):
    """A definition of one tree: the number of its file, and its ordinal there."""

    file: int
    ordinal: int
