"""The type checkers as language servers that keep what they know: files are shown changed, and diagnostics asked for.

What a diagnostic means for keel is left to `truth`; starting the servers for definitions, to `benchmarks.accuracy`.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from benchmarks.accuracy.client import Client, Json
from benchmarks.accuracy.packages import REQUIREMENTS, accuracy_folder, installed
from benchmarks.accuracy.servers import PYRIGHT_VERSION, TY_VERSION, pyright_script
from benchmarks.mutations.packages import Package, dependencies

ERROR_AND_WARNING = (1, 2)
CREATED, DELETED = 1, 3


class Diagnostic(NamedTuple):
    """What a checker says about a line (1-based) of a file."""

    path: str
    line: int
    rule: str
    message: str


class Position(NamedTuple):
    """A place of a file: line 1-based, column 0-based in characters of the line."""

    path: str
    line: int
    column: int


class Checker(Client):
    """A server that is shown edits."""

    def diagnostics(self, texts: Mapping[str, bytes], paths: Sequence[str]) -> list[Diagnostic]:
        """What the server says about some files while some are as these texts say."""
        with self._shown(texts):
            found: list[Diagnostic] = []
            for path in paths:
                with self._shown({path: self._on_disk(path)} if path not in texts else {}):
                    asked = self._ask("textDocument/diagnostic", {"textDocument": {"uri": self._uri(path)}})
                    [answer] = self._answers([asked])
                found += _diagnostics(path, answer)
        return found

    def references(self, path: str, line: int, column: int) -> list[Position]:
        """Where the server says that the name at a place is used."""
        with self._shown({path: self._on_disk(path)}):
            document = {"uri": self._uri(path)}
            position = {"line": line - 1, "character": column}
            params = {"textDocument": document, "position": position, "context": {"includeDeclaration": False}}
            [answer] = self._answers([self._ask("textDocument/references", params)])
        found = []
        for item in answer or ():
            place = Path(unquote(urlsplit(item["uri"]).path))
            if place.is_relative_to(self._room):
                start = item["range"]["start"]
                found.append(Position(place.relative_to(self._room).as_posix(), start["line"] + 1, start["character"]))
        return sorted(set(found))

    @contextmanager
    def with_files(self, made: Iterable[tuple[str, bytes]]) -> Iterator[None]:
        """New files on disk, and gone again."""
        made = list(made)
        for path, data in made:
            (self._room / path).write_bytes(data)
        self._notify(made, CREATED)
        try:
            yield
        finally:
            for path, _ in made:
                os.unlink(self._room / path)
            self._notify(made, DELETED)

    def _notify(self, made: list[tuple[str, bytes]], what: int) -> None:
        if made:
            changes = [{"uri": self._uri(path), "type": what} for path, _ in made]
            self._tell("workspace/didChangeWatchedFiles", {"changes": changes})

    @contextmanager
    def _shown(self, texts: Mapping[str, bytes]) -> Iterator[None]:
        for path, data in texts.items():
            document = {"uri": self._uri(path), "languageId": "python", "version": 1, "text": data.decode()}
            self._tell("textDocument/didOpen", {"textDocument": document})
        try:
            yield
        finally:
            for path in texts:
                self._tell("textDocument/didClose", {"textDocument": {"uri": self._uri(path)}})

    def _on_disk(self, path: str) -> bytes:
        return (self._room / path).read_bytes()


def _diagnostics(path: str, answer: Json) -> list[Diagnostic]:
    return [
        Diagnostic(path, item["range"]["start"]["line"] + 1, str(item["code"]), item["message"].partition("\n")[0])
        for item in answer["items"]
        if item.get("code") and item.get("severity", 1) in ERROR_AND_WARNING
    ]


@dataclass(frozen=True)
class Oracle:
    """A type checker that can be started."""

    name: str
    version: str
    most: int
    """How many mutants it is shown at once, where they cannot be confused."""

    def start(self, one: Package) -> Checker:
        """The checker, shown a package."""
        return _pyright(one) if self.name == "pyright" else _ty(one)


def _ty(one: Package) -> Checker:
    command = [str(installed(accuracy_folder() / f"ty-{TY_VERSION}", REQUIREMENTS / "ty.txt") / "bin" / "ty")]
    configuration = {"environment": {"python": str(dependencies(one)), "python-version": "3.11"}}
    options = {"configuration": configuration, "diagnosticMode": "workspace"}
    return Checker([*command, "server"], one.shown, options, {})


def _pyright(one: Package) -> Checker:
    python = dependencies(one) / "bin" / "python"
    analysis = {"diagnosticMode": "openFilesOnly", "typeCheckingMode": "standard", "indexing": False}
    settings = {"python": {"pythonPath": str(python), "analysis": analysis}, "python.analysis": analysis, "pyright": {}}
    command = ["node", "--max-old-space-size=4096", str(pyright_script()), "--stdio"]
    return Checker(command, one.shown, {}, settings)


PYRIGHT = Oracle("pyright", PYRIGHT_VERSION, 40)
TY = Oracle("ty", TY_VERSION, 1)
ORACLES = (PYRIGHT, TY)
