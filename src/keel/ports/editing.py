"""The Editing socket: small edits of source text that a language knows how to make without touching anything else.

Every function gets the text of one file and the place of an identifier in it, and gives edits of that text, or None
where it cannot make them with certainty. Which edit helps is not its business.
"""

from __future__ import annotations

from typing import Protocol

from keel.model.edits import Edit


class Editing(Protocol):
    """Edits of one language."""

    def rename(self, source: bytes, at: int, old: str, new: str, is_home: bool) -> list[Edit] | None:
        """Puts another name in the place of the one that stands there, and of all that mean the same in the file.

        None where the file uses the new name for something else, or, in the one that defines it, a function around
        does; but an import can always go on to call it as before, and then nothing is done at its uses. What the file
        lists as its exports follows where it stands for the same: where it imports or defines it.
        """

    def rename_argument(self, source: bytes, at: int, old: str, new: str) -> list[Edit] | None:
        """Passes an argument of the call by another name; no edits when the call does not pass it by name."""

    def drop_argument(self, source: bytes, at: int, name: str, place: int) -> list[Edit] | None:
        """Takes an argument out of the call, by its name or its place (-1 for none); None when its value does more."""

    def add_argument(
        self, source: bytes, at: int, name: str, value: str, is_named_only: bool = False
    ) -> list[Edit] | None:
        """Passes one more argument, by name; behind a star only one that is taken by name alone."""

    def given_around(self, source: bytes, at: int, name: str) -> bool:
        """Whether the function around has a parameter of that name, which still holds what it was given."""

    def is_plain(self, value: str) -> bool:
        """Whether the text of a value means the same everywhere, such as a number."""

    def is_of_module(self, source: bytes, at: int, name: str) -> bool:
        """Whether a name means at a place what it means at the top of the file, and nothing of a function around."""

    def listed(self, source: bytes, old: str, new: str) -> list[Edit]:
        """Another name where the file lists one as its export; no edits when it does not."""

    def import_at_top(self, source: bytes, module: str, name: str) -> Edit:
        """Imports a name with the first imports of the file."""

    def import_from(self, source: bytes, at: int, module: str, name: str, package: str) -> list[Edit] | None:
        """Takes an imported name from another module, there perhaps under another name; `package` is the importer's."""

    def import_also(self, source: bytes, at: int, module: str, name: str, is_late: bool) -> list[Edit] | None:
        """Says a name at a place by itself, in the stead of what leads to it there, and imports it.

        Late: not before the function around runs, since the module cannot be imported together with this one.
        """
