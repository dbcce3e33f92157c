"""Every command there is, with its options: the operations, and the command line's own.

A command of the command line's own is a module of the same make. What pages say about one is left to `commands`.
"""

from __future__ import annotations

import pkgutil
import subprocess
import sys
from functools import cache
from importlib import import_module
from typing import Any, NamedTuple

from keel import registry
from keel.model.record import fields_of
from keel.surfaces import cli
from keel.surfaces.cli.arguments import SHORT
from keel.surfaces.cli.main import Options
from tools.docs.markdown import summary

ASKED = ("Params", "Result", "run")
"""What a module has that is a command."""


class Command(NamedTuple):
    """A command: its name, a line about it, and the module that says and does it."""

    name: str
    summary: str
    operation: Any

    @property
    def page(self) -> str:
        """The path of its page."""
        return f"docs/commands/{self.file}.md"

    @property
    def file(self) -> str:
        """Its name as names of files have it."""
        return self.name.replace(" ", "-")


@cache
def commands() -> list[Command]:
    """Every command of the command line, by name."""
    found = {verb: registry.operation(verb) for verb in registry.names(registry.OPERATIONS)} | _own_commands()
    return [Command(name, summary(found[name].__doc__), found[name]) for name in sorted(found)]


def _own_commands() -> dict[str, Any]:
    """Modules of the command line itself that are made like operations."""
    inside = pkgutil.walk_packages(cli.__path__, f"{cli.__name__}.")
    modules = [import_module(one.name) for one in inside]
    return {one.__name__.rpartition(".")[2]: one for one in modules if all(hasattr(one, name) for name in ASKED)}


@cache
def help_of(*words: str) -> str:
    """What `keel WORDS --help` says."""
    command = [sys.executable, "-m", "keel", *words, "--help"]
    return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", check=True).stdout


def options_of(command: Command | None) -> set[str]:
    """Every option that a command takes; without one, those of every command."""
    kinds = (Options, command.operation.Params) if command else (Options,)
    known = {*SHORT}
    for name, field in (pair for kind in kinds for pair in fields_of(kind).items()):
        known.add(option(name))
        if field.type == "bool":
            known.add(f"--no-{option(name)[2:]}")
    return known


def option(name: str) -> str:
    """The option of a field."""
    return "--" + name.replace("_", "-")
