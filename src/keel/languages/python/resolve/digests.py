"""Digests: what values say, as numbers that moves and renumbering leave alone.

Two versions of a file are compared by them: where a number differs, those who looked it up are linked again. Numbers
are given out as sayings come up, so that they mean something only among files that share them. What the values evaluate
to is not asked.
"""

from __future__ import annotations

from keel.languages.python import forms
from keel.languages.python.facts import CELLS
from keel.languages.python.forms import operands
from keel.languages.python.resolve.sources import Source
from keel.model.facts import DEFINED, FROM_IMPORT, MODULE_DEF, Site
from keel.model.kinds import NodeKind

FUNCTIONS = (NodeKind.FUNCTION, NodeKind.METHOD)
TEXTS = frozenset((forms.STRING, forms.FORMAT, forms.NUMBER))
IN_A_RING = 1
FIRST = 1 << 48
"""Where the numbers of sayings begin."""
FIELDS = "*"
"""Stands for the fields of a class in order, among its attributes."""


class Digests:
    """The digests of one file."""

    def __init__(self, source: Source, numbers: dict[tuple[object, ...], int]) -> None:
        self._source = source
        self._numbers = numbers
        self._known: dict[int, int] = {}

    def names(self) -> dict[str, int]:
        """What each module-level name is given."""
        return {name: self._attribute(scope, name) for scope, name in self._places() if scope == MODULE_DEF}

    def attributes(self) -> dict[tuple[int, str], int]:
        """What each attribute is given, by class and name."""
        found = {(scope, name): self._attribute(scope, name) for scope, name in self._places() if scope != MODULE_DEF}
        for ordinal, definition in enumerate(self._source.defs):
            if definition.kind == NodeKind.CLASS:
                found[ordinal, FIELDS] = self._mixed(*self._source.field_names(ordinal))
        return found

    def functions(self) -> dict[int, int]:
        """What each function is: how it is called, decorated, and what it hands back."""
        return {
            ordinal: self._function(ordinal)
            for ordinal, definition in enumerate(self._source.defs)
            if definition.kind in FUNCTIONS
        }

    def _places(self) -> set[tuple[int, str]]:
        source = self._source
        wanted = {*source.bindings, *source.stores, *source.grown, *source.extended, *source.fields}
        kinds = {ordinal for ordinal, one in enumerate(source.defs) if one.kind == NodeKind.CLASS}
        return {place for place in wanted if place[0] == MODULE_DEF or place[0] in kinds}

    def _attribute(self, scope: int, name: str) -> int:
        source = self._source
        place = (scope, name)
        field = source.fields.get(place)
        return self._mixed(
            0 if field is None else self._value(source.defs[field].type),
            *(self._site(site) for site in source.bindings.get(place, ())),
            "stored",
            *map(self._value, source.stores.get(place, ())),
            "grown",
            *map(self._value, source.grown.get(place, ())),
            "extended",
            *map(self._value, source.extended.get(place, ())),
        )

    def _site(self, site: Site) -> int:
        if site.what == DEFINED:
            return self._mixed("site", site.conditional, self._definition(site.target))
        if site.what == FROM_IMPORT:
            return self._mixed("site", site.conditional, self._import(site.target))
        return self._mixed("site", site.conditional, self._value(site.target))

    def _definition(self, ordinal: int) -> int:
        source = self._source
        definition = source.defs[ordinal]
        name = source.strings[definition.qualified_name]
        decorators = map(self._value, definition.decorators)
        return self._mixed(name, definition.occurrence, int(definition.kind), definition.flags, *decorators)

    def _import(self, index: int) -> int:
        source = self._source
        item = source.interface.imports[index]
        text = source.interface.text
        return self._mixed(text(item.module), item.level, text(item.name), text(item.alias), item.flags)

    def _function(self, ordinal: int) -> int:
        source = self._source
        definition = source.defs[ordinal]
        signature = definition.signature
        params = signature.params if signature else []
        return self._mixed(
            self._definition(ordinal),
            definition.heard,
            *(
                part
                for param in params
                for part in (
                    source.strings[param.name],
                    int(param.kind),
                    self._value(param.type),
                    self._value(param.value),
                )
            ),
            "returns",
            self._value(signature.type) if signature else 0,
            source.interface.text(signature.returns) if signature else "",
            *(part for place, how in source.returns.get(ordinal, ()) for part in (how, self._value(place))),
        )

    def _value(self, place: int) -> int:
        if place < 0:
            return 0
        known = self._known.get(place)
        if known is None:
            self._known[place] = IN_A_RING
            known = self._known[place] = self._find(place)
        return known

    def _find(self, place: int) -> int:
        source = self._source
        tape = source.tape
        op = tape[place]
        if op in TEXTS:
            return self._mixed(op, source.strings[tape[place + 1]])
        if op == forms.ATOM:
            return self._mixed(op, tape[place + 1])
        if op == forms.CHAIN:
            return self._mixed(op, source.strings[tape[place + 1]], self._root(tape[place + 2]))
        if op == forms.PARAM:
            return self._mixed(op, tape[place + 2], self._parameter(tape[place + 1], tape[place + 2]))
        if op in (forms.DEFINED, forms.LAMBDA):
            return self._mixed(op, self._definition(tape[place + 1]))
        if op == forms.IMPORT:
            return self._mixed(op, self._import(tape[place + 1]))
        return self._mixed(op, *self._marks(place), *map(self._value, operands(tape, place)))

    def _marks(self, place: int) -> list[object]:
        """What an operation says beside its values."""
        source = self._source
        tape, strings = source.tape, source.strings
        op = tape[place]
        if op == forms.BOUND:
            return [strings[tape[place + 1]], tape[place + 3]]
        if op == forms.ATTR:
            return [strings[tape[place + 2]]]
        if op == forms.OPERATED:
            return [strings[tape[place + 1]]]
        if op == forms.CALL:
            keywords = place + 6 + 3 * tape[place + 4]
            names = tape[keywords : keywords + 4 * tape[place + 5] : 4]
            return [tape[place + 3], tape[place + 4], *(source.interface.text(name) for name in names)]
        if op in (forms.DISPLAY, forms.WRAP):
            return [tape[place + 1]]
        if op in (forms.PART, forms.REST):
            return list(tape[place + 2 : place + 2 + (op == forms.REST) + 1])
        return [self._definition(tape[place + 1])] if op == forms.SUPER else []

    def _root(self, root: int) -> int:
        interface = self._source.interface
        if root >= 0:
            scope = interface.bindings[root].scope
            return self._mixed(interface.text(interface.defs[scope].qualified_name))
        if root <= CELLS:
            return self._mixed(*map(self._value, interface.cells[CELLS - root]))
        return root

    def _parameter(self, function: int, index: int) -> int:
        source = self._source
        definition = source.defs[function]
        params = definition.signature.params if definition.signature else []
        name = source.strings[definition.qualified_name]
        if index >= len(params):
            return self._mixed(name)
        param = params[index]
        kinds = (int(definition.kind), definition.flags, int(param.kind))
        return self._mixed(name, definition.occurrence, source.strings[param.name], *kinds, self._value(param.type))

    def _mixed(self, *parts: object) -> int:
        """The number of what these parts say together; none that stands in a file is as large."""
        numbers = self._numbers
        return numbers.setdefault(parts, FIRST + len(numbers))
