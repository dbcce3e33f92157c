"""What is written: the text of files and definitions in base and now, and what functions take there.

What follows from the difference is left to `passing.py` and `renaming.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from keel.enforcement.sameness import Text
from keel.enforcement.trees import Trees
from keel.model.contracts import Spot
from keel.model.facts import Param
from keel.ports.rule import Site


class Written(NamedTuple):
    """Two trees with their texts."""

    trees: Trees
    text: Callable[[int], bytes | None]
    """The text of a file as it is now; None where edits of it would not be certain."""
    former: Callable[[int], bytes | None]
    """The text of a file as it was in base, likewise."""

    def place(self, site: Site) -> int:
        """Where a reference stands in its file."""
        return self.trees.now.facts.interface(site.file).defs[site.reference.source].start + site.reference.at

    def params(self, spot: Spot | None, is_now: bool) -> Mapping[str, Param]:
        """What a function takes, by name."""
        facts = self.trees.now.facts if is_now else self.trees.base.facts
        interface = facts.interface(spot.file) if spot is not None else None
        signature = interface.defs[spot.ordinal].signature if interface and spot else None
        return {interface.text(each.name): each for each in signature.params} if interface and signature else {}

    def definition(self, spot: Spot, is_now: bool) -> Text | None:
        """The text of a definition; None where it cannot be read."""
        facts = self.trees.now.facts if is_now else self.trees.base.facts
        source = self.text(spot.file) if is_now else self.former(spot.file)
        if source is None:
            return None
        definition = facts.interface(spot.file).defs[spot.ordinal]
        body = definition.start + definition.body
        return Text(source[definition.start : body].decode(), source[body : definition.end].decode())
