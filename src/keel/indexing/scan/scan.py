"""Scanning: which files the roots have, and which of them changed since the graph was made.

The stat of a file decides, and its content where the stat is not conclusive; reading and hashing it is left to the
caller. A file is only missing when that is proven: a root that does not exist, a folder that cannot be opened or a git
that refuses to answer never removes anything from the graph. The usual result, that nothing changed, starts no process
and costs one stat for each known file and folder.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from keel.errors import RootMissing, ScanError
from keel.indexing.scan.file_filter import FileFilter, file_filter, is_readable
from keel.indexing.scan.folders import Folders, decode, encode, key_of, look, manifests_changed, on_disk, prefix_of
from keel.indexing.scan.mtimes import COARSE_TICK, is_racy
from keel.indexing.scan.regular_files import MAX_SIZE
from keel.indexing.scan.scan_result import Listing, ScannedFile, outermost
from keel.model.refs import FileKey
from keel.model.rows import UNREADABLE, FileRow

if TYPE_CHECKING:
    from keel.indexing.watch.notices import Touched
    from keel.model.syntax import Syntax


class Scan(NamedTuple):
    """The result of a scan. Paths are escaped; a root and a path are a file key."""

    listed: bool
    """Whether the files were listed; if not, none was added."""
    added: list[ScannedFile]
    suspects: list[ScannedFile]
    """Known files whose content may differ."""
    missing: list[FileRow]
    unreadable: list[tuple[str, str]]
    """What could not be opened, known or not; folders end in `/`. What is stored about them is kept."""
    manifest_files: list[tuple[str, str]]
    manifests_changed: bool
    skipped: dict[str, dict[str, int]]
    """How many files were not read as of the last listing, by reason and suffix."""
    warnings: list[str]
    folders: bytes
    """The state for the next scan; the same object when it is unchanged."""

    @property
    def is_quiet(self) -> bool:
        """Whether no file has to be read."""
        return not (self.added or self.suspects or self.missing or self.manifests_changed)


def scan(
    roots: Mapping[str, str],
    suffixes: Collection[str],
    known: Sequence[FileRow],
    folders: bytes | None,
    now_ns: int,
    manifest_files: Collection[str] = (),
    touched: Touched | None = None,
    syntaxes: Collection[Syntax] = (),
) -> Scan:
    """Compares the roots with the known files; `folders` is from the last scan, `now_ns` the time before this one.

    `suspects` is what a watch has reported since that scan, if it missed nothing: when only known files were touched,
    no other is checked, unless its mtime cannot be trusted. Known are the files of these roots and of roots that were
    removed from the configuration; those are missing. Rows made from the result have its size and mtime, and `now_ns`
    as the time of the scan.
    """
    _check(roots)
    names = file_filter(suffixes, manifest_files, syntaxes)
    key = key_of(roots, names)
    before = decode(folders, key)
    if before is not None and folders is not None and before.files == len(known) and touched is not None:
        from keel.indexing.scan.suspects import suspect_files  # only where a watch is running

        some = suspect_files(roots, names, known, touched, before)
        checked = _check_known(roots, some) if some is not None else None
        if checked is not None:
            return _unlisted(before, before, folders, *checked)
    if before is not None and folders is not None and before.files == len(known):
        now = look(before, roots, names, now_ns)
        checked = _check_known(roots, known) if now is not None else None
        if now is not None and checked is not None:
            return _unlisted(before, now, folders, *checked)
    return _list_again(roots, names, key, known, before, now_ns)


def _check(roots: Mapping[str, str]) -> None:
    for name, folder in roots.items():
        if not os.path.isdir(folder):
            raise RootMissing(name, folder)


def _check_known(
    roots: Mapping[str, str], known: Sequence[FileRow]
) -> tuple[list[ScannedFile], list[tuple[str, str]]] | None:
    """The suspects and the unreadable among the known files; None when the files must be listed."""
    prefixes = {name: prefix_of(folder) for name, folder in roots.items()}
    suspects: list[ScannedFile] = []
    unreadable: list[tuple[str, str]] = []
    lstat = os.lstat
    for row in known:
        _, root, path, _, _, _, size, mtime, looked, state, _ = row
        prefix = prefixes.get(root)
        if prefix is None:
            return None
        file = on_disk(prefix, path) if "%" in path else prefix + path
        try:
            status = lstat(file)
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError:
            unreadable.append((root, path))
            continue
        # `_is_suspect` decides; clear cases are decided here, without a call for each.
        if (
            status.st_mtime_ns == mtime
            and status.st_size == size
            and mtime < looked - COARSE_TICK
            and state != UNREADABLE
        ):
            continue
        if not stat.S_ISREG(status.st_mode) or status.st_size > MAX_SIZE:
            return None
        found = ScannedFile(root, path, file, status.st_size, status.st_mtime_ns)
        if _is_suspect(row, found):
            if is_readable(file, status.st_mode):
                suspects.append(found)
            else:
                unreadable.append((root, path))
    return suspects, unreadable


def _is_suspect(row: FileRow, found: ScannedFile) -> bool:
    return (
        row.size != found.size
        or row.mtime_ns != found.mtime_ns
        or row.state == UNREADABLE
        or is_racy(row.mtime_ns, row.looked_ns)
    )


def _unlisted(
    before: Folders,
    now: Folders,
    folders: bytes,
    suspects: list[ScannedFile],
    unreadable: list[tuple[str, str]],
) -> Scan:
    return Scan(
        listed=False,
        added=[],
        suspects=suspects,
        missing=[],
        unreadable=outermost([*_file_keys(now.barred), *unreadable]),
        manifest_files=_manifest_files(now),
        manifests_changed=manifests_changed(before, now.manifest_files),
        skipped=now.skipped,
        warnings=[],
        folders=folders if now is before else encode(now),
    )


def _manifest_files(folders: Folders) -> list[tuple[str, str]]:
    return sorted(_file_keys(folders.manifest_files))


def _file_keys(texts: Iterable[str]) -> list[FileKey]:
    return [(root, path) for root, _, path in (text.partition("/") for text in texts)]


def _list_again(
    roots: Mapping[str, str],
    names: FileFilter,
    key: str,
    known: Sequence[FileRow],
    before: Folders | None,
    now_ns: int,
) -> Scan:
    # Listing imports what starts processes and reads ignore files: most scans need none of it.
    from keel.indexing.scan.listing import list_files

    listing = list_files(roots, names, now_ns)
    _check_emptied(roots, known)
    changes = _compare(roots, known, listing)
    now = Folders(
        key=key,
        looked_ns=now_ns,
        files=len(listing.files) + changes.unchanged,
        paths=[path for path, _, _ in listing.folders],
        mtimes=[mtime for _, mtime, _ in listing.folders],
        digests=[digest for _, _, digest in listing.folders],
        watched=listing.watched,
        manifest_files=listing.manifest_files,
        barred=[f"{root}/{path}" for root, path in listing.unreadable],
        skipped=listing.skipped,
    )
    return Scan(
        listed=True,
        added=changes.added,
        suspects=changes.suspects,
        missing=changes.missing,
        unreadable=changes.unreadable,
        manifest_files=_manifest_files(now),
        manifests_changed=manifests_changed(before, now.manifest_files),
        skipped=now.skipped,
        warnings=listing.warnings,
        folders=encode(now),
    )


def _check_emptied(roots: Mapping[str, str], known: Sequence[FileRow]) -> None:
    """Refuses a root that had files and is now empty: a disk that is not mounted looks like that."""
    for name in {row.root for row in known} & roots.keys():
        with os.scandir(roots[name]) as entries:
            if next(entries, None) is None:
                raise ScanError(roots[name], f"the folder is empty, but files of root '{name}' are known")


class _Changes(NamedTuple):
    added: list[ScannedFile]
    suspects: list[ScannedFile]
    missing: list[FileRow]
    unreadable: list[tuple[str, str]]
    unchanged: int
    """Known files that the listing lacks, but that are not proven to be removed."""


def _compare(roots: Mapping[str, str], known: Sequence[FileRow], listing: Listing) -> _Changes:
    new = dict(listing.files)
    barred = set(listing.unreadable)
    suspects, missing, kept = [], [], 0
    for row in known:
        place = row.root, row.path
        found = new.pop(place, None)
        if found is not None:
            if _is_suspect(row, found):
                suspects.append(found)
        elif place not in barred and _is_gone(roots, row, listing, barred):
            missing.append(row)
        else:
            kept += 1
    return _Changes(sorted(new.values()), suspects, missing, outermost(barred), kept)


def _is_gone(roots: Mapping[str, str], row: FileRow, listing: Listing, barred: set[tuple[str, str]]) -> bool:
    """Whether a file that the listing lacks is proven to be removed; what cannot be checked joins the barred."""
    if row.root not in roots:
        return True
    file = on_disk(prefix_of(roots[row.root]), row.path)
    try:
        status = os.lstat(file)
    except (FileNotFoundError, NotADirectoryError):
        return True
    except OSError:
        barred.add((row.root, row.path))
        return False
    unproven = any(file.startswith(prefix_of(folder)) for folder in listing.unproven)
    return not unproven or not stat.S_ISREG(status.st_mode)
