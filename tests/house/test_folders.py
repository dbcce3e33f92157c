"""A folder of the source holds few enough modules to be taken in at a glance; past that it gets sub-folders.

Whether the names of the folders are good ones is for readers.
"""

from __future__ import annotations

from collections import Counter

from tests.repository import PACKAGE, source_modules

MAX_MODULES = 25
ONE_THING_A_FILE = {
    "operations": "one file a verb",
    "rules": "one file a rule",
    "languages/python/extract": "one file a construct of the grammar",
}
"""Folders that may be longer, with the reason: a reader who looks for a thing knows the name of its file."""


def test_no_folder_holds_too_many_modules() -> None:
    modules = Counter(path.parent.relative_to(PACKAGE).as_posix() for path in source_modules())
    too_long = {
        folder: count for folder, count in modules.items() if count > MAX_MODULES and folder not in ONE_THING_A_FILE
    }
    assert too_long == {}, "make sub-folders that a newcomer would guess"


def test_every_exception_is_a_folder() -> None:
    assert [folder for folder in ONE_THING_A_FILE if not (PACKAGE / folder).is_dir()] == []
