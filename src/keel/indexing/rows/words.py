"""What search sees of a definition: the words of its name, of what it stands in, and of what it says about itself.

It depends on nothing but the facts of the file and where the file lies, so that a sync makes the same as a fresh map.
How words are made of text is `model/text/words.py`'s business, finding them the store's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from keel.model.facts import FILE_DEF
from keel.model.kinds import NodeKind
from keel.model.rows import Words
from keel.model.signatures import chain_text
from keel.model.text.words import distinct, name_words, words_in

if TYPE_CHECKING:
    from collections.abc import Iterable

    from keel.model.facts import Def, Interface
    from keel.model.rows import FileRow
    from keel.model.syntax import Syntax

DOC_LETTERS = 1000
"""Of a docstring, so much is searched: what it is about is said at its beginning."""
TEXT_LETTERS = 400
"""The same of a text in a body: what is longer is data."""

MAX_REMEMBERED = 1 << 16
"""Of names, owners and texts so many each: tens of megabytes at most in the daemon, which does not end."""
_in_names: dict[str, str] = {}
_in_owners: dict[tuple[str, str], list[str]] = {}
_in_texts: dict[str, list[str]] = {}
"""Words of texts met before; a project uses the same names and annotations again and again. Plain dicts, since a look
into one is faster than `lru_cache`."""
NAME_LETTERS = 60
"""What is longer is a sentence, which nobody says twice."""


def words_of(
    row: FileRow,
    interface: Interface,
    definition: Def,
    name: str,
    qualified: str,
    syntax: Syntax,
    body: Iterable[int] = (),
) -> Words:
    """The words of one definition; none for what has no name of its own. `body` are texts that its body speaks of."""
    if definition.kind == NodeKind.FILE:
        return Words(_name(name))
    if name == syntax.nameless:
        return Words("")
    if definition.parent == FILE_DEF:
        about = [*words_in(row.path.rpartition(".")[0]), *_doc(interface, definition)]
    else:
        owner = _owner(syntax.owner(qualified), syntax.separator)
        about = [*owner, *_about(interface, definition, syntax), *_body(interface, body, syntax)]
    names = _name(name)
    return Words(names, " ".join(dict.fromkeys(distinct(about, names.split()))) if about else "")


def _about(interface: Interface, definition: Def, syntax: Syntax) -> list[str]:
    """The words of a signature, bases and documentation."""
    strings = interface.strings
    found: list[str] = []
    if definition.signature is not None:
        for param in definition.signature.params:
            if strings[param.name] not in syntax.receivers:
                found += _text(strings[param.name])
            if param.annotation >= 0:
                found += _text(strings[param.annotation])
        if definition.signature.returns >= 0:
            found += _text(strings[definition.signature.returns])
    for base in definition.bases:
        found += _text(chain_text(interface, base))
    if definition.annotation >= 0:
        found += _text(strings[definition.annotation])
    return found + _doc(interface, definition)


def _doc(interface: Interface, definition: Def) -> list[str]:
    return words_in(interface.strings[definition.doc][:DOC_LETTERS]) if definition.doc >= 0 else []


def _body(interface: Interface, texts: Iterable[int], syntax: Syntax) -> list[str]:
    found: list[str] = []
    for text in dict.fromkeys(texts):
        if interface.strings[text] not in syntax.receivers:
            found += _text(interface.strings[text][:TEXT_LETTERS])
    return found


def _name(name: str) -> str:
    known = _in_names.get(name)
    if known is None:
        if len(_in_names) >= MAX_REMEMBERED:
            _in_names.clear()
        known = _in_names[name] = " ".join(name_words(name))
    return known


def _owner(owner: str, separator: str) -> list[str]:
    known = _in_owners.get((owner, separator))
    if known is None:
        if len(_in_owners) >= MAX_REMEMBERED:
            _in_owners.clear()
        known = _in_owners[owner, separator] = [word for part in owner.split(separator) for word in name_words(part)]
    return known


def _text(text: str) -> list[str]:
    if len(text) > NAME_LETTERS:
        return words_in(text)
    known = _in_texts.get(text)
    if known is None:
        if len(_in_texts) >= MAX_REMEMBERED:
            _in_texts.clear()
        known = _in_texts[text] = words_in(text)
    return known
