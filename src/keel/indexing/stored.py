"""The workspace as linkers see it, from a graph that is up to date: for questions that need a linker again.

Bringing it up to date is left to `pipeline`.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from keel.indexing.pipeline import FOLDERS
from keel.indexing.scan import scan
from keel.indexing.tree import WorkspaceTree

if TYPE_CHECKING:
    from keel.indexing.line import Line
    from keel.ports.language import Language
    from keel.ports.store import GraphReader


def stored_tree(line: Line, reader: GraphReader, language: Language) -> WorkspaceTree:
    """The files of a language as the graph holds them."""
    known = reader.files()
    steering = {name for each in line.languages for name in each.steering}
    found = scan(line.roots, line.suffixes.keys(), known, reader.note(FOLDERS), time.time_ns(), steering)
    files = {row.id: row for row in known if row.language == language.name}
    return WorkspaceTree(line.roots, files, found.steering, lambda file: reader.interface(file) or b"")
