"""Annotations by meaning: `Optional[X]`, `X | None` and `"Union[None, X]"` are the same type.

Compared is what the file says: names through its imports, older spellings of `typing` as today's. What a name resolves
to (an alias, a re-export) is left to `resolve`; where that could matter, the answer is that it is not known.
"""

from __future__ import annotations

import ast
import builtins
import re
from collections import abc
from collections.abc import Callable
from enum import Enum

from msgspec import Struct

from keel.languages.python.facts import Interface
from keel.model.facts import DEFINED, FROM_IMPORT, MODULE_DEF, STAR

_without_modules = re.compile(r"[\w.]+\.(?=\w)").sub
NONE = "None"
ANY = "typing.Any"
_ABCS = (
    *("AsyncGenerator", "AsyncIterable", "AsyncIterator", "Awaitable", "ByteString", "Callable", "Collection"),
    *("Container", "Coroutine", "Generator", "Hashable", "ItemsView", "Iterable", "Iterator", "KeysView", "Mapping"),
    *(
        "MappingView",
        "MutableMapping",
        "MutableSequence",
        "MutableSet",
        "Reversible",
        "Sequence",
        "Sized",
        "ValuesView",
    ),
)
SPELLINGS = {
    **{f"typing.{name.title()}": f"builtins.{name}" for name in ("dict", "list", "set", "tuple", "type")},
    **{f"typing.{name}": f"collections.abc.{name}" for name in _ABCS},
    "typing.AbstractSet": "collections.abc.Set",
    "typing.ChainMap": "collections.ChainMap",
    "typing.Counter": "collections.Counter",
    "typing.DefaultDict": "collections.defaultdict",
    "typing.Deque": "collections.deque",
    "typing.FrozenSet": "builtins.frozenset",
    "typing.Match": "re.Match",
    "typing.OrderedDict": "collections.OrderedDict",
    "typing.Pattern": "re.Pattern",
    "typing.Text": "builtins.str",
    "types.NoneType": NONE,
}
"""Older spellings of types, and today's."""
GENERATORS = frozenset(("collections.abc.Generator", "collections.abc.AsyncGenerator"))
"""Generics whose send and return types are None where they are left out."""
FORMS = frozenset(("typing.Literal",))
"""Types that differ when their parameters differ."""
WIDEST = frozenset((ANY, "builtins.object"))


class Relation(Enum):
    """How the type after compares to the type before."""

    SAME = "same"
    """They mean the same."""
    ADDED = "added"
    """There was none before."""
    REMOVED = "removed"
    """There is none any more."""
    WIDENED = "widened"
    """The union has gained members."""
    NARROWED = "narrowed"
    """The union has lost members."""
    CHANGED = "changed"
    """It is another type."""
    NOT_KNOWN = "not_known"
    """The texts differ, but may mean the same."""


class Meaning(Struct, frozen=True):
    """A type: the members of its union, and which of them depend on names that are not followed."""

    members: frozenset[str]
    unsure: frozenset[str] = frozenset()

    @property
    def only(self) -> str:
        """The only member; None when there are more."""
        return next(iter(self.members)) if len(self.members) == 1 else ""


def relation(before: str, after: str, names_before: Interface, names_after: Interface) -> Relation:
    """How two annotations, as the texts of two files, compare."""
    if not before or not after:
        return Relation.SAME if before == after else Relation.REMOVED if before else Relation.ADDED
    old, new = meaning(before, names_before), meaning(after, names_after)
    if old is None or new is None:
        return Relation.SAME if before == after else Relation.NOT_KNOWN
    if old.members == new.members:
        return Relation.SAME
    if ANY in (old.only, new.only):  # equivalent to none
        return Relation.ADDED if old.only == ANY else Relation.REMOVED
    wider, narrower = _covers(new, old), _covers(old, new)
    if wider or narrower:
        return Relation.SAME if wider and narrower else Relation.WIDENED if wider else Relation.NARROWED
    differing = old.members ^ new.members
    if differing & (old.unsure | new.unsure) or _last_names(old.members) == _last_names(new.members):
        is_part = old.members < new.members or new.members < old.members
        if not is_part:
            return Relation.NOT_KNOWN
    if old.members < new.members or new.members & WIDEST:
        return Relation.WIDENED
    return Relation.NARROWED if new.members < old.members or old.members & WIDEST else Relation.CHANGED


def _covers(wide: Meaning, narrow: Meaning) -> bool:
    """Whether every member of one type is among those of the other, or surely a subtype of one of them."""
    return all(any(_is_subtype(member, each) for each in wide.members) for member in narrow.members)


def _is_subtype(one: str, other: str) -> bool:
    """Whether a type is another one or inherits from it; one without parameters may have any."""
    if one == other:
        return True
    (head, _, inside), (above, _, wanted) = one.partition("["), other.partition("[")
    if inside and wanted and inside != wanted:
        return False
    if head == above:
        return head not in FORMS
    sub, top = _known(head), _known(above)
    return sub is not None and top is not None and inside == wanted and issubclass(sub, top)


def _known(dotted: str) -> type | None:
    """A container of the standard library, or a kind of them."""
    module, _, name = dotted.rpartition(".")
    found = {"builtins": vars(builtins), "collections.abc": vars(abc)}.get(module, {}).get(name)
    return found if isinstance(found, type) and issubclass(found, abc.Iterable | abc.AsyncIterable) else None


def _last_names(members: frozenset[str]) -> frozenset[str]:
    """The members without their modules: the same name may have been imported by another path."""
    return frozenset(_without_modules("", member) for member in members)


def meaning(text: str, interface: Interface) -> Meaning | None:
    """What an annotation of a file means; None when it is no expression."""
    reader = _Reader(_names_of(interface))
    try:
        members = reader.members(ast.parse(text.strip(), mode="eval").body)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    return Meaning(members, frozenset(member for member in members if any(name in member for name in reader.unsure)))


class _Reader:
    """Reads type expressions; collects the names whose meaning is not certain."""

    def __init__(self, named: Callable[[str], tuple[str, bool]]) -> None:
        self._named = named
        self.unsure: set[str] = set()

    def members(self, node: ast.expr) -> frozenset[str]:
        """The members of the union that an expression denotes."""
        if isinstance(node, ast.Constant):
            return self._constant(node.value)
        if isinstance(node, ast.Name | ast.Attribute):
            return frozenset((self._name(node),))
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
            return self.members(node.left) | self.members(node.right)
        if isinstance(node, ast.Subscript):
            return self._subscript(node)
        if isinstance(node, ast.List | ast.Tuple):
            return frozenset((f"[{', '.join(self._text(item) for item in node.elts)}]",))
        if isinstance(node, ast.Starred):
            return frozenset((f"*{self._text(node.value)}",))
        text = ast.unparse(node)
        self.unsure.add(text)
        return frozenset((text,))

    def _constant(self, value: object) -> frozenset[str]:
        if value is None:
            return frozenset((NONE,))
        if isinstance(value, str):
            return self.members(ast.parse(value.strip(), mode="eval").body)
        return frozenset(("..." if value is ... else repr(value),))

    def _name(self, node: ast.expr) -> str:
        text = ast.unparse(node)
        dotted, is_sure = self._named(text)
        dotted = dotted.replace("typing_extensions.", "typing.", 1)
        dotted = SPELLINGS.get(dotted, dotted)
        if not is_sure:
            self.unsure.add(dotted)
        return dotted

    def _subscript(self, node: ast.Subscript) -> frozenset[str]:
        head = self._name(node.value)
        parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        if head == "typing.Optional":
            return self.members(parts[0]) | {NONE}
        if head == "typing.Union":
            return frozenset().union(*(self.members(part) for part in parts))
        if head == "typing.Annotated":
            return self.members(parts[0])
        if head == "typing.Literal":
            return frozenset(f"{head}[{ast.unparse(part)}]" for part in parts)
        texts = [self._text(part) for part in parts]
        while head in GENERATORS and len(texts) > 1 and texts[-1] == NONE:
            texts.pop()
        says_nothing = all(text in (ANY, "...") for text in texts)
        return frozenset((head if says_nothing else f"{head}[{', '.join(texts)}]",))

    def _text(self, node: ast.expr) -> str:
        return " | ".join(sorted(self.members(node)))


def _names_of(interface: Interface) -> Callable[[str], tuple[str, bool]]:
    """The qualified name of a dotted name, by a file's own imports, and whether nothing else may be behind it."""
    has_stars = any(item.flags & STAR for item in interface.imports)
    bound: dict[str, tuple[str, bool]] = {}
    for binding in interface.bindings:
        if binding.scope == MODULE_DEF:
            name = interface.strings[binding.name]
            found = {_of_site(interface, name, site.what, site.target) for site in binding.sites}
            bound[name] = found.pop() if len(found) == 1 else (name, False)

    def named(text: str) -> tuple[str, bool]:
        first, dot, rest = text.partition(".")
        if first in bound:
            head, is_sure = bound[first]
        else:
            is_sure = hasattr(builtins, first) and not has_stars
            head = f"builtins.{first}" if is_sure else first
        return head + dot + rest, is_sure

    return named


def _of_site(interface: Interface, name: str, what: int, target: int) -> tuple[str, bool]:
    if what == FROM_IMPORT:
        item = interface.imports[target]
        module = "." * item.level + interface.text(item.module)
        imported = interface.text(item.name)
        if imported:
            return f"{module.rstrip('.')}.{imported}" if module.strip(".") else f"{module}{imported}", True
        return (module if item.alias >= 0 else module.partition(".")[0]), True
    return name, what == DEFINED
