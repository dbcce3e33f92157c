"""Verifying suspects: whether files that a scan suspects really differ, by content, without writing.

It is used where a graph cannot be written: a file with an untrusted mtime may still be unchanged. Updating files that
do differ is left to `indexing/update.py`.
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
    """Whether the graph is up to date with the files, although the scan alone could not prove it."""
    if found.added or found.missing:
        return False
    if found.manifests_changed and not _has_same_settings(context, reader, known, found):
        return False
    content = {(row.root, row.path): row.content for row in known}
    return all(fingerprint(suspect) == content[suspect.root, suspect.path] for suspect in found.suspects)


def _has_same_settings(context: IndexContext, reader: GraphReader, known: Sequence[FileRow], found: Scan) -> bool:
    """Whether linkers derive the same settings from the manifests as when the graph was written."""
    for language in context.languages:
        manifests = read_manifests(context.roots, language, found.manifest_files).manifests
        tree = stored_tree(context, reader, language, known, manifests)
        if language.linker(tree).settings() != reader.note(f"{SETTINGS} {language.name}"):
            return False
    return True
