"""Facts: everything that one file declares by itself, and nothing that another file could change.

They are a function of the file's bytes and the extractor's version, so they can be made in any process and cached by
content. Texts are indexes into the file's string table, expressions indexes into its expression IR
(`model/expressions.py`), positions byte offsets; -1 means none. Resolving names across files is left to linking.

A file's facts are two values that are stored apart: the `Interface`, which linking of other files needs too, and the
`References`, which only the file's own linking needs. Each has a common half, the fields of this module, which every
language fills and every part of keel reads; and a private half, the fields that a language's own subclass adds after
them, which only that language reads: decoding the common type skips them. Questions that the private half may answer
(which scope binds a name) are methods here, which answer "not known" unless the language overrides them.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from itertools import accumulate
from types import MappingProxyType

import msgspec
from msgspec import Struct

from keel.model import expressions
from keel.model.expressions import CallShape, Value
from keel.model.kinds import NodeKind, ParamKind, Visibility

NOTHING = -1
FILE_DEF, MODULE_DEF = 0, 1
"""The first two definitions of every file: the file itself, and the module that its top-level definitions belong to.

Several files may belong to one module, and a module inside a file is a further definition of kind MODULE.
"""

# flags of a definition
ASYNC = 1
GENERATOR = 2
STATIC = 4
CLASSMETHOD = 8
PROPERTY = 16
ABSTRACT = 32
OVERLOAD = 64
TYPED = 256
UNRELIABLE = 512
ACCESSOR = 1024
"""A setter or deleter of a property: it does not rebind the name."""
INSTANCE = 2048
"""A field that is set on instances, not in the class body."""
STUB = 4096
"""A definition in a stub file."""

# flags of an import
TYPE_ONLY = 1
CONDITIONAL = 2
STAR = 4


class Param(Struct, array_like=True, frozen=True, gc=False):
    """A parameter: annotation and default both as text and as expression."""

    name: int
    kind: ParamKind
    annotation: int = NOTHING
    type: int = NOTHING
    default: int = NOTHING
    value: int = NOTHING


class Signature(Struct, array_like=True, frozen=True):
    """How something is called: parameters and return annotation (text and expression)."""

    params: list[Param]
    returns: int = NOTHING
    type: int = NOTHING


class Def(Struct, array_like=True, frozen=True):
    """A definition; the first two of a file are `FILE_DEF` and `MODULE_DEF`."""

    kind: NodeKind
    name: int
    qualified_name: int
    occurrence: int
    parent: int
    start: int
    end: int
    name_at: int
    flags: int
    visibility: Visibility
    doc: int
    body_hash: int
    signature: Signature | None = None
    decorators: tuple[int, ...] = ()
    """Decorators or annotations, as expressions."""
    bases: tuple[int, ...] = ()
    annotation: int = NOTHING
    type: int = NOTHING
    value: int = NOTHING
    """Annotation text, annotation and initialiser of a field or constant."""
    body: int = 0
    """Where the body begins, counted from the start: what is before it is evaluated in the enclosing scope."""


class Import(Struct, array_like=True, frozen=True, gc=False):
    """One imported name as written: the module it is imported from, its name there, and its local name.

    Without a name, the whole module is imported.
    """

    specifier: int
    name: int
    alias: int
    at: int
    scope: int
    flags: int


DEFINED, FROM_IMPORT, ASSIGNED = range(3)
"""What a site binds a name to."""


class Site(Struct, array_like=True, frozen=True, gc=False):
    """One site at which a scope binds a name: to a definition, an import, or a value (an expression).

    `at` is where the binding takes effect: after the statement, which still sees the former binding.
    """

    what: int
    target: int
    at: int
    conditional: bool


PLAIN, AUGMENTED, ITERATED, ENTERED, CAUGHT, UNPACKED, DELETED, GROWN = range(8)
"""How an assignment binds its target: to the value itself, by `+=`, element by element, by `with`, by `except`, …

GROWN: the target is a container that gets one more element, by `append` and the like or under some key.
"""


class Assign(Struct, array_like=True, frozen=True, gc=False):
    """An assignment in a scope: target and value as expressions."""

    scope: int
    target: int
    value: int
    at: int
    how: int


RETURNED, YIELDED, YIELDED_FROM = range(3)


class Return(Struct, array_like=True, frozen=True, gc=False):
    """The value that a function returns at one site."""

    scope: int
    value: int
    at: int
    how: int


class Gap(Struct, array_like=True, frozen=True, gc=False):
    """A range of the file that is not valid in its language."""

    start: int
    end: int


class Suppression(Struct, array_like=True, frozen=True, gc=False):
    """A comment that suppresses findings by code, with its reason (empty: it does not suppress).

    The codes are the words in the position of codes; whether such codes exist is not known here.
    """

    at: int
    codes: list[str]
    reason: str
    behind: bool = False
    """Whether it is after code, on the same line."""


class Reference(Struct, array_like=True, frozen=True, gc=False):
    """A use of a name: its role, the enclosing definition, the offset of its last identifier, and its text.

    `at` is counted from the start of that definition, so that edits elsewhere in the file do not change it.
    """

    kind: int
    """A RefKind; a plain number, since there are half a million of these in a large project."""
    source: int
    at: int
    text: int
    root: int = NOTHING
    """Where the first name is bound, in the language's own numbers; others use `Interface.scope_of`."""
    value: int = NOTHING
    """For a call its CALL; for an import its index; for text looked up on an expression, that expression."""


class Interface(Struct, array_like=True, frozen=True):
    """What other files can see of a file, and everything that its references point into."""

    strings: list[str]
    lines: list[int]
    """Length of each line in bytes, line feed not included."""
    ir: list[int]
    """The expression IR; read through `expression`, `shape` and the functions of `model/expressions.py`."""
    defs: Sequence[Def]
    imports: Sequence[Import]
    assigns: list[Assign]
    returns: list[Return]
    exports: list[str] | None
    """The names that the file lists as its exports, or None when it has no such list, or one that cannot be read."""
    gaps: list[Gap] = []
    suppressions: list[Suppression] = []

    def text(self, index: int) -> str:
        """The text at an index; empty for none."""
        return self.strings[index] if index >= 0 else ""

    def expression(self, at: int) -> Value:
        """The value of an expression."""
        return expressions.read(self.ir, self.strings, at)

    def shape(self, reference: Reference) -> CallShape | None:
        """How a call passes its arguments; None for a reference that is not a call, or whose arguments are not
        known."""
        return expressions.call_shape(self.ir, self.strings, reference.value)

    def chain(self, at: int) -> str | None:
        """The text of an expression that is a name or a dotted chain of names; None for others."""
        return expressions.chain_of(self.ir, self.strings, at)

    def member(self, at: int) -> str:
        """The last name of an expression that is looked up on a value; empty for others."""
        return expressions.member_of(self.ir, self.strings, at)

    def imported_as(self, item: Import) -> str:
        """The local name of an import."""
        return self.text(item.alias) or self.text(item.name) or self.text(item.specifier)

    def scope_of(self, reference: Reference) -> int:
        """The definition whose scope binds the first name of a reference; -1 where that is not known."""
        return NOTHING

    def is_free(self, reference: Reference) -> bool:
        """Whether nothing in the file binds the first name of a reference; False where that is not known."""
        return False

    def names_of(self, scope: int) -> Mapping[str, Sequence[Site]]:
        """The names that the scope of a definition binds, with the sites at which it does; none where not known."""
        return MappingProxyType({})


class References(Struct, array_like=True, frozen=True):
    """Every use of a name in a file, in the order in which the extractor visits them."""

    items: list[Reference]


class Facts(Struct, frozen=True):
    """Both halves of a file's facts."""

    interface: Interface
    references: References


class Lines:
    """From byte offsets to lines and columns (1-based lines, 1-based UTF-8 byte columns)."""

    def __init__(self, lengths: list[int]) -> None:
        self._starts = list(accumulate([length + 1 for length in lengths[:-1]], initial=0))

    def line(self, at: int) -> int:
        """The line an offset is on."""
        return bisect_right(self._starts, at)

    def place(self, at: int) -> tuple[int, int]:
        """Line and column of an offset."""
        line = self.line(at)
        return line, at - self._starts[line - 1] + 1


class _OnlyLines(Struct, array_like=True, frozen=True):
    """An interface of which only the lines are decoded: a small part of the cost of all."""

    strings: msgspec.Raw
    lines: list[int]


def decode_lines(interface: bytes) -> Lines:
    """The lines of an encoded interface."""
    return Lines(_decode_only_lines(interface).lines)


class _OnlyStrings(Struct, array_like=True, frozen=True):
    """An interface of which only the strings are decoded."""

    strings: list[str]


def decode_strings(interface: bytes) -> list[str]:
    """The strings of an encoded interface."""
    return _decode_only_strings(interface).strings


encode = msgspec.msgpack.Encoder().encode
decode_interface = msgspec.msgpack.Decoder(Interface).decode
decode_references = msgspec.msgpack.Decoder(References).decode
_decode_only_strings = msgspec.msgpack.Decoder(_OnlyStrings).decode
_decode_only_lines = msgspec.msgpack.Decoder(_OnlyLines).decode
