"""The end of a walk: its state becomes facts, suppression comments among them.

Here every reference learns where its first name is bound in this file; what that means elsewhere is left to `resolve`,
what a suppression silences to enforcement.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from itertools import accumulate

from msgspec.structs import replace
from tree_sitter import Node

from keel.languages.python import standard_library
from keel.languages.python.extract.flow import bit_of
from keel.languages.python.extract.imports import UNREADABLE
from keel.languages.python.extract.scopes import CLASS, MODULE, Scope, look_up, outside
from keel.languages.python.extract.walk import Walk, head
from keel.languages.python.facts import (
    CELLS,
    IMPORTED,
    LOCAL,
    SELF,
    UNBOUND,
    VALUE,
    Binding,
    Def,
    Facts,
    Interface,
    References,
)
from keel.languages.python.forms import PARAM
from keel.languages.python.grammar import kind_id, parse
from keel.model.facts import UNRELIABLE, Reference, Signature, Site, Suppression
from keel.model.kinds import NodeKind, RefKind, Visibility
from keel.model.text.suppressions import codes_and_reason

IMPORT = int(RefKind.IMPORT)
CALL = int(RefKind.CALL)
BUILTINS = frozenset(name.encode() for name in standard_library.BUILTINS)
DOT = b"."[0]
DROPPED = (LOCAL, SELF)
"""A bare name with such a root is a local variable, of which nothing is kept."""


def finish(w: Walk) -> Facts:
    """Facts of the file, once the whole tree has been walked."""
    bindings: list[Binding] = []
    references = _references(w, bindings)
    for scope in w.scopes:
        for name, sites in scope.names.items():
            if sites is not None and name not in scope.bindings:
                _binding(w, bindings, scope, name)
        for name, site in scope.fields.items():
            bindings.append(Binding(scope.owner, w.intern(name), [Site(*site)]))
    cells = _chains(w, bindings)
    exports = None if w.exports is UNREADABLE else w.exports
    defs = _reliable(w)
    interface = Interface(
        _decoded(list(w.strings)),
        list(map(len, w.source.split(b"\n"))),
        w.ir,
        defs,
        w.imports,
        w.assigns,
        w.returns,
        None if exports is None else [name.decode("utf-8", "replace") for name in exports],
        w.gaps,
        suppressions(w.source),
        bindings,
        cells,
    )
    return Facts(interface, References(references, _uses(w, defs)))


def _uses(w: Walk, defs: list[Def]) -> list[int]:
    """Uses with offsets that count from the definition around."""
    uses = w.uses
    uses[1::3] = [at - defs[owner].start for owner, at in zip(uses[::3], uses[1::3], strict=True)]
    return uses


def _decoded(texts: list[bytes]) -> list[str]:
    """Texts as strings, all in one go where no text holds the separator."""
    whole = b"\0".join(texts).decode("utf-8", "replace").split("\0")
    if len(whole) == len(texts):
        return whole
    return [text.decode("utf-8", "replace") for text in texts]


def _references(w: Walk, bindings: list[Binding]) -> list[Reference]:
    """References with their roots; plain uses of local variables are dropped here."""
    kept: list[Reference] = []
    keep = kept.append
    strings = w.strings
    starts = [0 if definition is None else definition.start for definition in w.defs]
    for kind, source, at, text, name, scope, value in w.refs:
        if name:
            found = scope.roots.get(name)
            root = _root(w, bindings, scope, name) if found is None else found
            if root >= 0 and scope.kind <= CLASS and at < bindings[root].sites[0].at:
                root = _not_yet_bound(w, bindings, scope, name, root)
            if root in DROPPED and kind != CALL and name == text:
                continue
        elif kind == IMPORT:
            root = IMPORTED
        elif text:
            root = VALUE
        else:  # a name that the parser put in where there is none
            continue
        keep(Reference(kind, source, at - starts[source], strings.setdefault(text, len(strings)), root, value))
    return kept


def _chains(w: Walk, bindings: list[Binding]) -> list[list[int]]:
    """Sets where the first name of every CHAIN is bound; what variables of functions around may hold."""
    cells: list[list[int]] = []
    known: dict[tuple[int, bytes], int] = {}
    used_parameters: dict[int, int] = {}
    ir = w.ir
    for flow in w.flows:
        scope = flow.scope
        for text, expr in flow.chains.items():
            name = head(text) if DOT in text else text
            found = scope.roots.get(name)
            root = _root(w, bindings, scope, name) if found is None else found
            if root in DROPPED:
                holder = look_up(scope, name)[0]
                if holder is not None and name in holder.values:
                    key = (id(holder), name)
                    if key not in known:
                        known[key] = CELLS - len(cells)
                        cells.append(list(dict.fromkeys(holder.values[name])))
                        for held in cells[-1]:
                            if held >= 0 and ir[held] == PARAM:
                                used_parameters[ir[held + 1]] = used_parameters.get(ir[held + 1], 0) | bit_of(
                                    ir[held + 2]
                                )
                    root = known[key]
            ir[expr + 2] = root
    for index, bits in used_parameters.items():
        definition = w.defs[index]
        if definition is not None and definition.used_parameters | bits != definition.used_parameters:
            w.defs[index] = replace(definition, used_parameters=definition.used_parameters | bits)
    return cells


def _root(w: Walk, bindings: list[Binding], scope: Scope, name: bytes) -> int:
    """What a name means in a scope; one that it does not bind means what it means around it, found once there."""
    passed = [scope]
    found: int | None = None
    while name not in scope.names and found is None and (outer := outside(scope, name)) is not None:
        scope = outer
        found = scope.roots.get(name)
        passed.append(scope)
    if found is None:
        holder, found = look_up(scope, name)
        if found == 0 and holder is not None:
            found = _binding(w, bindings, holder, name)
    for inner in passed:
        inner.roots[name] = found
    return found


def _not_yet_bound(w: Walk, bindings: list[Binding], scope: Scope, name: bytes, root: int) -> int:
    """What a name means where its own scope, a module or a class body, binds it only later.

    A class body sees what is around it then, a module what is built in; in a loop it may be bound already.
    """
    if scope.bindings.get(name) != root:
        return root
    if scope.kind == MODULE:
        return UNBOUND if name in BUILTINS else root
    outer = scope.parent
    while outer is not None and outer.kind == CLASS:
        outer = outer.parent
    return root if outer is None else _root(w, bindings, outer, name)


def _binding(w: Walk, bindings: list[Binding], scope: Scope, name: bytes) -> int:
    index = scope.bindings.get(name)
    if index is None:
        index = scope.bindings[name] = len(bindings)
        sites = [Site(*site) for site in scope.names[name] or ()]
        bindings.append(Binding(scope.owner, w.intern(name), sites))
    return index


def _unread(w: Walk, index: int) -> Def:
    """Represents a definition nested too deep to build: others count from the front, so none may be left out."""
    name = w.intern(b"<unread>")
    return Def(NodeKind.FUNCTION, name, name, index, 1, 0, 0, 0, UNRELIABLE, Visibility.PRIVATE, -1, 0, Signature([]))


def _reliable(w: Walk) -> list[Def]:
    """Definitions, those that contain a syntax error marked so."""
    defs = [_unread(w, index) if definition is None else definition for index, definition in enumerate(w.defs)]
    if not w.gaps:
        return defs
    gaps = sorted((gap.start, gap.end) for gap in w.gaps)
    starts = [start for start, _ in gaps]
    reach = [-1, *accumulate((end for _, end in gaps), max)]
    """How far any of the first so many gaps goes."""
    return [
        replace(definition, flags=definition.flags | UNRELIABLE)
        if reach[bisect_left(starts, definition.end)] >= definition.start
        else definition
        for definition in defs
    ]


COMMENT = kind_id("comment")

_comments = re.compile(rb"#[ \t]*keel:[ \t]*suppress\b([^\r\n]*)").finditer


def suppressions(source: bytes) -> list[Suppression]:
    """All suppression comments, in order."""
    return list(_found(source)) if b"keel:" in source else []


def _found(source: bytes) -> Iterator[Suppression]:
    root = parse(source).root_node
    for match in _comments(source):
        at = match.start()
        if _begins_comment(root.descendant_for_byte_range(at, at), at):
            codes, reason = codes_and_reason(match[1].decode("utf-8", "replace"))
            behind = source[source.rfind(b"\n", 0, at) + 1 : at].strip() != b""
            yield Suppression(at, codes, reason, behind)


def _begins_comment(node: Node | None, at: int) -> bool:
    """Whether what looks like a comment is one, and no text inside a string or another comment."""
    return node is not None and node.kind_id == COMMENT and node.start_byte == at
