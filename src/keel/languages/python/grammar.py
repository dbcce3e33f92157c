"""The tree-sitter grammar of Python: the parser and the numbers of its node kinds.

What nodes mean is left to `extract`.
"""

from __future__ import annotations

import tree_sitter_python
from tree_sitter import Language, Parser, Tree

ERROR = 65535
"""The number of a broken stretch, which the grammar does not list among its kinds."""
TABLE_SIZE = ERROR + 1
"""A table this long needs no check of bounds."""

_language = Language(tree_sitter_python.language())
_parser = Parser(_language)


def parse(source: bytes) -> Tree:
    """The syntax tree of UTF-8 source; never fails, broken stretches are ERROR nodes."""
    return _parser.parse(source)


def kind_ids(name: str) -> list[int]:
    """All numbers of a named node kind (several kinds have two)."""
    return _numbers[name]


def _numbers_by_name() -> dict[str, list[int]]:
    numbers: dict[str, list[int]] = {"ERROR": [TABLE_SIZE - 1]}
    for number in range(_language.node_kind_count):
        if _language.node_kind_is_named(number):
            numbers.setdefault(_language.node_kind_for_id(number) or "", []).append(number)
    return numbers


_numbers = _numbers_by_name()


def kind_id(name: str) -> int:
    """The number of a node kind that has only one."""
    (number,) = kind_ids(name)
    return number
