"""Snapshots: the accepted tree where there is no git commit, as one zip file of sources.

Sources are stored and not facts, as in git: facts of any extractor version can be made from them. When one is taken is
left to the operations.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress

from keel.errors import WorkspaceError
from keel.indexing.scan.folders import on_disk, prefix_of
from keel.indexing.scan.regular_files import read_regular
from keel.model.hashing import content_hash
from keel.model.refs import FileKey


def take(path: str, roots: Mapping[str, str], files: Iterable[FileKey]) -> int:
    """Stores the current content of files; returns how many there are."""
    from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

    beside = f"{path}.{os.getpid()}.part"
    count = 0
    try:
        with ZipFile(beside, "w", ZIP_DEFLATED, compresslevel=1) as archive:
            for root, inside in files:
                with suppress(OSError):  # a file that cannot be read is not accepted
                    data = read_regular(on_disk(prefix_of(roots[root]), inside))[0]
                    entry = ZipInfo(f"{root}/{inside}")
                    entry.compress_type = ZIP_DEFLATED
                    entry.comment = content_hash(data)
                    archive.writestr(entry, data)
                    count += 1
        os.replace(beside, path)
    except OSError as error:
        with suppress(OSError):
            os.remove(beside)
        raise WorkspaceError(f"cannot write {path}: {error.strerror}") from error
    return count


def contents(path: str) -> dict[FileKey, tuple[bytes, Callable[[], bytes]]]:
    """The accepted files: the digest of each, and how to read it. Empty without a snapshot."""
    from zipfile import BadZipFile, ZipFile

    try:
        with ZipFile(path) as archive:
            entries = archive.infolist()
    except FileNotFoundError:
        return {}
    except (BadZipFile, OSError) as error:
        raise WorkspaceError(f"{path} cannot be read ({error}); `keel accept` writes it anew") from error
    found: dict[FileKey, tuple[bytes, Callable[[], bytes]]] = {}
    for entry in entries:
        root, _, inside = entry.filename.partition("/")
        found[root, inside] = entry.comment, _reader(path, entry.filename)
    return found


def _reader(path: str, name: str) -> Callable[[], bytes]:
    def read() -> bytes:
        from zipfile import ZipFile

        with ZipFile(path) as archive:
            return archive.read(name)

    return read
