"""The tree-sitter grammar of Python: parsing source into trees, and the numbers of node kinds.

Where a bracket never closes and a syntax error has swallowed a line that begins a definition at the left margin, the
source is parsed anew from there; the text before it is parsed by itself. That depends on nothing but the source. Small
errors are left to the parser, which recovers by itself; what nodes mean is left to `extract`.
"""

from __future__ import annotations

import re
from importlib.machinery import PathFinder
from types import ModuleType

from tree_sitter import Language, Node, Parser, Tree

ERROR = 65535
"""The number of an ERROR node, which the grammar does not list among its kinds."""
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
    """The syntax tree of UTF-8 source; never fails, syntax errors are ERROR nodes."""
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


_BEGINS = re.compile(rb"^(?:@[^\n]*\n){0,20}+(?:async[ \t]+def|def|class)[ \t]+[A-Za-z_\x80-\xff]", re.MULTILINE)
_BLANKS = b" " * 10 + b"\n" + b" " * 245
"""What each byte becomes where only the line breaks are kept."""
TEXTS = frozenset(number for kind in ("string", "string_content", "comment") for number in kind_ids(kind))
DEFINITIONS = frozenset(
    number for kind in ("function_definition", "class_definition", "decorated_definition") for number in kind_ids(kind)
)
CUTS, BYTES = 20, 1_000_000
"""How often, and how much altogether, is parsed anew at most."""


def roots(source: bytes) -> list[Node]:
    """The trees of a file, one after the other; more than one only where definitions would be lost.

    All offsets in them are offsets in the whole source.
    """
    before: list[Node] = []
    last = parse(source).root_node
    start = 0
    for _ in range(min(CUTS, BYTES // (len(source) + 1))):
        cut = _lost_definition(source, last, start)
        if not cut:
            break
        before.append(parse(_only(source, start, cut)).root_node)
        last = parse(_only(source, cut, len(source))).root_node
        start = cut
    return [*before, last]


def _lost_definition(source: bytes, root: Node, start: int) -> int:
    """Where the first definition begins that a syntax error has swallowed; 0 when there is none."""
    for gap in _broken(root):
        for match in _BEGINS.finditer(source, max(gap.start_byte, start + 1), gap.end_byte):
            if _is_lost(root, match.start()):
                return match.start()
    return 0


def _broken(root: Node) -> list[Node]:
    """The outermost ERROR nodes, in order."""
    found, stack = [], [root]
    while stack:
        node = stack.pop()
        if node.is_error:
            found.append(node)
        elif node.has_error:
            stack += reversed(node.children)
    return found


def _is_lost(root: Node, at: int) -> bool:
    """Whether no definition of the tree begins there, although it is not inside a string."""
    node = root.descendant_for_byte_range(at, at + 1)
    while node is not None and node.start_byte == at:
        if node.kind_id in DEFINITIONS:
            return False
        node = node.parent
    return node is None or node.kind_id not in TEXTS


def _only(source: bytes, start: int, end: int) -> bytes:
    """The source from start to end, behind as many blanks and line ends as preceded it."""
    return source[:start].translate(_BLANKS) + source[start:end]
