"""The tree-sitter grammar of Python: the parser and the numbers of its node kinds.

What nodes mean is left to `extract`.
"""

from __future__ import annotations

from importlib.machinery import PathFinder
from types import ModuleType

from tree_sitter import Language, Parser, Tree

ERROR = 65535
"""The number of a broken stretch, which the grammar does not list among its kinds."""
TABLE_SIZE = ERROR + 1
"""A table this long needs no check of bounds."""


def _grammar() -> ModuleType:
    """The compiled half of the grammar's package, alone: the package itself brings in what takes 15 ms to import."""
    package = PathFinder.find_spec("tree_sitter_python")
    folders = package.submodule_search_locations if package is not None else None
    binding = PathFinder.find_spec("tree_sitter_python._binding", list(folders or ()))
    if binding is not None and binding.loader is not None:
        module = binding.loader.create_module(binding)
        if module is not None:
            binding.loader.exec_module(module)
            return module
    import tree_sitter_python  # installed in a way that has no folder, such as in an archive

    return tree_sitter_python


_language = Language(_grammar().language())
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
