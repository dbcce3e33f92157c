"""Reading files into facts: pure work that runs in any process, one file at a time.

Which files are read is left to `update.py`, where this runs to the runner.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from keel.indexing.scan.regular_files import read_regular
from keel.indexing.scan.scan_result import ScannedFile
from keel.model.facts import encode
from keel.model.hashing import content_hash, digest64
from keel.ports.language import Language


class Task(NamedTuple):
    """A file to read, and its former content hash (empty: unknown), so that unchanged content is not parsed."""

    file: ScannedFile
    content: bytes


class Read(NamedTuple):
    """A file that was read: its content hash and stat, and its facts unless the content is unchanged."""

    file: ScannedFile
    content: bytes
    interface: bytes
    references: bytes


class Unread(NamedTuple):
    """A file that could not be opened or no longer exists, and why."""

    file: ScannedFile
    why: str
    gone: bool


class Reader:
    """Reads files with the languages it is given; can be pickled for other processes."""

    def __init__(self, languages: Mapping[str, Language]) -> None:
        self._languages = languages

    def __call__(self, task: Task) -> Read | Unread:
        """The facts of one file, or why there are none."""
        file = task.file
        try:
            data, status = read_regular(file.on_disk)
        except OSError as error:
            gone = isinstance(error, FileNotFoundError | NotADirectoryError)
            return Unread(file, error.strerror or str(error), gone)
        file = file._replace(size=status.st_size, mtime_ns=status.st_mtime_ns)
        content = content_hash(data)
        if content == task.content:
            return Read(file, content, b"", b"")
        facts = self._languages[suffix_of(file.path)].extract(data, file.path)
        return Read(file, content, encode(facts.interface), encode(facts.references))


def fingerprint(file: ScannedFile) -> bytes | None:
    """The content hash of a file without its facts, or None when it cannot be read."""
    try:
        return content_hash(read_regular(file.on_disk)[0])
    except OSError:
        return None


def suffix_of(path: str) -> str:
    """The suffix that decides a file's language."""
    return path[path.rfind(".") :]


def cache_key(language: Language, path: str, content: bytes) -> bytes:
    """The key of a file's facts: its content, and the extractor's version."""
    reader = f"{language.name}\0{language.version}\0{suffix_of(path)}".encode()
    return content + digest64(reader).to_bytes(8, "big", signed=True)
