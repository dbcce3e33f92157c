"""Namesakes of a function, and how similar they are in shape: one function written twice, or two of the same name.

Shape is what kind of function it is, its parameters, and what its body uses. Names that are repeated by convention
(`main`, `setup` of every extension) are recognised by how many functions have them, and interchangeable files (two
backends) by how many names they share. What is reported is left to the rule.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from keel.graph.placement.decorators import decorators_of, is_registering
from keel.graph.placement.modules import is_apart, is_utility
from keel.model.facts import (
    ASSIGNED,
    ASYNC,
    GENERATOR,
    MODULE_DEF,
    OVERLOAD,
    STUB,
    UNRELIABLE,
    decode_references,
)
from keel.model.kinds import NodeKind, RefKind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from keel.model.facts import Interface, Reference
    from keel.model.rows import FileRow, StoredNode
    from keel.model.syntax import Syntax
    from keel.ports.store import GraphReader

Item = TypeVar("Item")
OFFERED = (NodeKind.FUNCTION, NodeKind.CLASS)
ENTRIES = frozenset(("main", "run", "setup", "teardown", "cli", "app", "register"))
"""Names that are repeated by convention in any language, each for its own file."""
LEAST = 0.65
"""The least similarity of two functions of one name to be one function written twice, measured on real code."""
LEAST_OF_UTILITY = 0.35
"""The same where one is among utilities: equal parameters are enough, whatever the body uses."""
MAX_NAMESAKES = 2
"""A name that more functions have is a convention of the code base, expected of every module of a kind: then only
identical code counts."""
PARALLEL = 3
"""Files that share so many names are made to be interchangeable, or one to be used like the other."""
LEAST_USES = 3
"""A body that uses fewer names is similar to many others."""
NOT_IN_BODY = (RefKind.TYPE, RefKind.IMPORT, RefKind.DECORATE)
CUSTOMARY = frozenset(("log", "logger", ""))
"""Variables that every file has one of, for itself: the logger, and `_` for translated texts."""


class Shape(NamedTuple):
    """What a function looks like, apart from its name."""

    flags: int
    parameters: tuple[str, ...]
    uses: Counter[tuple[int, str]]
    """The names in its body, by role."""
    body: int
    decorators: frozenset[str]
    """Those that may change its behaviour."""
    is_registered: bool
    """Whether one of them registers it with a framework."""
    has_state: bool
    """Whether it uses a variable of its own file, which a function in another file could not."""
    constants: Mapping[str, int]
    """The constants of its own file that it uses, each with the hash of its definition."""


class Namesake(NamedTuple):
    """Another function of the same name."""

    node: StoredNode
    file: FileRow
    likeness: float
    """From 0 to 1."""
    is_clone: bool
    """Whether it is identical token for token."""


def is_eligible(node: StoredNode, path: str, syntax: Syntax) -> bool:
    """Whether a function can be a duplicate: at the top level, not a test, an entry point or a mere declaration."""
    bare = node.name.strip("_").lower()
    return (
        node.kind == NodeKind.FUNCTION
        and node.parent == MODULE_DEF
        and node.occurrence == 1
        and node.name != syntax.nameless
        and not node.flags & (OVERLOAD | STUB | UNRELIABLE)
        and bare not in ENTRIES
        and bare not in syntax.customary_names
        and not syntax.is_special(node.name)
        and not (syntax.test_prefix and syntax.is_test_name(node.name))
        and not syntax.is_test(path)
        and not is_apart(path)
    )


def namesakes_of(
    reader: GraphReader, interface: Callable[[int], Interface], function: StoredNode, file: FileRow, syntax: Syntax
) -> list[Namesake]:
    """The functions that a new one likely repeats, the most similar first.

    `interface` decodes that of a file; `syntax` is that of the function's file.
    """
    others = list(_others(reader, function, file, syntax))
    if not others:
        return []
    own = shape_of(reader, interface(function.file), function, syntax)
    found = []
    for node, row in others:
        other = shape_of(reader, interface(node.file), node, syntax)
        if own.has_state or other.has_state or _have_other_constants(own, other):
            continue
        if _use_other_things(reader, function, node):
            continue
        is_clone = own.body == other.body and _says_much(own) and _own_uses(reader, function) == _own_uses(reader, node)
        alike = likeness(own, other)
        if is_clone or (
            len(others) <= MAX_NAMESAKES
            and alike >= (LEAST_OF_UTILITY if len(others) == 1 and _is_for_all(file, row) else LEAST)
            and not _hands_on(function.name, own, other)
            and not _are_parallel(reader, (function, file), (node, row))
        ):
            found.append(Namesake(node, row, alike, is_clone))
    return sorted(found, key=lambda each: (-each.likeness, each.file.root, each.file.path, each.node.line))


def _others(
    reader: GraphReader, function: StoredNode, file: FileRow, syntax: Syntax
) -> Iterator[tuple[StoredNode, FileRow]]:
    """The functions of the same name in other files."""
    for node in reader.with_name(function.name):
        row = reader.file(node.file) if node.file != function.file else None
        if row is not None and row.language == file.language and is_eligible(node, row.path, syntax):
            yield node, row


def _is_for_all(file: FileRow, other: FileRow) -> bool:
    """Whether a file has utilities for another to use, unless the other has utilities of its own under the same
    name."""
    return is_utility(other.path) and _file_name(file) != _file_name(other)


def _file_name(file: FileRow) -> str:
    return file.path.rpartition("/")[2]


def _hands_on(name: str, *shapes: Shape) -> bool:
    """Whether one of them only delegates to a function of the same name."""
    bare = name.strip("_")
    return any(text.rpartition(".")[2].strip("_") == bare for shape in shapes for _, text in shape.uses)


def _own_uses(reader: GraphReader, function: StoredNode) -> set[tuple[str, int, int]]:
    """What a function uses of its own file, by name, kind and text."""
    nodes = (reader.node(edge.target) for edge in reader.edges_from(function.number))
    return {
        (node.name, node.kind, node.body_hash)
        for node in nodes
        if node is not None and node.file == function.file and node.number != function.number
    }


def _use_other_things(reader: GraphReader, *functions: StoredNode) -> bool:
    """Whether both use a name that resolves to different definitions, each imported from another module."""
    one, other = ({node.name: node.number for node in _foreign_uses(reader, each)} for each in functions)
    return any(one[name] != other[name] for name in one.keys() & other.keys())


def _foreign_uses(reader: GraphReader, function: StoredNode) -> Iterator[StoredNode]:
    """Classes and functions of other files that a function uses by their own name; not their members."""
    for edge in reader.edges_from(function.number):
        node = reader.node(edge.target)
        if node is not None and node.file != function.file and node.kind in OFFERED and node.parent == MODULE_DEF:
            yield node


def _are_parallel(reader: GraphReader, *places: tuple[StoredNode, FileRow]) -> bool:
    """Whether their files are parallel on purpose: of one file name, or with several names in common.

    A generic file name such as `utils.py` shows no purpose.
    """
    called = {_file_name(file) for _, file in places}
    if len(called) == 1 and not is_utility(called.pop()):
        return True
    names = [
        {other.name for other in reader.nodes(node.file) if other.parent == MODULE_DEF and other.kind in OFFERED}
        for node, _ in places
    ]
    return len(set.intersection(*names)) >= PARALLEL


def likeness(one: Shape, other: Shape) -> float:
    """How similar a new function is to another in shape. A registered function is not a copy of one that is not."""
    if one.body == other.body and _says_much(one):
        return 0.98
    if one.flags != other.flags or one.decorators or other.is_registered:
        return 0.0
    if one.body == other.body:
        return 0.8
    taken = _shared(Counter(one.parameters), Counter(other.parameters))
    used = _shared(one.uses, other.uses) if one.uses or other.uses else 1.0
    return round(0.35 * taken + 0.6 * used, 2)


def shape_of(reader: GraphReader, interface: Interface, function: StoredNode, syntax: Syntax) -> Shape:
    """The shape of a function, from the facts of its file."""
    definition = interface.defs[function.ordinal]
    decorators = decorators_of(interface, definition)
    inside = set(_inside(interface, function.ordinal))
    references = [
        each for each in decode_references(reader.references(function.file) or b"").items if each.source in inside
    ]
    return Shape(
        function.flags & (ASYNC | GENERATOR),
        tuple(interface.text(each.name) for each in definition.signature.params) if definition.signature else (),
        Counter((each.kind, interface.text(each.text)) for each in references if each.kind not in NOT_IN_BODY),
        function.body_hash,
        frozenset(decorators).difference(syntax.transparent_decorators),
        is_registering(decorators),
        any(_is_variable(interface, each) for each in references),
        _constants(interface, references),
    )


def _constants(interface: Interface, references: Iterable[Reference]) -> dict[str, int]:
    """The constants that some references name, by name, with the hash of each definition."""
    names = {_first(interface, each) for each in references if interface.scope_of(each) == MODULE_DEF}
    return {
        interface.text(each.name): each.body_hash
        for each in interface.defs
        if each.kind == NodeKind.CONSTANT and each.parent == MODULE_DEF and interface.text(each.name) in names
    }


def _have_other_constants(one: Shape, other: Shape) -> bool:
    """Whether both use a constant of one name, each of its own file, with different definitions."""
    names = {each for each in one.constants.keys() & other.constants.keys() if each.lower() not in CUSTOMARY}
    return any(one.constants[name] != other.constants[name] for name in names)


def _is_variable(interface: Interface, reference: Reference) -> bool:
    """Whether a reference begins with a variable of the file that is not constant by spelling or convention."""
    if interface.scope_of(reference) != MODULE_DEF:
        return False
    name = _first(interface, reference)
    is_fixed = name.isupper() or name.strip("_") in CUSTOMARY
    return not is_fixed and any(site.what == ASSIGNED for site in interface.names_of(MODULE_DEF).get(name, ()))


def _first(interface: Interface, reference: Reference) -> str:
    return interface.text(reference.text).partition(".")[0]


def _inside(interface: Interface, ordinal: int) -> Iterator[int]:
    """A definition and everything that is defined in it."""
    around = {ordinal}
    for number in range(ordinal, len(interface.defs)):  # a parent comes before its children
        if number in around or interface.defs[number].parent in around:
            around.add(number)
            yield number


def _says_much(shape: Shape) -> bool:
    return sum(shape.uses.values()) >= LEAST_USES


def _shared(one: Counter[Item], other: Counter[Item]) -> float:
    """The share of what either has that both have."""
    either = sum((one | other).values())
    return sum((one & other).values()) / either if either else 0.0
