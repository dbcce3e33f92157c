"""The map of a workspace as values: its modules with their sizes, its symbols, and how much each is used.

The most used come first, source before tests. How much of it is shown is left to the operation, its text to the
formats.
"""

from __future__ import annotations

from collections import Counter
from heapq import nsmallest
from typing import TYPE_CHECKING, NamedTuple

from keel.graph.naming import kind_of
from keel.graph.views import visibility_of
from keel.graph.walks import CALL_KINDS
from keel.model.facts import decode_interface
from keel.model.hashing import to_text
from keel.model.kinds import NodeKind, Visibility
from keel.model.record import Record, field
from keel.model.text.wording import counted, format_counts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import ClassVar

    from keel.model.facts import Interface
    from keel.model.rows import FileRow, StoredNode
    from keel.model.syntax import Syntax, Syntaxes
    from keel.ports.store import GraphReader

NO_SYMBOLS = (NodeKind.FILE, NodeKind.MODULE)
FUNCTIONS = (NodeKind.FUNCTION, NodeKind.METHOD, NodeKind.CHOICE, NodeKind.CONSTRUCTOR)
CLASSES = (
    *(NodeKind.CLASS, NodeKind.INTERFACE, NodeKind.TRAIT, NodeKind.STRUCT, NodeKind.ENUM, NodeKind.TYPE_ALIAS),
    *(NodeKind.TEMPLATE, NodeKind.VIEWTYPE, NodeKind.EXCEPTION, NodeKind.TYPECLASS, NodeKind.INSTANCE),
)
MAX_LETTERS = 56
"""The length of a declaration in a list; `describe` shows it whole."""


class Module(Record):
    """A file as the map shows it."""

    LAYOUT: ClassVar = ("{path}  {size}  {use}",)

    root: str = field("The root it is in.")
    path: str = field("Its path, relative to the root.")
    module: str = field("The name it is imported by.")
    language: str = field("What it is written in.")
    lines: int = field("How many lines it has.")
    classes: int = field("Classes, and what other languages have in their place.")
    functions: int = field("Functions and methods.")
    used_by: int = field("How many other files have an edge into it, those with tests aside.")
    used_by_tests: int = field("How many files with tests have an edge into it.")
    uses: int = field("Into how many other files it has an edge.")
    is_test: bool = field("Whether it holds tests, by its path.")

    @property
    def size(self) -> str:
        """How large it is, in words."""
        return format_counts({"line": self.lines, "class": self.classes, "function": self.functions})

    @property
    def use(self) -> str:
        """How much depends on it, in words."""
        users = format_counts({"file": self.used_by, "test file": self.used_by_tests})
        return f"used by {users}" if users else ""


class Symbol(Record):
    """A definition as the map shows it."""

    LAYOUT: ClassVar = ("{path}:{line}  {heading}  {use}  {doc}",)

    root: str = field("The root it is in.")
    path: str = field("The file it is in.")
    line: int = field("The line of its name.")
    kind: str = field("What it is.")
    qualified_name: str = field("Its name within the file.")
    hash: str = field("Its short handle.")
    visibility: str = field("Who may use it, by the language's custom.", choices=Visibility.words())
    declaration: str = field("How it is declared, by its qualified name, in the words of its language.")
    references: int = field("How many edges reach it, those from tests aside.")
    references_from_tests: int = field("How many edges reach it from files with tests.")
    callers: int | None = field("How many symbols call it; only at depth 3.", default=None)
    callees: int | None = field("How many symbols it calls; only at depth 3.", default=None)
    doc: str = field("The first line of its documentation; only at depth 3.", default="")

    @property
    def heading(self) -> str:
        """Its declaration, short enough to leave room for the figures after it."""
        return self.declaration if len(self.declaration) <= MAX_LETTERS else f"{self.declaration[: MAX_LETTERS - 1]}…"

    @property
    def use(self) -> str:
        """How much it is used, in words."""
        said = [counted(self.references, "reference")] if self.references else []
        if self.references_from_tests:
            said.append(f"{self.references_from_tests:,} in tests")
        said.append(format_counts({"caller": self.callers or 0, "callee": self.callees or 0}))
        return ", ".join(part for part in said if part)


class WorkspaceMap(Record):
    """A map, or the part of it that is shown; the operation that returns one adds how it was made."""

    scope: str = field("What the map was narrowed to; empty for the whole workspace.")
    depth: int = field("How much is shown: 0 counts, 1 modules, 2 functions and classes too, 3 everything.")
    most_referenced: tuple[Symbol, ...] = field("The symbols that source refers to most, from depth 1 on.")
    modules: tuple[Module, ...] = field("Files, the most depended upon first and tests last, from depth 1 on.")
    symbols: tuple[Symbol, ...] = field("What the shown modules define, in their order, from depth 2 on.")
    total: int = field("How many modules there are, shown or not.")
    offset: int = field("How many modules come before the first that is shown.")
    left_out: dict[str, int] = field("How many modules are not shown, with how many classes and functions: by noun.")

    @property
    def headline(self) -> str:
        """What the map is of."""
        return f"{self.scope or 'map'}: {counted(self.total, 'module')}"

    @property
    def more(self) -> str:
        """What was left out, and how to see it."""
        if not self.left_out:
            return ""
        after = self.offset + len(self.modules)
        go_on = f", or go on with --offset {after}" if after < self.total else ""
        return f"… not shown: {format_counts(self.left_out)}; narrow with --scope{go_on}"


class Use(NamedTuple):
    """How much everything is used, counted over all edges once."""

    references: Counter[int]
    """Edges into a node from source, which decide the order."""
    from_tests: Counter[int]
    callers: Counter[int]
    callees: Counter[int]
    used_by: dict[int, set[int]]
    """Files with an edge into a file."""
    uses: Counter[int]
    """How many files a file has edges into."""
    tests: set[int]
    """Files that hold tests."""
    edges: Counter[tuple[int, int]]
    """Edges by the file they leave, and kind."""


def count_use(reader: GraphReader, syntaxes: Syntaxes) -> Use:
    """One pass over all edges."""
    tests = {file.id for file in reader.files() if syntaxes[file.language].is_test(file.path)}
    use = Use(Counter(), Counter(), Counter(), Counter(), {}, Counter(), tests, Counter())
    calls: set[tuple[int, int]] = set()
    for kind, source, source_file, target, target_file in reader.edge_ends():
        (use.from_tests if source_file in tests else use.references)[target] += 1
        use.edges[source_file, kind] += 1
        if source_file != target_file:
            users = use.used_by.setdefault(target_file, set())
            use.uses[source_file] += source_file not in users
            users.add(source_file)
        if kind in CALL_KINDS and (source, target) not in calls:
            calls.add((source, target))
            use.callers[target] += 1
            use.callees[source] += 1
    return use


def ranked(files: Iterable[FileRow], use: Use) -> list[FileRow]:
    """Files, those first that most others depend on, source before tests."""

    def rank(file: FileRow) -> tuple[bool, int, int, str, str]:
        users = use.used_by.get(file.id, set())
        return file.id in use.tests, -len(users - use.tests), -len(users), file.root, file.path

    return sorted(files, key=rank)


def module_of(file: FileRow, nodes: list[StoredNode], use: Use) -> Module:
    """A file with its sizes."""
    kinds = Counter(node.kind for node in nodes)
    users = use.used_by.get(file.id, set())
    return Module(
        root=file.root,
        path=file.path,
        module=file.module,
        language=file.language,
        lines=nodes[0].end_line if nodes else 0,
        classes=sum(kinds[kind] for kind in CLASSES),
        functions=sum(kinds[kind] for kind in FUNCTIONS),
        used_by=len(users - use.tests),
        used_by_tests=len(users & use.tests),
        uses=use.uses[file.id],
        is_test=file.id in use.tests,
    )


def hottest(
    reader: GraphReader, defined: Iterable[tuple[FileRow, StoredNode]], use: Use, most: int, syntaxes: Syntaxes
) -> list[Symbol]:
    """The symbols that source refers to most; those that tests define are not among them."""
    candidates = (
        (-use.references[node.number], file.root, file.path, node.ordinal, file, node)
        for file, node in defined
        if use.references[node.number] and node.kind not in NO_SYMBOLS and file.id not in use.tests
    )
    found = nsmallest(most, candidates)
    return [symbol_of(reader, node, file, use, syntaxes[file.language]) for *_, file, node in found]


def symbol_of(reader: GraphReader, node: StoredNode, file: FileRow, use: Use, syntax: Syntax) -> Symbol:
    """One definition by itself."""
    interface = decode_interface(reader.interface(file.id) or b"")
    return _symbol(node, file, interface, use, syntax)


def symbols_of(
    reader: GraphReader, file: FileRow, nodes: list[StoredNode], use: Use, syntax: Syntax, everything: bool
) -> Iterator[Symbol]:
    """The functions and classes of a file in source order; `everything` adds fields, constants and what is nested."""
    interface = decode_interface(reader.interface(file.id) or b"")
    open_to_all = {node.ordinal for node in nodes if node.kind in NO_SYMBOLS}
    shown: list[StoredNode] = []
    for node in nodes:  # a parent comes before its children
        if node.kind in CLASSES and node.parent in open_to_all:
            open_to_all.add(node.ordinal)
        is_in_the_open = node.parent in open_to_all and node.kind in (*CLASSES, *FUNCTIONS)
        if node.kind not in NO_SYMBOLS and (everything or is_in_the_open):
            shown.append(node)
    for node in sorted(shown, key=lambda node: node.line):
        yield _symbol(node, file, interface, use, syntax, everything)


def _symbol(
    node: StoredNode, file: FileRow, interface: Interface, use: Use, syntax: Syntax, everything: bool = False
) -> Symbol:
    definition = interface.defs[node.ordinal]
    symbol = Symbol(
        root=file.root,
        path=file.path,
        line=node.line,
        kind=kind_of(node),
        qualified_name=node.qualified_name,
        hash=to_text(node.hash),
        visibility=visibility_of(node),
        declaration=" ".join(syntax.signature(interface, definition, node.qualified_name).split()),
        references=use.references[node.number],
        references_from_tests=use.from_tests[node.number],
    )
    if not everything:
        return symbol
    return symbol.replace(
        callers=use.callers[node.number],
        callees=use.callees[node.number],
        doc=interface.text(definition.doc).strip().partition("\n")[0].strip(),
    )
