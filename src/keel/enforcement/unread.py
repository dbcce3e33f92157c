"""Files that an edit has made unreadable in places: what stands there is not judged, and that is said.

A file that could not be read whole in base either says nothing new. That nothing in such a file counts as gone is left
to `delta.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from keel.enforcement.trees import Trees
from keel.model.codes import UNREAD, additive
from keel.model.facts import Lines
from keel.model.findings import Finding


def unread(trees: Trees, files: Iterable[int]) -> Iterator[Finding]:
    """A remark about each of some files that could be read whole in base, or was not there, and cannot be now."""
    base, now = trees.base.facts, trees.now.facts
    for file in files:
        if file not in trees.delta.changed:
            continue
        interface = now.interface(file)
        if not interface.gaps or (base.has(file) and base.interface(file).gaps):
            continue
        row = now.tree.files[file]
        line = Lines(interface.lines).line(min(gap.start for gap in interface.gaps))
        yield additive(
            UNREAD,
            "The file cannot be read whole from here on: what is wrong here may hide what else is wrong.",
            "Correct the syntax, then compile again",
            row.path,
            line,
            row.root,
        )
