"""The Editing socket: small edits of source text that a language knows how to make without touching anything else.

Every function takes the text of one file and the offset of an identifier in it, and returns edits of that text, or None
where it cannot make them with certainty: a wrong edit is worse than none. Which edit helps is left to fixing.
"""

from __future__ import annotations

from typing import Protocol

from keel.model.edits import Edit


class Editing(Protocol):
    """Edits of one language; every method is a pure function of its arguments."""

    def rename(self, source: bytes, at: int, old: str, new: str, is_home: bool) -> list[Edit] | None:
        """Renames the identifier at an offset, and every name in the file that is bound to the same definition.

        None where the file, or in its home file an enclosing function, uses the new name for something else; but an
        import can always keep its local name, and then its uses are left alone. An entry in the file's list of exports
        is renamed where it refers to the same definition: where the file imports or defines it.
        """

    def rename_argument(self, source: bytes, at: int, old: str, new: str) -> list[Edit] | None:
        """Passes an argument of the call under another name; no edits when the call does not pass it by name."""

    def drop_argument(self, source: bytes, at: int, name: str, place: int) -> list[Edit] | None:
        """Removes an argument of the call, by its name or its position (-1 for none); None when its value has side
        effects."""

    def add_argument(
        self, source: bytes, at: int, name: str, value: str, is_named_only: bool = False
    ) -> list[Edit] | None:
        """Passes one more argument, by name; after a starred argument only one for a keyword-only parameter."""

    def given_around(self, source: bytes, at: int, name: str) -> bool:
        """Whether the enclosing function has a parameter of that name, which still holds the caller's argument."""

    def is_plain(self, value: str) -> bool:
        """Whether the text of a value means the same in every scope, such as a number."""

    def is_of_module(self, source: bytes, at: int, name: str) -> bool:
        """Whether a name at an offset is bound at the top level of the file, and not by an enclosing function."""

    def listed(self, source: bytes, old: str, new: str) -> list[Edit]:
        """Renames an entry in the file's list of exports; no edits when it has none of that name."""

    def import_at_top(self, source: bytes, module: str, name: str) -> Edit:
        """Imports a name with the first imports of the file."""

    def import_from(self, source: bytes, at: int, module: str, name: str, package: str) -> list[Edit] | None:
        """Takes an imported name from another module, perhaps under another name there; `package` is the importer's."""

    def import_also(self, source: bytes, at: int, module: str, name: str, is_late: bool) -> list[Edit] | None:
        """Replaces the expression at an offset, which reads a name off another module, by the name, and imports it.

        `is_late` puts the import into the enclosing function, since the module cannot be imported together with this
        one.
        """
