"""Facts: everything one file says by itself, and nothing that another file could change.

They are a function of the file's bytes and the extractor's version, so they can be made anywhere and kept by content.
Texts are indexes into the file's string table, expression values places on its tape (`model/values.py`), positions
byte offsets; -1 stands for none. What a name refers to in other files is left to linking.

A file's facts are two values that are stored apart: the `Interface`, which linking of other files needs too, and the
`References`, which only the file's own linking needs.
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate

import msgspec
from msgspec import Struct

from keel.model.kinds import NodeKind, ParamKind, Visibility
from keel.model.values import Value, read

NOTHING = -1

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

# where the first name of a reference is bound, when it is not a binding of the interface (>= 0)
UNBOUND = -1
LOCAL = -2
SELF = -3
VALUE = -4
"""The text hangs on a value that is not a plain chain: `f().x`."""
IMPORTED = -5
"""An import statement's own name; `value` is the index of the import."""
CELLS = -16
"""The root of a CHAIN that begins with a variable of a function around: `CELLS - index`, of the interface's cells."""


class Param(Struct, array_like=True, frozen=True, gc=False):
    """A parameter: annotation and default both as text and as value."""

    name: int
    kind: ParamKind
    annotation: int = NOTHING
    type: int = NOTHING
    default: int = NOTHING
    value: int = NOTHING


class Signature(Struct, array_like=True, frozen=True):
    """How something is called: parameters and return annotation (text and value)."""

    params: list[Param]
    returns: int = NOTHING
    type: int = NOTHING


class Def(Struct, array_like=True, frozen=True):
    """A definition. Definition 0 of a file is the file itself, definition 1 its module."""

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
    bases: tuple[int, ...] = ()
    keywords: tuple[tuple[int, int], ...] = ()
    """Class keywords such as `metaclass=M`: name and value."""
    annotation: int = NOTHING
    type: int = NOTHING
    value: int = NOTHING
    """Annotation text, annotation value and initialiser of a field or constant."""
    body: int = 0
    """Where the body begins, counted from the start: what stands before it is evaluated in the scope around."""
    heard: int = 0
    """Which parameters the body uses as values: a bit for each."""


class Import(Struct, array_like=True, frozen=True, gc=False):
    """One imported name: `from <level dots><module> import <name> as <alias>`; without a name, `import <module>`."""

    module: int
    level: int
    name: int
    alias: int
    at: int
    scope: int
    flags: int


DEFINED, FROM_IMPORT, ASSIGNED = range(3)
"""What a site binds a name to."""


class Site(Struct, array_like=True, frozen=True, gc=False):
    """One place where a scope binds a name: to a definition, an import, or a value (of the tape).

    `at` is where the binding takes effect: behind the statement, which still sees what was before.
    """

    what: int
    target: int
    at: int
    conditional: bool


class Binding(Struct, array_like=True, frozen=True):
    """All sites at which a scope (a definition) binds one name, in source order."""

    scope: int
    name: int
    sites: list[Site]


PLAIN, AUGMENTED, ITERATED, ENTERED, CAUGHT, UNPACKED, DELETED, GROWN = range(8)
"""How an assignment gives its target the value: as it is, by `+=`, element by element, by `with`, by `except`, …

GROWN: the target is a container that is given one more element, by `append` and the like or under some key.
"""


class Assign(Struct, array_like=True, frozen=True, gc=False):
    """An assignment in a scope: target and value on the tape."""

    scope: int
    target: int
    value: int
    at: int
    how: int


RETURNED, YIELDED, YIELDED_FROM = range(3)


class Return(Struct, array_like=True, frozen=True, gc=False):
    """What a function hands back at one place."""

    scope: int
    value: int
    at: int
    how: int


class Gap(Struct, array_like=True, frozen=True, gc=False):
    """A stretch of the file that could not be read as its language."""

    start: int
    end: int


class Suppression(Struct, array_like=True, frozen=True, gc=False):
    """A comment that asks for silence about codes, with its reason (empty: it does not suppress).

    The codes are the words that stand where codes belong; whether there are such codes is not known here.
    """

    at: int
    codes: list[str]
    reason: str
    behind: bool = False
    """Whether it stands behind code, on the same line."""


class Reference(Struct, array_like=True, frozen=True, gc=False):
    """A use of a name: its role, the definition around it, where its last identifier stands, and its text.

    `at` counts from the start of that definition, so that edits elsewhere in the file leave it alone.
    """

    kind: int
    """A RefKind; a plain number, since there are half a million of these in a large project."""
    source: int
    at: int
    text: int
    root: int
    value: int = NOTHING
    """For a call its CALL on the tape; for an import its index; for text that hangs on a value, that value."""


class Interface(Struct, array_like=True, frozen=True):
    """What the rest of the workspace can see of a file, and everything its references point into."""

    strings: list[str]
    tape: list[int]
    defs: list[Def]
    bindings: list[Binding]
    imports: list[Import]
    assigns: list[Assign]
    returns: list[Return]
    exports: list[str] | None
    """The names of `__all__`, or None when there is none that can be read."""
    lines: list[int]
    """Length of each line in bytes, line feed not included."""
    cells: list[list[int]] = []
    """What a variable of a function may hold, for those that other functions read: all values it is given."""
    gaps: list[Gap] = []
    suppressions: list[Suppression] = []

    def text(self, index: int) -> str:
        """The text behind an index; empty for none."""
        return self.strings[index] if index >= 0 else ""

    def expression(self, at: int) -> Value:
        """The expression value at a place of the tape."""
        return read(self.tape, self.strings, at)


class References(Struct, array_like=True, frozen=True):
    """Every outgoing name of a file, in the order in which the extractor meets them."""

    items: list[Reference]
    uses: list[int] = []
    """Places where methods may run without a call being written, three numbers each: the definition around, where it
    is counted from the start of that, and the value on the tape."""


class Facts(Struct, frozen=True):
    """Both halves of what a file says."""

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
    """An interface of which only the lines are read: a small part of the work where nothing else is asked."""

    strings: msgspec.Raw
    tape: msgspec.Raw
    defs: msgspec.Raw
    bindings: msgspec.Raw
    imports: msgspec.Raw
    assigns: msgspec.Raw
    returns: msgspec.Raw
    exports: msgspec.Raw
    lines: list[int]


def decode_lines(interface: bytes) -> Lines:
    """The lines of an encoded interface."""
    return Lines(_decode_only_lines(interface).lines)


class _OnlyStrings(Struct, array_like=True, frozen=True):
    """An interface of which only the strings are read."""

    strings: list[str]


def decode_strings(interface: bytes) -> list[str]:
    """The strings of an encoded interface."""
    return _decode_only_strings(interface).strings


encode = msgspec.msgpack.Encoder().encode
decode_interface = msgspec.msgpack.Decoder(Interface).decode
decode_references = msgspec.msgpack.Decoder(References).decode
_decode_only_strings = msgspec.msgpack.Decoder(_OnlyStrings).decode
_decode_only_lines = msgspec.msgpack.Decoder(_OnlyLines).decode
