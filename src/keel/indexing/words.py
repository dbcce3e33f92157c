"""What search sees of a definition: the words of its name, of what it stands in, and of what it says about itself.

It depends on nothing but the facts of the file and where the file lies, so that a sync makes the same as a fresh map.
How words are made of text is `model/words.py`'s business, finding them the store's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from keel.model.kinds import NodeKind
from keel.model.rows import Words
from keel.model.signatures import chain_text
from keel.model.words import distinct, name_words, words_in

if TYPE_CHECKING:
    from keel.model.facts import Def, Interface
    from keel.model.rows import FileRow

DOC_LETTERS = 1000
"""Of a docstring, so much is searched: what it is about is said at its beginning."""
NAMELESS = "<lambda>"

_in_names: dict[str, str] = {}
_in_owners: dict[str, list[str]] = {}
_in_signatures: dict[str, list[str]] = {}
"""Words of texts met before; a project uses the same names and annotations again and again."""


def words_of(row: FileRow, interface: Interface, definition: Def, name: str, qualified: str) -> Words:
    """The words of one definition; none for what has no name of its own."""
    if definition.kind == NodeKind.FILE:
        return Words(_name(name))
    if name == NAMELESS:
        return Words("")
    if definition.kind == NodeKind.MODULE:
        about = [*words_in(row.path.rpartition(".")[0]), *_doc(interface, definition)]
    else:
        about = [*_owner(qualified.rpartition(".")[0]), *_about(interface, definition)]
    names = _name(name)
    return Words(names, " ".join(dict.fromkeys(distinct(about, names.split()))) if about else "")


def _about(interface: Interface, definition: Def) -> list[str]:
    """The words of a signature, bases and documentation."""
    strings = interface.strings
    found: list[str] = []
    if definition.signature is not None:
        for param in definition.signature.params:
            found += _signature(strings[param.name])
            if param.annotation >= 0:
                found += _signature(strings[param.annotation])
        if definition.signature.returns >= 0:
            found += _signature(strings[definition.signature.returns])
    for base in definition.bases:
        found += _signature(chain_text(interface, base))
    if definition.annotation >= 0:
        found += _signature(strings[definition.annotation])
    return found + _doc(interface, definition)


def _doc(interface: Interface, definition: Def) -> list[str]:
    return words_in(interface.strings[definition.doc][:DOC_LETTERS]) if definition.doc >= 0 else []


def _name(name: str) -> str:
    known = _in_names.get(name)
    if known is None:
        known = _in_names[name] = " ".join(name_words(name))
    return known


def _owner(owner: str) -> list[str]:
    known = _in_owners.get(owner)
    if known is None:
        known = _in_owners[owner] = [word for part in owner.split(".") for word in name_words(part)]
    return known


def _signature(text: str) -> list[str]:
    if text in ("self", "cls"):
        return []
    known = _in_signatures.get(text)
    if known is None:
        known = _in_signatures[text] = words_in(text)
    return known
