"""The folders of the last listing: a small value that shows whether files have to be listed again.

It is a hint, never the truth: one that is damaged, or made for other roots or languages, only costs a new listing,
which is left to `listing.py`. Whether known files changed is left to `scan.py`.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import islice
from typing import NamedTuple, TypeVar

from keel.indexing.git.repository import Stamp, stamp
from keel.indexing.scan.file_filter import FileFilter, digest_of
from keel.indexing.scan.mtimes import COARSE_TICK, is_racy

T = TypeVar("T")

FORMAT = 2
END = "."
"""The last text, which is missing from a truncated value."""
UNSETTLED = 0
"""The digest of a folder that changed while it was listed: no names have it, so the next scan lists again."""


class Folders(NamedTuple):
    """What a listing saw, besides the files themselves."""

    key: str
    """Roots and filter; the value is only valid under the same key."""
    looked_ns: int
    files: int
    """How many files the graph has when it is up to date."""
    paths: list[str]
    mtimes: list[int]
    digests: list[int]
    watched: dict[str, Stamp]
    """Files that decide what is listed: ignore files, git's index and configuration, files that were too large."""
    manifest_files: dict[str, Stamp]
    """Manifests, as `root/path`."""
    barred: list[str]
    """What could not be opened, as `root/path`, folders with a slash at the end; once it can be, files are listed
    again."""
    skipped: dict[str, dict[str, int]]
    """How many files were not read, by reason and suffix."""


def key_of(roots: Mapping[str, str], names: FileFilter) -> str:
    """What a value about folders depends on."""
    parts = [f"{name}={folder}" for name, folder in roots.items()]
    return "\x1f".join((*parts, *names.suffixes, *sorted(names.manifest_files)))


def look(before: Folders, roots: Mapping[str, str], names: FileFilter, now_ns: int) -> Folders | None:
    """The value as of now, the same object when nothing changed; None when the files must be listed again."""
    if must_list(before, roots):
        return None
    mtimes = _current_mtimes(before, names)
    if mtimes is None:
        return None
    manifest_files = {text: stamp(path_of(roots, text)) for text in before.manifest_files}
    if mtimes is before.mtimes and not manifests_changed(before, manifest_files):
        return before
    return before._replace(looked_ns=now_ns, mtimes=mtimes, manifest_files=manifest_files)


def path_of(roots: Mapping[str, str], text: str) -> str:
    """The path on disk of `root/path`."""
    root, _, path = text.partition("/")
    return on_disk(prefix_of(roots[root]), path)


def prefix_of(folder: str) -> str:
    """The prefix of the paths of files in this folder."""
    return folder if folder.endswith("/") else folder + "/"


def on_disk(prefix: str, path: str) -> str:
    """The path on disk of an escaped path."""
    if "%" in path:
        from keel.model.ids import unescape_path

        path = unescape_path(path)
    return prefix + path


def manifests_changed(before: Folders | None, now: Mapping[str, Stamp]) -> bool:
    """Whether the manifests are not the same as before, or may have changed since."""
    if before is None or before.manifest_files != now:
        return True
    return any(is_racy(mtime, before.looked_ns) for mtime, _ in now.values())


def must_list(before: Folders, roots: Mapping[str, str]) -> bool:
    """Whether a file that decides what is listed has changed, or what could not be opened can be now."""
    looked = before.looked_ns
    for path, seen in before.watched.items():
        if is_racy(seen[0], looked) or stamp(path) != seen:
            return True
    return any(os.access(path_of(roots, text), os.R_OK) for text in before.barred)


def _current_mtimes(before: Folders, names: FileFilter) -> list[int] | None:
    """The folders' mtimes, the same list when none changed; None when a folder was removed or has other names."""
    settled = before.looked_ns - COARSE_TICK
    mtimes = before.mtimes
    lstat = os.lstat
    for at, (path, mtime) in enumerate(zip(before.paths, before.mtimes, strict=True)):
        try:
            status = lstat(path)
            if status.st_mtime_ns == mtime and mtime < settled:
                continue
            if status.st_mtime_ns == mtime and not is_racy(mtime, before.looked_ns):
                continue
            if not stat.S_ISDIR(status.st_mode):
                return None
            with os.scandir(path) as entries:
                if digest_of(entries, names) != before.digests[at]:
                    return None
        except OSError:
            return None
        if mtimes is before.mtimes:
            mtimes = mtimes.copy()
        mtimes[at] = status.st_mtime_ns
    return mtimes


def encode(folders: Folders) -> bytes:
    """The value as bytes: an array of numbers, then texts between NULs."""
    from array import array

    skipped = [(why, end, n) for why, ends in folders.skipped.items() for end, n in ends.items()]
    sizes = (len(folders.paths), len(folders.watched), len(folders.manifest_files))
    numbers = [FORMAT, folders.looked_ns, folders.files, *sizes, len(folders.barred), len(skipped)]
    numbers += folders.mtimes + folders.digests
    for seen in (*folders.watched.values(), *folders.manifest_files.values()):
        numbers += seen
    numbers += (count for _, _, count in skipped)
    texts = [folders.key, *folders.paths, *folders.watched, *folders.manifest_files, *folders.barred]
    for reason, suffix, _ in skipped:
        texts += (reason, suffix)
    texts.append(END)
    row = array("q", [len(numbers), *numbers]).tobytes()
    return row + "\0".join(texts).encode("utf-8", "surrogatepass")


@lru_cache(maxsize=1)  # the daemon decodes the same one again and again
def decode(data: bytes | None, key: str) -> Folders | None:
    """The value in these bytes, or None when they are malformed, or for another key."""
    try:
        return _decode(data, key) if data is not None else None
    except (ValueError, TypeError, IndexError):
        return None


def _decode(data: bytes, key: str) -> Folders | None:
    end = 8 + 8 * memoryview(data)[:8].cast("q")[0]
    numbers = iter(memoryview(data)[8:end].cast("q").tolist())
    texts = iter(data[end:].decode("utf-8", "surrogatepass").split("\0"))
    form, looked_ns, files, folders, watched, manifest_files, barred, skipped = _take(numbers, 8)
    if form != FORMAT or _take(texts, 1) != [key]:
        return None
    value = Folders(
        key,
        looked_ns,
        files,
        paths=_take(texts, folders),
        mtimes=_take(numbers, folders),
        digests=_take(numbers, folders),
        watched=dict(zip(_take(texts, watched), _pairs(numbers, watched), strict=True)),
        manifest_files=dict(zip(_take(texts, manifest_files), _pairs(numbers, manifest_files), strict=True)),
        barred=_take(texts, barred),
        skipped={},
    )
    for (reason, suffix), count in zip(_pairs(texts, skipped), numbers, strict=True):
        value.skipped.setdefault(reason, {})[suffix] = count
    return value if list(texts) == [END] else None


def _take(items: Iterator[T], count: int) -> list[T]:
    taken = list(islice(items, count))
    if len(taken) != count:
        raise ValueError("too short")
    return taken


def _pairs(items: Iterator[T], count: int) -> list[tuple[T, T]]:
    taken = _take(items, 2 * count)
    return list(zip(taken[::2], taken[1::2], strict=True))
