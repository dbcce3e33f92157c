"""Targets and patterns: which part of a value each part of a target gets, and what a condition says about a value.

Of conditions only `isinstance` is read, alone, negated, or among others joined by `and`. In patterns, class names and
dotted constants are used, other names are bound to parts of the subject; which case is taken is not decided. What
assignments, loops, `with` and comprehensions bind is left to them.
"""

from __future__ import annotations

from tree_sitter import Node

from keel.languages.python import forms
from keel.languages.python.extract.flow import assign, choice, element_path, forget_elements, grow, hold, load, store
from keel.languages.python.extract.primaries import solid
from keel.languages.python.extract.scopes import bind
from keel.languages.python.extract.walk import VALUES, VISITS, Walk, head, is_chain
from keel.languages.python.grammar import kind_ids
from keel.model.facts import ASSIGNED

SUBSCRIPTS = frozenset(kind_ids("subscript"))
SPLATS = frozenset(kind_ids("list_splat_pattern") + kind_ids("list_splat"))
KEYS = frozenset(kind_ids("string") + kind_ids("integer"))
NAMED_KEYS = (forms.STRING, forms.NUMBER, forms.CHAIN)
"""Keys that can be distinguished: literals, and names that are no variables here."""
SEQUENCES = (forms.LIST, forms.TUPLE)


def unpacked(w: Walk, targets: list[Node], value: int) -> list[int]:
    """What each of the targets gets of a value that is unpacked."""
    if value < 0:
        return [-1] * len(targets)
    star = next((index for index, target in enumerate(targets) if target.kind_id in SPLATS), None)
    ir = w.ir
    if star is None and ir[value] == forms.DISPLAY and ir[value + 1] in SEQUENCES:
        items = ir[value + 3 : value + 3 + ir[value + 2]]
        if len(items) == len(targets) and not any(_is_starred(w, item) for item in items):
            return items
    if star is None:
        return [w.put(forms.PART, value, index) for index in range(len(targets))]
    return [
        w.put(forms.PART, value, index)
        if index < star
        else w.put(forms.REST, value, index, len(targets) - 1 - star)
        if index == star
        else w.put(forms.PART, value, index - len(targets))
        for index in range(len(targets))
    ]


def _is_starred(w: Walk, expr: int) -> bool:
    return expr >= 0 and w.ir[expr] == forms.WRAP and w.ir[expr + 1] == forms.STARRED


def held(w: Walk, value: int, type_value: int) -> int:
    """What a variable holds that has a value and an annotation: the value, or an instance of the type if unknown."""
    if type_value < 0:
        return value
    return w.put(forms.NARROWED, value, type_value)


def load_owner(w: Walk, text: bytes) -> int:
    """The value of an attribute as a target: its owner as it is now, not what the attribute held before."""
    owner = load(w, text.rpartition(b".")[0], head(text))
    if w.ir[owner] != forms.BOUND:
        return w.chain(text)
    skip = w.ir[owner + 3] or text.count(b".")
    return w.put(forms.BOUND, w.intern(text), w.ir[owner + 2], skip)


def path_of(w: Walk, node: Node) -> bytes | None:
    """The name of an element with a literal key in the environment: `d['a']`."""
    kids = solid(node)
    if len(kids) != 2 or kids[1].kind_id not in KEYS:
        return None
    base = w.source[kids[0].start_byte : kids[0].end_byte]
    if not is_chain(base) or (head(base) not in w.env and not w.flow.paths):
        return None
    return element_path(base, w.source[kids[1].start_byte : kids[1].end_byte])


def note_element(w: Walk, sign: bytes, expr: int) -> None:
    """A subscript that was taken for a read sets or deletes the element."""
    if expr >= 0 and w.uses and w.uses[-1] == expr:
        w.uses[-1] = w.put(forms.OPERATED, w.intern(sign), w.ir[expr + 1], -1)


def store_element(w: Walk, node: Node, expr: int, value: int) -> None:
    """`d[k] = v`: the container has one more element; followed when the key is a literal, else it may be any."""
    note_element(w, b"[]=", expr)
    first = node.named_child(0)
    base = w.source[first.start_byte : first.end_byte] if first is not None else b""
    if not is_chain(base):
        return
    path = path_of(w, node)
    if w.flow.paths and path is None:
        forget_elements(w, base)
    if value >= 0:
        key = w.ir[expr + 2] if expr >= 0 and w.ir[expr] == forms.SUBSCRIPT else -1
        if key >= 0 and w.ir[key] not in NAMED_KEYS:
            key = -1
        grow(w, base, value, key, node.start_byte)
    if path is not None:
        store(w, path, value)


CALLS = frozenset(kind_ids("call"))
NOT = frozenset(kind_ids("not_operator"))
AND = frozenset(kind_ids("boolean_operator"))
BRACKETS = frozenset(kind_ids("parenthesized_expression"))
TUPLES = frozenset(kind_ids("tuple"))

Known = list[tuple[bytes, int, bool]]
"""Variables (names or chains) with the value of a class, and whether they are instances of it."""


def narrowings(w: Walk, node: Node) -> tuple[Known, Known]:
    """What holds where a condition is true, and what where it is false."""
    kind = node.kind_id
    if kind in CALLS:
        found = _isinstance(w, node)
        return ([(*found, True)], [(*found, False)]) if found is not None else ([], [])
    if kind in NOT:
        inner = solid(node)
        true, false = narrowings(w, inner[0]) if inner else ([], [])
        return false, true
    if kind in BRACKETS:
        inner = solid(node)
        return narrowings(w, inner[0]) if len(inner) == 1 else ([], [])
    if kind in AND:
        operator = node.child_by_field_name("operator")
        sides = [narrowings(w, side) for side in solid(node)]
        if operator is not None and operator.type == "and":
            return [known for true, _ in sides for known in true], []
        return [], [known for _, false in sides for known in false]
    return [], []


def _isinstance(w: Walk, node: Node) -> tuple[bytes, int] | None:
    source = w.source
    if not source.startswith(b"isinstance", node.start_byte):
        return None
    kids = solid(node)
    arguments = solid(kids[1]) if len(kids) == 2 else []
    if len(arguments) != 2 or source[kids[0].start_byte : kids[0].end_byte] != b"isinstance":
        return None
    text = source[arguments[0].start_byte : arguments[0].end_byte]
    if not is_chain(text):
        return None
    classes = solid(arguments[1]) if arguments[1].kind_id in TUPLES else [arguments[1]]
    names = [source[child.start_byte : child.end_byte] for child in classes]
    if not names or not all(map(is_chain, names)):
        return None
    exprs = [w.chain(name) for name in names]
    return text, exprs[0] if len(exprs) == 1 else w.put(forms.CHOICE, len(exprs), *exprs)


Subject = tuple[bytes, int]
"""What is matched: its text where it is a name or chain, and its value."""


def subjects_of(w: Walk, nodes: list[Node]) -> list[Subject]:
    """The subject of a `match`; several without brackets are a tuple."""
    found: list[Subject] = []
    for node in nodes:
        text = w.source[node.start_byte : node.end_byte]
        found.append((text if is_chain(text) else b"", VALUES[node.kind_id](w, node)))
    return found


def bind_case(w: Walk, patterns: list[Node], subjects: list[Subject]) -> None:
    """The head of a case."""
    if len(patterns) != len(subjects) and len(subjects) == 1:  # `case a, b:`
        _sequence(w, patterns, subjects[0][1])
        return
    for index, pattern in enumerate(patterns):
        text, value = subjects[index] if index < len(subjects) else (b"", -1)
        known = _pattern(w, pattern, value)
        if text and known >= 0 and w.ir[known] == forms.NARROWED:
            hold(w, text, known)


def _pattern(w: Walk, node: Node, value: int) -> int:
    """Binds the names of a pattern; returns what the value is known to be where it matches."""
    kids = solid(node)
    kind = node.type
    if kind == "case_pattern":
        return _pattern(w, kids[0], value) if kids else value
    if kind == "class_pattern":
        return _class(w, kids, value)
    if kind == "as_pattern":
        known = _pattern(w, kids[0], value)
        _capture(w, kids[-1], known)
        return known
    if kind == "union_pattern":
        either = [_pattern(w, kid, value) for kid in kids]
        made = choice(w, either) if -1 not in either else None
        return value if made is None else made
    if kind == "dotted_name":
        return _name(w, node, value)
    if kind in ("identifier", "splat_pattern"):
        _capture(w, kids[0] if kids else node, value)
    elif kind in ("list_pattern", "tuple_pattern"):
        if kind == "tuple_pattern" and len(kids) == 1 and b"," not in w.source[kids[0].end_byte : node.end_byte]:
            return _pattern(w, kids[0], value)
        _sequence(w, kids, value)
    elif kind == "dict_pattern":
        _mapping(w, kids, value)
    else:
        VISITS[node.kind_id](w, node)
    return value


def _class(w: Walk, kids: list[Node], value: int) -> int:
    name, *inner = kids
    text = w.source[name.start_byte : name.end_byte]
    w.refs.append((w.name_kind, w.owner, name.end_byte - len(text.rpartition(b".")[2]), text, head(text), w.scope, -1))
    known = w.put(forms.NARROWED, value, w.chain(text))
    for part in inner:
        pattern, alias = _keyword(part)
        if pattern is None:
            _pattern(w, part, -1)
            continue
        attribute, *rest = solid(pattern)
        field = w.put(forms.ATTR, known, w.intern(w.source[attribute.start_byte : attribute.end_byte]))
        for kid in rest:
            field = _pattern(w, kid, field)
        if alias is not None:
            _capture(w, alias, field)
    return known


def _keyword(part: Node) -> tuple[Node | None, Node | None]:
    """The keyword pattern in a part of a class pattern, and its alias: the grammar has `a=b as c` as `(a=b) as c`."""
    pattern, alias = _inside(part), None
    if pattern.type == "as_pattern":
        pattern, alias = _inside(solid(pattern)[0]), solid(pattern)[-1]
    return (pattern, alias) if pattern.type == "keyword_pattern" else (None, None)


def _inside(node: Node) -> Node:
    kids = solid(node) if node.type == "case_pattern" else []
    return kids[0] if kids else node


def _name(w: Walk, node: Node, value: int) -> int:
    text = w.source[node.start_byte : node.end_byte]
    if b"." in text:
        w.refs.append(
            (w.name_kind, w.owner, node.end_byte - len(text.rpartition(b".")[2]), text, head(text), w.scope, -1)
        )
    else:
        _capture(w, node, value)
    return value


def _sequence(w: Walk, kids: list[Node], value: int) -> None:
    star = next((index for index, kid in enumerate(kids) if _is_splat(kid)), len(kids))
    for index, kid in enumerate(kids):
        part = -1
        if value >= 0 and index == star:
            part = w.put(forms.REST, value, index, len(kids) - 1 - star)
        elif value >= 0:
            part = w.put(forms.PART, value, index if index < star else index - len(kids))
        _pattern(w, kid, part)


def _is_splat(node: Node) -> bool:
    inner = solid(node) if node.type == "case_pattern" else [node]
    return bool(inner) and inner[0].type == "splat_pattern"


def _mapping(w: Walk, kids: list[Node], value: int) -> None:
    key = -1
    for kid in kids:
        if kid.type == "case_pattern":
            _pattern(w, kid, w.put(forms.SUBSCRIPT, value, key, -1) if value >= 0 else -1)
        elif kid.type == "splat_pattern":
            _pattern(w, kid, -1)
        else:
            key = VALUES[kid.kind_id](w, kid)


def _capture(w: Walk, node: Node, value: int) -> None:
    name = w.source[node.start_byte : node.end_byte]
    if name != b"_":
        bind(w.scope, name, (ASSIGNED, value, node.start_byte, True))
        assign(w, name, value)
