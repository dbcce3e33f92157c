"""The modules of a workspace, which are its directories: their profiles, and the module of each file.

Files with tests, and independent code such as examples and migrations, belong to none. Scoring is left to
`placement.py`.
"""

from __future__ import annotations

from collections import Counter
from functools import cached_property
from typing import TYPE_CHECKING

from keel.model.facts import decode_interface
from keel.model.profiles import FileProfile, Folder, ModuleProfile, decode_profile, summed

if TYPE_CHECKING:
    from keel.model.facts import Interface
    from keel.model.syntax import Syntax, Syntaxes
    from keel.ports.store import GraphReader

UTILITIES = frozenset(("util", "utils", "utilities", "helper", "helpers", "common", "misc", "shared", "compat"))
"""Names of directories and files with utilities for all code: their users do not show where they belong."""

APART = frozenset(("vendor", "_vendor", "vendored", "third_party", "extern", "_extern", "site-packages"))
"""Directories, at any depth, with copies of other projects' code."""
MIGRATING = ("alembic", "migration")
"""Parts of the names of directories that have Alembic's migrations."""
APART_AT_TOP = frozenset(
    (
        *("bench", "benchmarks", "bin", "demo", "demos", "doc", "docs", "example", "examples"),
        *("hacking", "packaging", "samples", "script", "scripts", "tools"),
    )
)
"""Directories at the top of a root that use the product and are not part of it."""


class Modules:
    """All modules of a graph; profiles are summed on first use."""

    def __init__(self, reader: GraphReader, syntaxes: Syntaxes) -> None:
        self.reader = reader
        self._syntaxes = syntaxes
        self.files = {
            row.id: row
            for row in reader.files()
            if not syntaxes[row.language].is_test(row.path) and not is_apart(row.path)
        }
        self.folders: dict[int, Folder] = {
            number: (row.root, row.path.rpartition("/")[0]) for number, row in self.files.items()
        }
        """By file."""
        self._interface: tuple[int, Interface] | None = None

    def interface(self, file: int) -> Interface:
        """The interface of a file; the last one is cached, since functions are judged file by file."""
        if self._interface is None or self._interface[0] != file:
            self._interface = file, decode_interface(self.reader.interface(file) or b"")
        return self._interface[1]

    def syntax(self, folder: Folder) -> Syntax:
        """The syntax of a module: that of its first file."""
        return self._syntaxes[self._languages.get(folder, "")]

    @cached_property
    def _languages(self) -> dict[Folder, str]:
        return {self.folders[number]: row.language for number, row in reversed(self.files.items())}

    @cached_property
    def profiles(self) -> dict[Folder, ModuleProfile]:
        """By directory, in the order of their paths."""
        parts: dict[Folder, list[FileProfile]] = {folder: [] for folder in sorted(set(self.folders.values()))}
        held = self.reader.profiles()
        for file, folder in self.folders.items():
            if file in held:
                parts[folder].append(decode_profile(held[file]))
        return {folder: summed(folder, files) for folder, files in parts.items() if files}

    def named(self, word: str) -> Counter[Folder]:
        """How many functions and classes of each module have a word in their name."""
        return Counter({folder: each.names[word] for folder, each in self.profiles.items() if word in each.names})


def is_apart(path: str) -> bool:
    """Whether a file is independent, by the directories it is in: no function is suggested to move there or away."""
    *folders, name = path.split("/")
    # migrations must not change: Django's begin with a number, Alembic's are below `versions`
    is_migration = (name[:1].isdecimal() and folders[-1:] == ["migrations"]) or (
        "versions" in folders and any(word in folder for folder in folders for word in MIGRATING)
    )
    return is_migration or (folders[:1] != [] and folders[0] in APART_AT_TOP) or not APART.isdisjoint(folders)


def is_utility(path: str) -> bool:
    """Whether a file or a directory has utilities for all code, by the names along its path."""
    *folders, name = path.rstrip("/").split("/")
    names = (*folders, name if path.endswith("/") else name.partition(".")[0])
    return any(name.strip("_").lower() in UTILITIES or name.endswith(("utils", "helpers")) for name in names)
