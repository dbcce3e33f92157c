"""The notifications of a server: its log, its diagnostics and its progress.

They are only stored here, within bounds, for callers to read. Responses to requests are left to `client`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from typing import TypeVar

from keel.resolvers.lsp.framing import Json

T = TypeVar("T")
LINES_KEPT = 200
MAX_LINE = 500
"""Characters of a line that are kept."""
MAX_DOCUMENTS = 1_000
"""Documents whose diagnostics are kept, and works that a server is busy with; of more, the oldest go."""
LEVELS = {1: "error", 2: "warning", 3: "info", 4: "log", 5: "debug"}
SAID = ("window/logMessage", "window/showMessage")


class Notifications:
    """What one server has sent so far; filled by the thread that reads."""

    def __init__(self) -> None:
        self.log: deque[str] = deque(maxlen=LINES_KEPT)
        """The last messages, each with its level, as they are fit for keel's log."""
        self.diagnostics: dict[str, list[Json]] = {}
        """By URI of the document: what was last published about it."""
        self.busy: dict[str, str] = {}
        """By token: the title of each work that has begun and not ended."""

    def take(self, method: str, params: Json) -> None:
        """Stores a notification; those without a use are dropped."""
        if not isinstance(params, dict):
            return
        if method in SAID:
            level = LEVELS.get(params["type"], "log") if isinstance(params.get("type"), int) else "log"
            self.log.append(f"{level}: {str(params.get('message', ''))[:MAX_LINE]}")
        elif method == "textDocument/publishDiagnostics":
            listed = params.get("diagnostics")
            self.diagnostics[str(params.get("uri"))] = listed if isinstance(listed, list) else []
            _bound(self.diagnostics)
        elif method == "$/progress" and isinstance(params.get("value"), dict):
            self._progress(str(params.get("token")), params["value"])

    def _progress(self, token: str, value: Mapping[str, Json]) -> None:
        if value.get("kind") == "begin":
            self.busy[token] = str(value.get("title", ""))[:MAX_LINE]
            _bound(self.busy)
        elif value.get("kind") == "end":
            self.busy.pop(token, None)


def _bound(held: dict[str, T]) -> None:
    if len(held) > MAX_DOCUMENTS:
        del held[next(iter(held))]
