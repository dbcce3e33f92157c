"""The walk over one syntax tree: its state, and the three dispatch tables that the handlers of node kinds fill.

A handler lives in the module of its syntax (`expressions`, `statements`, `definitions`, `imports`, …) and registers
itself here; turning the state into facts is left to `finish`.

The walk is hot: names stay bytes, expressions are integers in one array (the expression IR), lines are not computed,
and a dotted chain is one slice of the source rather than a descent.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeVar

from tree_sitter import Node

from keel.languages.python.extract.scopes import Scope
from keel.languages.python.facts import LOCAL, UNBOUND, Def, Import
from keel.languages.python.forms import ASYNC, CHAIN, WRAP
from keel.languages.python.grammar import TABLE_SIZE, kind_ids
from keel.model.facts import Assign, Gap, Return

Pending = tuple[int, int, int, bytes, bytes, Scope, int]
"""A reference before its first name is looked up: kind, source, at, text, first name, scope, value.

The first name is empty for an import, and for an attribute of a value that is no name.
"""

_WORDS = rb"[A-Za-z_\x80-\xff][\w\x80-\xff]*+(?:\.[A-Za-z_\x80-\xff][\w\x80-\xff]*+)*+"


def is_chain(text: bytes) -> bool:
    """Whether the source of an expression is a name or dotted names, with no blanks."""
    if text.translate(None, b"._").isalnum():
        return not 48 <= text[0] <= 57
    return not text.isascii() and re.fullmatch(_WORDS, text) is not None


def head(text: bytes) -> bytes:
    """The first name of a dotted chain."""
    return text.partition(b".")[0]


Shape = tuple[bytes, bytes, int]
"""A name or dotted chain: its first name, its last one, and its offset. Without a first name it is none."""


Fields = dict[bytes, tuple[int, int, int, int, int, int]] | None
"""Fields set on a receiver, by name: start, end, value, annotation (text and value), offset of the name."""


Changes = dict[bytes, int | None]
"""What an alternative leaves in variables: values by name, None where it forgets one."""


class Loop:
    """A loop being walked: where it began, and what holds where it is left or goes on early."""

    __slots__ = ("breaks", "choices", "continues", "inner", "mark")

    def __init__(self, mark: int) -> None:
        self.mark = mark
        self.inner: list[tuple[tuple[bytes, int], int]] = []
        """Reads inside loops of its body."""
        self.choices: list[tuple[bytes, int]] = []
        """What variables hold where branches of its body have met."""
        self.breaks: list[Changes] = []
        self.continues: list[Changes] = []


class Flow:
    """The environment of one body; `flow` works with it."""

    __slots__ = (
        "bound",
        "cases",
        "chains",
        "dead",
        "env",
        "loops",
        "paths",
        "scope",
        "subjects",
        "trail",
        "tries",
        "used_parameters",
    )

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self.env: dict[bytes, int] = {}
        """What each variable holds at the statement at hand: expressions, -1 for an unknown value."""
        self.trail: list[tuple[bytes, int | None]] = []
        """What variables held before each change, so that a branch can be undone."""
        self.tries: list[dict[bytes, list[int]]] = []
        """What variables were assigned since each open `try` began: an exception may occur at any point."""
        self.paths: set[bytes] = set()
        """Attributes and elements that were ever followed here."""
        self.used_parameters = 0
        """Which parameters are used as values: a bit for each."""
        self.dead = False
        """Whether the statement at hand is unreachable."""
        self.loops: list[Loop] = []
        self.cases: list[Changes | None] = []
        """What the cases of the `match` at hand leave."""
        self.subjects: list[tuple[bytes, int]] = []
        """Its subject: text and value."""
        self.chains: dict[bytes, int] = {}
        """Chains that begin with no variable of this body, by text."""
        self.bound: dict[tuple[bytes, int], int] = {}
        """Chains that begin with one, by text and what it holds."""


class Walk:
    """The state of the walk: what it has collected so far, and where it is."""

    __slots__ = (
        "assigns",
        "async_with",
        "bound",
        "chains",
        "cuts",
        "defs",
        "depth",
        "env",
        "exports",
        "fields",
        "flow",
        "flows",
        "gaps",
        "generator",
        "imports",
        "ir",
        "literals",
        "name_kind",
        "occurrences",
        "owner",
        "pieces",
        "qualified",
        "refs",
        "returns",
        "scope",
        "scopes",
        "shapes",
        "source",
        "strings",
        "stub",
        "targets",
        "type_only",
        "uses",
        "variables",
    )

    def __init__(self, source: bytes, module: Scope, stub: bool) -> None:
        self.source = source
        self.stub = stub
        self.strings: dict[bytes, int] = {}
        self.ir: list[int] = []
        self.literals: dict[object, int] = {}
        self.targets: dict[bytes, int] = {}
        self.shapes: dict[bytes, Shape] = {}
        """The parts of the names and dotted chains that were met, by text."""
        self.defs: list[Def | None] = []
        self.imports: list[Import] = []
        self.assigns: list[Assign] = []
        self.async_with = False
        """Whether the managers at hand are those of an `async with`."""
        self.returns: list[Return] = []
        self.refs: list[Pending] = []
        self.uses: list[int] = []
        """Values that may run methods without a call: definition around, offset, expression."""
        self.gaps: list[Gap] = []
        self.exports: list[bytes] | None = None
        self.occurrences: dict[bytes, int] = {}
        self.cuts: list[tuple[int, int]] = []
        """Spans of interpolated strings, which a hash takes whole."""
        self.flow = Flow(module)
        self.flows = [self.flow]
        self.env, self.chains, self.bound = self.flow.env, self.flow.chains, self.flow.bound
        # where the walk is
        self.owner = 0
        """The definition around: the source of references."""
        self.scope = module
        self.scopes = [module]
        """The module's scope and those of classes: their bindings are seen from outside."""
        self.qualified = b""
        self.depth = 0
        """How deep in blocks of the owner: layout that means something."""
        self.pieces: list[bytes] = []
        """Normalised statements of the owner, for its hash."""
        self.generator = False
        self.type_only = False
        self.name_kind = 6
        """The role of a plain name: RefKind.READ, or TYPE inside an annotation."""
        self.variables: list[tuple[int, Callable[[int], Def]]] = []
        """Fields and constants of the statement at hand, whose hash is still to be set."""
        self.fields: Fields = None
        """Fields that methods of the class around set on `self`."""

    def intern(self, text: bytes) -> int:
        """The index of a text in the string table."""
        return self.strings.setdefault(text, len(self.strings))

    def chain(self, text: bytes) -> int:
        """The value of a name or dotted chain; one expression for each text in a body."""
        expr = self.chains.get(text)
        if expr is None:
            expr = self.chains[text] = len(self.ir)
            self.ir += (CHAIN, self.strings.setdefault(text, len(self.strings)), UNBOUND)
        return expr

    def target(self, name: bytes) -> int:
        """A variable as a target: its name, not what it holds; one expression for each name in a file."""
        expr = self.targets.get(name)
        if expr is None:
            expr = self.targets[name] = self.put(CHAIN, self.intern(name), LOCAL)
        return expr

    def marked(self, value: int, is_async: bool) -> int:
        """A value that is iterated over or entered, marked where that is done by `async`."""
        return self.put(WRAP, ASYNC, value) if is_async else value

    def put(self, *numbers: int) -> int:
        """Appends an operation to the expression IR; returns its expression."""
        expr = len(self.ir)
        self.ir += numbers
        return expr

    def use(self, at: int, expr: int) -> int:
        """Records that making a value may run methods without a call; returns its expression."""
        self.uses += (self.owner, at, expr)
        return expr

    def put_once(self, *numbers: int) -> int:
        """Appends an operation that means the same everywhere, once a file."""
        expr = self.literals.get(numbers)
        if expr is None:
            expr = self.literals[numbers] = len(self.ir)
            self.ir += numbers
        return expr


ValueHandler = Callable[[Walk, Node], int]
Handler = Callable[[Walk, Node], object]


def _value_by_visit(w: Walk, node: Node) -> int:
    visit_children(w, node)
    return -1


def visit_children(w: Walk, node: Node) -> None:
    """Visits every expression below a node without keeping values."""
    for child in node.named_children:
        VISITS[child.kind_id](w, child)


VALUES: list[ValueHandler] = [_value_by_visit] * TABLE_SIZE
VISITS: list[Handler] = [visit_children] * TABLE_SIZE
STATEMENTS: list[Handler] = [visit_children] * TABLE_SIZE


Registered = TypeVar("Registered", bound=ValueHandler)


def value_of(*kinds: str) -> Callable[[Registered], Registered]:
    """Registers how nodes of these kinds become values; without a visit of its own, visiting drops the value."""

    def register(handler: Registered) -> Registered:
        for kind in kinds:
            for number in kind_ids(kind):
                VALUES[number] = handler
                if VISITS[number] is visit_children:
                    VISITS[number] = handler
        return handler

    return register


def visit_of(*kinds: str) -> Callable[[Handler], Handler]:
    """Registers how expressions of these kinds are visited when their value is not needed."""

    def register(handler: Handler) -> Handler:
        for kind in kinds:
            for number in kind_ids(kind):
                VISITS[number] = handler
        return handler

    return register


def statement(*kinds: str) -> Callable[[Handler], Handler]:
    """Registers the handler of statements of these kinds."""

    def register(handler: Handler) -> Handler:
        for kind in kinds:
            for number in kind_ids(kind):
                STATEMENTS[number] = handler
        return handler

    return register


def walk_block(w: Walk, node: Node) -> None:
    """Walks the statements of a block, one after the other, one level deeper."""
    w.depth += 1
    walk_statements(w, node.named_children)
    w.depth -= 1


def walk_statements(w: Walk, nodes: list[Node]) -> None:
    """Walks statements; one that is nested too deep to follow becomes a gap."""
    scope, depth, name_kind, type_only = w.scope, w.depth, w.name_kind, w.type_only
    owner, qualified, pieces, fields, conditional = w.owner, w.qualified, w.pieces, w.fields, scope.conditional
    for child in nodes:
        try:
            STATEMENTS[child.kind_id](w, child)
        except RecursionError:
            w.scope, w.depth, w.name_kind, w.type_only = scope, depth, name_kind, type_only
            w.owner, w.qualified, w.pieces, w.fields, scope.conditional = owner, qualified, pieces, fields, conditional
            w.gaps.append(Gap(child.start_byte, child.end_byte))
            define_variables(w, 0)


def define_variables(w: Walk, digest: int) -> None:
    """Builds the fields and constants that waited for the hash of their statement."""
    for index, build in w.variables:
        w.defs[index] = build(digest)
    w.variables.clear()
