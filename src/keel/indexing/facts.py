"""Reading files into facts: the work that runs anywhere, one file at a time.

Which files are read is decided by `pipeline`; where this runs, by the runner.
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
    """A file to read, and the content it had (empty: unknown), so that one that is as it was is not parsed."""

    found: ScannedFile
    content: bytes


class Read(NamedTuple):
    """What came of a file: its content and stat, and its facts unless the content is as it was."""

    found: ScannedFile
    content: bytes
    interface: bytes
    references: bytes


class Unread(NamedTuple):
    """A file that could not be opened or has gone, and why."""

    found: ScannedFile
    why: str
    gone: bool


class Reader:
    """Reads files with the languages it is given; can be sent to other processes."""

    def __init__(self, languages: Mapping[str, Language]) -> None:
        self._languages = languages

    def __call__(self, task: Task) -> Read | Unread:
        """The facts of one file, or why there are none."""
        found = task.found
        try:
            data, status = read_regular(found.on_disk)
        except OSError as error:
            gone = isinstance(error, FileNotFoundError | NotADirectoryError)
            return Unread(found, error.strerror or str(error), gone)
        found = found._replace(size=status.st_size, mtime_ns=status.st_mtime_ns)
        content = content_hash(data)
        if content == task.content:
            return Read(found, content, b"", b"")
        facts = self._languages[suffix_of(found.path)].extract(data, found.path)
        return Read(found, content, encode(facts.interface), encode(facts.references))


def fingerprint(found: ScannedFile) -> bytes | None:
    """The content of a file without its facts, or None when it cannot be read."""
    try:
        return content_hash(read_regular(found.on_disk)[0])
    except OSError:
        return None


def suffix_of(path: str) -> str:
    """The suffix that tells a file's language."""
    return path[path.rfind(".") :]


def cache_key(language: Language, path: str, content: bytes) -> bytes:
    """The key of a file's facts: its content, and who reads it."""
    reader = f"{language.name}\0{language.version}\0{suffix_of(path)}".encode()
    return content + digest64(reader).to_bytes(8, "big", signed=True)
