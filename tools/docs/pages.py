"""Every generated file: the pages that are made whole, and the pages in which regions are.

A region is in a page that people write, between `<!-- made by make docs: NAME -->` and `<!-- end -->`. What goes
into one is left to the module that the table below names.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from tools.docs import (
    architecture,
    codes,
    commands,
    configuration,
    errors,
    library,
    reading,
    rules,
    schemas,
    vocabulary,
)
from tools.docs.repository import TOP, markdown_pages, text_of

FOLDERS = ("docs/commands", "docs/rules", "docs/schemas")
"""They hold nothing but generated files."""

REGIONS: dict[str, Callable[[str], str]] = {
    "codes": codes.codes,
    "configuration": lambda page: configuration.reference(),
    "errors": lambda page: errors.reference(),
    "layers": lambda page: architecture.layers(),
    "modules": architecture.modules,
    "languages": lambda page: reading.languages(),
    "not read": lambda page: reading.not_read(),
    "schemas": schemas.table_of,
    "vocabulary": lambda page: vocabulary.tables(),
}
"""What a region is filled with, for the page it is in."""

_region = re.compile(r"(<!-- made by make docs: ([\w ]+) -->\n).*?(<!-- end -->)", re.DOTALL)


def generated() -> dict[str, str]:
    """The text of every generated file, by its path from the top."""
    return dict([*commands.pages(), *rules.pages(), *schemas.files(), *library.files(), *_with_regions()])


def stale() -> list[str]:
    """Files in generated folders that nothing makes any more."""
    made = generated()
    found = (path.relative_to(TOP).as_posix() for folder in FOLDERS for path in (TOP / folder).glob("*"))
    return sorted(name for name in found if name not in made)


def _with_regions() -> Iterator[tuple[str, str]]:
    for page in markdown_pages():
        if page.startswith(FOLDERS):
            continue
        text = text_of(page)
        if _region.search(text):
            yield page, _region.sub(lambda found, page=page: _filled(page, *found.groups()), text)  # type: ignore[misc]  # mypy cannot infer a lambda with a default


def _filled(page: str, begin: str, name: str, end: str) -> str:
    return f"{begin}\n{REGIONS[name](page).strip()}\n\n{end}"
