"""A configured language server: how its program is found, what it is told, and who is asked in the end.

A server that is known by name is told what keeps it from work that nobody reads; any other is told what the
configuration says. Both are shown each file before they are asked about it: some answer only then, and none worse.
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
"""Few: servers that are slow answer one question after the other, and each waits for those before it."""

PYRIGHT = "pyright"
PYRIGHT_COMMAND = ("pyright-langserver", "--stdio")
PYRIGHT_INSTALL = "`pip install pyright` beside keel, or `npm install -g pyright`, brings one"


class Configured(NamedTuple):
    """What the configuration says of a server."""

    command: Sequence[str]
    options: Mapping[str, Json]
    settings: Mapping[str, Json]

    @property
    def name(self) -> str:
        """What people are told that it is called."""
        return os.path.basename(self.command[0])


def open_server(server: Configured, language: str, project: Project) -> ServerDefinitions | NoDefinitions:
    """Somebody to ask about a project: the server, or nobody when its program is not there."""
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
    """Nothing is checked, since nobody reads what it finds; and imports start where keel has them start."""
    elsewhere = [folder for folder in project.sources if folder != project.folder]
    analysis = {
        "diagnosticMode": "openFilesOnly",
        "typeCheckingMode": "off",
        "indexing": False,
        "extraPaths": elsewhere,
    }
    return {"python": {"analysis": analysis}}


def _merged(below: Mapping[str, Json], above: Mapping[str, Json]) -> dict[str, Json]:
    """Two trees of settings as one; what stands above counts."""
    merged = dict(below)
    for key, value in above.items():
        known = merged.get(key)
        merged[key] = _merged(known, value) if isinstance(known, dict) and isinstance(value, dict) else value
    return merged
