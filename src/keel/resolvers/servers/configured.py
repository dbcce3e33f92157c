"""A configured language server: its program, its settings, and the Definitions socket over it.

A server known by name gets settings that turn off work whose results are unused; any other gets what the configuration
says. Each file is opened at the server before requests about it: some servers answer only then. Talking to a server is
left to `lsp`.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from keel.errors import HelperError, HelperMissing
from keel.ports.definitions import Project
from keel.resolvers.lsp.client import Launch
from keel.resolvers.lsp.definitions import ServerDefinitions
from keel.resolvers.lsp.framing import Json
from keel.resolvers.no_definitions import NoDefinitions
from keel.resolvers.programs import programs

START_SECONDS = 60.0
SECONDS = 60.0
"""How long one answer may take: the first ones wait for the server to read the project and what it imports."""
IN_FLIGHT = 16
"""Few: slow servers answer one request after the other, and each waits for those before it."""

PYRIGHT = "pyright"
PYRIGHT_COMMAND = ("pyright-langserver", "--stdio")
PYRIGHT_INSTALL = "install it with `pip install pyright` beside keel, or with `npm install -g pyright`"

LANGUAGE_OF = {PYRIGHT: "python"}
"""The language that each server known by name is for."""


class Configured(NamedTuple):
    """What the configuration says of a server."""

    command: Sequence[str]
    options: Mapping[str, Json]
    settings: Mapping[str, Json]

    @property
    def name(self) -> str:
        """The name that messages use."""
        return os.path.basename(self.command[0])


def languages_of(command: Sequence[str], available: Sequence[str]) -> Sequence[str]:
    """The languages that a server is asked about when the configuration lists none: its own if known, else all."""
    own = LANGUAGE_OF.get(command[0]) if len(command) == 1 else None
    return available if own is None else [language for language in available if language == own]


def open_server(server: Configured, language: str, project: Project) -> ServerDefinitions | NoDefinitions:
    """The Definitions of a project: the server, or `NoDefinitions` when its program is missing."""
    try:
        launch = _launch(server, language, project)
    except HelperError as error:
        return NoDefinitions(error)
    return ServerDefinitions(launch, SECONDS, IN_FLIGHT)


def _launch(server: Configured, language: str, project: Project) -> Launch:
    is_pyright = tuple(server.command) == (PYRIGHT,)
    command = PYRIGHT_COMMAND if is_pyright else tuple(server.command)
    hint = PYRIGHT_INSTALL if is_pyright else "see `server` in [resolution.tier3] of .keel/config.toml"
    program = command[0] if os.path.isabs(command[0]) else next(programs(command[0]), None)
    if program is None:
        raise HelperMissing(server.name, f"there is no {command[0]} on the search path", hint)
    settings = _merged(_pyright_settings(project), server.settings) if is_pyright else server.settings
    words = (program, *command[1:])
    return Launch(server.name, words, project.folder, server.options, settings, START_SECONDS, opens=language)


def _pyright_settings(project: Project) -> Mapping[str, Json]:
    """Type checking is off, since its diagnostics are unused; imports start from the same folders as in keel."""
    elsewhere = [folder for folder in project.sources if folder != project.folder]
    analysis = {
        "diagnosticMode": "openFilesOnly",
        "typeCheckingMode": "off",
        "indexing": False,
        "extraPaths": elsewhere,
    }
    return {"python": {"analysis": analysis}}


def _merged(below: Mapping[str, Json], above: Mapping[str, Json]) -> dict[str, Json]:
    """Two trees of settings merged; values of `above` win."""
    merged = dict(below)
    for key, value in above.items():
        known = merged.get(key)
        merged[key] = _merged(known, value) if isinstance(known, dict) and isinstance(value, dict) else value
    return merged
