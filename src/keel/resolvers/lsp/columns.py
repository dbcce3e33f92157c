"""Converts columns between keel, which counts UTF-8 bytes from 1, and a server, which counts from 0 in its own
encoding.

A server that counts in UTF-8 costs an addition; for others the line itself is needed, so files are read and the last
few cached. Requests and responses are left to `definitions`.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable

UTF8, UTF16, UTF32 = "utf-8", "utf-16", "utf-32"
OFFERED = (UTF8, UTF32, UTF16)
"""The encodings a server may choose from, the cheapest first; one that does not choose means UTF-16."""

FILES_KEPT = 64

_units: dict[str, Callable[[str], int]] = {
    UTF16: lambda letter: 2 if letter > "\uffff" else 1,
    UTF32: lambda letter: 1,
}


class Columns:
    """Translates columns of one server."""

    def __init__(self, encoding: str) -> None:
        self.encoding = encoding
        self._files: OrderedDict[str, list[bytes]] = OrderedDict()

    def to_server(self, path: str, line: int, column: int) -> int:
        """The server's column for one of keel's."""
        if self.encoding == UTF8:
            return column - 1
        before = self._line(path, line)[: column - 1].decode("utf-8", "replace")
        return sum(map(_units[self.encoding], before))

    def from_server(self, path: str, line: int, column: int) -> int:
        """keel's column for one of the server's; a column beyond the line is its end."""
        if self.encoding == UTF8:
            return column + 1
        size = _units[self.encoding]
        found = 1
        for letter in self._line(path, line).decode("utf-8", "replace"):
            column -= size(letter)
            if column < 0:
                break
            found += len(letter.encode())
        return found

    def _line(self, path: str, line: int) -> bytes:
        lines = self._lines(path)
        return lines[line - 1] if 0 < line <= len(lines) else b""

    def _lines(self, path: str) -> list[bytes]:
        if path in self._files:
            self._files.move_to_end(path)
            return self._files[path]
        try:
            with open(path, "rb") as file:
                lines = file.read().splitlines()
        except (OSError, ValueError):  # deleted since, or no path at all: columns cannot be converted
            lines = []
        self._files[path] = lines
        if len(self._files) > FILES_KEPT:
            self._files.popitem(last=False)
        return lines
