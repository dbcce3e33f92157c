"""keel's responses to the requests of a server.

Servers wait for them, some before they do anything at all. Sending them is left to `client`.
"""

from __future__ import annotations

from collections.abc import Mapping

from keel.resolvers.lsp.framing import Json

METHOD_NOT_FOUND = -32601

NOTED = frozenset(
    {
        "client/registerCapability",
        "client/unregisterCapability",
        "window/workDoneProgress/create",
        "window/showMessageRequest",
        "workspace/codeLens/refresh",
        "workspace/diagnostic/refresh",
        "workspace/foldingRange/refresh",
        "workspace/inlayHint/refresh",
        "workspace/inlineValue/refresh",
        "workspace/semanticTokens/refresh",
    }
)
"""Requests that are answered with nothing: there is no editor to register with, to refresh or to choose a button in."""

NOTHING_SHOWN = {"success": False}
NOTHING_EDITED = {"applied": False, "failureReason": "the client only reads"}


def reply(request: Mapping[str, Json], settings: Mapping[str, Json], folders: list[dict[str, str]]) -> dict[str, Json]:
    """The answer to a server's request, as a message."""
    method = request["method"]
    answer: dict[str, Json] = {"id": request["id"]}
    if method in NOTED:
        return answer | {"result": None}
    match method:
        case "workspace/configuration":
            return answer | {"result": [_setting(settings, section) for section in _sections(request.get("params"))]}
        case "workspace/workspaceFolders":
            return answer | {"result": folders}
        case "window/showDocument":
            return answer | {"result": NOTHING_SHOWN}
        case "workspace/applyEdit":
            return answer | {"result": NOTHING_EDITED}
    return answer | {"error": {"code": METHOD_NOT_FOUND, "message": f"unknown to this client: {method}"}}


def _setting(settings: Mapping[str, Json], section: str) -> Json:
    """The settings of a section: under its whole name, or in nested tables by its parts."""
    if section in settings:
        return settings[section]
    found: Json = settings
    for part in section.split("."):
        found = found.get(part) if isinstance(found, dict) else None
    return found


def _sections(params: Json) -> list[str]:
    """The sections that are asked for; one answer is owed for each, however odd it is."""
    items = params.get("items") if isinstance(params, dict) else None
    if not isinstance(items, list):
        return []
    return [str(item.get("section", "")) if isinstance(item, dict) else "" for item in items]
