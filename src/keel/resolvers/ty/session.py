"""One `ty server` that sees a root as it is on disk, and temporarily as it was in base.

It is notified of every file that has changed since the last notification, and never while a request runs. Every failure
is a `HelperError`; restarting and caching are left to `type_checker`.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress

from keel.errors import HelperGarbled, HelperMissing
from keel.ports.definitions import Position
from keel.ports.type_checker import Complaint, Knowledge
from keel.resolvers.lsp.client import Client, Launch
from keel.resolvers.lsp.framing import Json
from keel.resolvers.lsp.uris import uri_of
from keel.resolvers.ty.find import Ty
from keel.resolvers.ty.knowledge import knowledge_of
from keel.resolvers.ty.rule_meanings import MEANINGS

CREATED, CHANGED, DELETED = 1, 2, 3
"""What has happened to a file, as the protocol numbers it."""
WARNING = 2
"""The protocol's severities, the gravest first; what is beyond this one is a hint."""
START_SECONDS = 10.0


class Session:
    """A running ty, and the state of the files it was notified of."""

    def __init__(self, ty: Ty, folder: str, settings: str, files: Mapping[str, object]) -> None:
        """Starts it; it reads the existing files itself, so no notification is needed for them."""
        self.folder, self.settings = folder, settings
        self._sent_files = dict(files)
        self._settings_file = _written(settings)
        # without `workspace` it answers for files that no editor has open as if nothing were wrong with them
        options: dict[str, Json] = {"diagnosticMode": "workspace", "configurationFile": self._settings_file}
        launch = Launch("ty", (ty.path, "server"), folder, options, start_seconds=START_SECONDS, pulls=True)
        try:
            self._client = Client(launch)
        except BaseException:
            _remove(self._settings_file)
            raise

    def tell(self, files: Mapping[str, object]) -> None:
        """Notifies it of every file that has changed since the last notification."""
        told = self._sent_files
        changes = [(path, CHANGED if path in told else CREATED) for path in files if told.get(path) != files[path]]
        changes += [(path, DELETED) for path in told if path not in files]
        if changes:
            self._client.tell(
                "workspace/didChangeWatchedFiles",
                {"changes": [{"uri": uri_of(path), "type": what} for path, what in changes]},
            )
            self._sent_files = dict(files)

    @contextmanager
    def laid_over(self, texts: Mapping[str, str]) -> Iterator[None]:
        """Shows files with another text than they have on disk."""
        for path, text in texts.items():
            document = {"uri": uri_of(path), "languageId": "python", "version": 1, "text": text}
            self._client.tell("textDocument/didOpen", {"textDocument": document})
        yield
        for path in texts:  # after a failure nothing is sent: the session is given up
            self._client.tell("textDocument/didClose", {"textDocument": {"uri": uri_of(path)}})

    def complaints(self, paths: Sequence[str], seconds: float) -> dict[str, list[Complaint]]:
        """The diagnostics of files, with the texts it sees now."""
        asked = [self._client.ask("textDocument/diagnostic", {"textDocument": {"uri": uri_of(path)}}) for path in paths]
        answers = [self._client.take(number, seconds) for number in asked]
        return {path: list(self._complaints(path, each)) for path, each in zip(paths, answers, strict=True)}

    def knowledge(self, callees: Sequence[Position], seconds: float) -> list[Knowledge]:
        """What it knows of the callees at positions."""
        asked = []
        for place in callees:
            column = self._client.columns.to_server(place.path, place.line, place.column)
            position = {"line": place.line - 1, "character": column}
            params = {"textDocument": {"uri": uri_of(place.path)}, "position": position}
            asked.append(self._client.ask("textDocument/hover", params))
        return [knowledge_of(_text(self._client.take(number, seconds))) for number in asked]

    def close(self) -> None:
        """Kills it, without a shutdown request: it has no state to save."""
        self._client.close(politely=False)
        _remove(self._settings_file)

    def _complaints(self, path: str, answer: Json) -> Iterator[Complaint]:
        items = answer.get("items") if isinstance(answer, dict) else None
        if not isinstance(items, list):
            raise HelperGarbled("ty", "a report without items")
        for item in items:
            meaning = MEANINGS.get(str(item.get("code")))
            if meaning is None or item.get("severity", 1) > WARNING:
                continue
            (line, column), (end_line, end_column) = (
                (item["range"][side]["line"] + 1, item["range"][side]["character"]) for side in ("start", "end")
            )
            columns = self._client.columns
            yield Complaint(
                path,
                line,
                columns.from_server(path, line, column),
                end_line,
                columns.from_server(path, end_line, end_column),
                str(item["code"]),
                meaning,
                str(item.get("message", "")).partition("\n")[0],
            )


def _text(hover: Json) -> str:
    contents = hover.get("contents") if isinstance(hover, dict) else None
    value = contents.get("value") if isinstance(contents, dict) else None
    return value if isinstance(value, str) else ""


def _written(settings: str) -> str:
    """A file of keel's own with the settings, outside of the project."""
    try:
        number, path = tempfile.mkstemp(prefix="keel-ty-", suffix=".toml")
        with os.fdopen(number, "w", encoding="utf-8") as file:
            file.write(settings)
    except OSError as error:
        raise HelperMissing("ty", f"its settings cannot be written: {error.strerror}") from None
    return path


def _remove(path: str) -> None:
    with suppress(OSError):
        os.unlink(path)
