"""Doubt: whether what a scan suspects is so, found out by a closer look that writes nothing.

It is asked where a graph cannot be written: a file whose time leaves doubt may say just what the graph says. What is
done about files that do differ is left to `indexing/update.py`.
"""

from __future__ import annotations

from collections.abc import Sequence

from keel.indexing.context import IndexContext
from keel.indexing.facts import fingerprint
from keel.indexing.scan.manifests import read_manifests
from keel.indexing.scan.scan import Scan
from keel.indexing.stored_tree import stored_tree
from keel.indexing.update import SETTINGS
from keel.model.rows import FileRow
from keel.ports.store import GraphReader


def is_unchanged(context: IndexContext, reader: GraphReader, known: Sequence[FileRow], found: Scan) -> bool:
    """Whether the graph says what the files say, although the scan could not be sure of it."""
    if found.added or found.missing:
        return False
    if found.manifests_changed and not _has_same_settings(context, reader, known, found):
        return False
    content = {(row.root, row.path): row.content for row in known}
    return all(fingerprint(suspect) == content[suspect.root, suspect.path] for suspect in found.suspects)


def _has_same_settings(context: IndexContext, reader: GraphReader, known: Sequence[FileRow], found: Scan) -> bool:
    """Whether linkers still make of the steering files what they made of them when the graph was written."""
    for language in context.languages:
        manifests = read_manifests(context.roots, language, found.manifest_files).manifests
        tree = stored_tree(context, reader, language, known, manifests)
        if language.linker(tree).settings() != reader.note(f"{SETTINGS} {language.name}"):
            return False
    return True
