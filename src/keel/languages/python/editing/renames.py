"""Renaming within a file: every occurrence where the old name means the same binding.

The binding decides, not the uses that were resolved: once an import has another name, every use of the old one fails.
Which name is renamed is left to the planner of the edit.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from tree_sitter import Node

from keel.languages.python.editing.names import exported, is_behind_dot
from keel.languages.python.editing.scopes import FUNCTIONS, is_own_around, targets
from keel.languages.python.editing.syntax import around, everything_in, name_at, plain_names, text_of
from keel.languages.python.grammar import parse
from keel.model.edits import Edit

FROM = "import_from_statement"
ALIASED = "aliased_import"


def rename(source: bytes, at: int, old: str, new: str, is_home: bool) -> list[Edit] | None:
    """Another name at one occurrence, and wherever else the file means the same by it.

    An import whose name cannot be followed everywhere, as into quotes, goes on to call it as before, by an alias.
    """
    root, node = parse(source).root_node, name_at(source, at)
    if root.has_error or (node is not None and text_of(node) != old):
        return None
    if node is not None and (is_behind_dot(node) or around(node, ALIASED) is not None):
        return [_renamed(node, new)]
    said = [each for each in plain_names(root) if text_of(each) == old and around(each, ALIASED) is None]
    bound = [each for each in _bound(root, old) if around(each, ALIASED) is None]
    entries = [each for each in said if _is_entry(each)]
    if len({_module(each) for each in entries}) > 1:  # only the one that is asked for is known to mean it
        entries = [each for each in entries if each.start_byte == at]
        if not entries:
            return []
    is_free = not (_is_own(said, new) if is_home else _occurs(root, new))
    is_followed = is_free and node is not None and not _is_quoted(root, old)
    if entries and is_followed and {each.start_byte for each in bound} <= {each.start_byte for each in entries}:
        return [*(_renamed(each, new) for each in said), *exported(root, old, new)]
    if entries:
        return [Edit(each.end_byte, each.end_byte, f" as {old}".encode()) for each in entries] + [
            _renamed(each, new) for each in entries
        ]
    if bound and node is not None:
        said = [node]  # some of the others may mean something else
    if node is None or _is_own(said, new) or not (is_home or is_free):
        return None
    return [*(_renamed(each, new) for each in said), *(exported(root, old, new) if is_home else ())]


def _renamed(node: Node, new: str) -> Edit:
    return Edit(node.start_byte, node.end_byte, new.encode())


def _is_own(nodes: Sequence[Node], name: str) -> bool:
    """Whether a name is bound by a function around one of some nodes."""
    return any(is_own_around(each, name) for each in nodes)


def _occurs(root: Node, name: str) -> bool:
    return any(text_of(each) == name for each in plain_names(root))


def _is_quoted(root: Node, name: str) -> bool:
    """Whether an annotation contains a name inside quotes."""
    annotations = [each for each in everything_in(root) if each.type == "type"]
    quoted = [one for each in annotations for one in everything_in(each) if one.type == "string_content"]
    return any(re.search(rf"\b{re.escape(name)}\b", text_of(each)) for each in quoted)


def _bound(root: Node, name: str) -> Iterator[Node]:
    """The nodes of a file that may bind a name."""
    parameters = [each.child_by_field_name("parameters") for each in everything_in(root) if each.type in FUNCTIONS]
    for target in (*targets(root), *(each for each in parameters if each is not None)):
        yield from (each for each in everything_in(target) if each.type == "identifier" and text_of(each) == name)


def _is_entry(node: Node) -> bool:
    """Whether a name is one that a `from` import binds without an alias."""
    entry, statement = node.parent, around(node, FROM)
    return entry is not None and statement is not None and entry in statement.children_by_field_name("name")


def _module(entry: Node) -> str:
    """The module that an entry of an import is taken from."""
    statement = around(entry, FROM)
    module = statement.child_by_field_name("module_name") if statement is not None else None
    return text_of(module) if module is not None else ""
