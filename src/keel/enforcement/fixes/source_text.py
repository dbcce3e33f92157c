"""Source texts: the text of files and definitions in base and now, and the parameters of functions there.

What follows from the difference is left to `arguments.py` and `renames.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from keel.enforcement.comparison import Comparison
from keel.enforcement.fixes.same_text import Text
from keel.model.facts import Param
from keel.model.refs import DefRef
from keel.ports.rule import Site


class SourceTexts(NamedTuple):
    """A comparison with its source texts."""

    comparison: Comparison
    text: Callable[[int], bytes | None]
    """The current text of a file; None where edits of it would not be certain."""
    former: Callable[[int], bytes | None]
    """The text of a file in base; None likewise."""

    def place(self, site: Site) -> int:
        """The byte offset of a reference in its file."""
        return self.comparison.now.facts.interface(site.file).defs[site.reference.source].start + site.reference.at

    def params(self, ref: DefRef | None, is_now: bool) -> Mapping[str, Param]:
        """The parameters of a function, by name."""
        facts = self.comparison.now.facts if is_now else self.comparison.base.facts
        interface = facts.interface(ref.file) if ref is not None else None
        signature = interface.defs[ref.ordinal].signature if interface and ref else None
        return {interface.text(each.name): each for each in signature.params} if interface and signature else {}

    def definition(self, ref: DefRef, is_now: bool) -> Text | None:
        """The text of a definition; None where it cannot be read."""
        facts = self.comparison.now.facts if is_now else self.comparison.base.facts
        source = self.text(ref.file) if is_now else self.former(ref.file)
        if source is None:
            return None
        definition = facts.interface(ref.file).defs[ref.ordinal]
        body = definition.start + definition.body
        return Text(source[definition.start : body].decode(), source[body : definition.end].decode())
