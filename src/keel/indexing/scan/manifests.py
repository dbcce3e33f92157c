"""Manifests: read when one of them may have changed, and stored with the graph until then.

Which ones exist is determined by `scan.py`; parsing them is left to the languages.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from keel.indexing.scan.folders import on_disk, prefix_of
from keel.indexing.scan.regular_files import read_regular
from keel.model.manifests import Manifest, decode, encode
from keel.ports.language import Language, ManifestReading, manifest_names, manifests_of
from keel.ports.store import GraphReader, GraphWriter

MANIFESTS = "manifests"
"""The name of the note, to which that of the language is added."""


def read_manifests(roots: Mapping[str, str], language: Language, places: Iterable[tuple[str, str]]) -> ManifestReading:
    """What the manifests of a language, among those at these roots and paths, declare now."""
    contents: dict[tuple[str, str], bytes] = {}
    warnings: list[str] = []
    for root, path in places:
        if path.rpartition("/")[2] not in manifest_names(language):
            continue
        try:
            contents[root, path] = read_regular(on_disk(prefix_of(roots[root]), path))[0]
        except OSError as error:
            warnings.append(f"{root}/{path}: cannot be read: {error.strerror}; the usual layout is taken instead")
            contents[root, path] = b""
    manifests = manifests_of(language)
    manifest_files = manifests.parse_manifests(contents) if manifests is not None else ManifestReading([], [])
    return ManifestReading(manifest_files.manifests, warnings + manifest_files.warnings)


def remembered(reader: GraphReader, language: Language) -> list[Manifest] | None:
    """What the manifests declared when the graph was written; None when it is not stored."""
    return decode(noted(reader, language))


def noted(reader: GraphReader, language: Language) -> bytes:
    """The same as stored bytes: empty when there are none."""
    return reader.note(f"{MANIFESTS} {language.name}") or b""


def remember(writer: GraphWriter, language: Language, manifests: list[Manifest]) -> None:
    """Stores the manifests for the next run."""
    writer.set_note(f"{MANIFESTS} {language.name}", encode(manifests))
