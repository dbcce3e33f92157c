"""Keys: the questions that linking a file asks about other files, as numbers, and which of them an edit changes.

A key names a question (does this module exist, what is this name in that file, …), absences included; the files that
asked it are linked again when its answer differs. A clash of two keys costs a needless relink, never a wrong answer.
Answers are compared by digests: the content of expressions, as numbers that moves and renumbering leave alone. Those
are assigned as contents come up, so that they mean something only among files that share them. What expressions
evaluate to is left to `evaluator`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from keel.languages.python import forms
from keel.languages.python.facts import CELLS, Interface
from keel.languages.python.forms import operands
from keel.languages.python.resolve.lookup.sources import Source
from keel.languages.python.resolve.lookup.tables import ClassTable, Table, build_table, meaning
from keel.model.facts import DEFINED, FROM_IMPORT, MODULE_DEF, Site
from keel.model.hashing import digest64
from keel.model.kinds import NodeKind
from keel.ports.language import Answers, Change

FUNCTIONS = (NodeKind.FUNCTION, NodeKind.METHOD)
TEXTS = frozenset((forms.STRING, forms.FORMAT, forms.NUMBER))
IN_A_CYCLE = 1
FIRST = 1 << 48
"""Where the numbers of contents begin."""
FIELDS = "*"
"""Represents the fields of a class in order, among its attributes."""


class Digests:
    """The digests of one file."""

    def __init__(self, source: Source, numbers: dict[tuple[object, ...], int]) -> None:
        self._source = source
        self._numbers = numbers
        self._known: dict[int, int] = {}

    def names(self) -> dict[str, int]:
        """What each module-level name is assigned."""
        return {name: self._attribute(scope, name) for scope, name in self._assigned_names() if scope == MODULE_DEF}

    def attributes(self) -> dict[tuple[int, str], int]:
        """What each attribute is assigned, by class and name."""
        found = {
            (scope, name): self._attribute(scope, name) for scope, name in self._assigned_names() if scope != MODULE_DEF
        }
        for ordinal, definition in enumerate(self._source.defs):
            if definition.kind == NodeKind.CLASS:
                found[ordinal, FIELDS] = self._mixed(*self._source.field_names(ordinal))
        return found

    def functions(self) -> dict[int, int]:
        """What each function is: its parameters, its decorators, and what it returns."""
        return {
            ordinal: self._function(ordinal)
            for ordinal, definition in enumerate(self._source.defs)
            if definition.kind in FUNCTIONS
        }

    def _assigned_names(self) -> set[tuple[int, str]]:
        source = self._source
        wanted = {*source.bindings, *source.stores, *source.grown, *source.extended, *source.fields}
        kinds = {ordinal for ordinal, one in enumerate(source.defs) if one.kind == NodeKind.CLASS}
        return {key for key in wanted if key[0] == MODULE_DEF or key[0] in kinds}

    def _attribute(self, scope: int, name: str) -> int:
        source = self._source
        key = (scope, name)
        field = source.fields.get(key)
        return self._mixed(
            0 if field is None else self._value(source.defs[field].type),
            *(self._site(site) for site in source.bindings.get(key, ())),
            "stored",
            *map(self._value, source.stores.get(key, ())),
            "grown",
            *map(self._value, source.grown.get(key, ())),
            "extended",
            *map(self._value, source.extended.get(key, ())),
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
            definition.used_parameters,
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
            *(part for expr, how in source.returns.get(ordinal, ()) for part in (how, self._value(expr))),
        )

    def _value(self, expr: int) -> int:
        if expr < 0:
            return 0
        known = self._known.get(expr)
        if known is None:
            self._known[expr] = IN_A_CYCLE
            known = self._known[expr] = self._find(expr)
        return known

    def _find(self, expr: int) -> int:
        source = self._source
        ir = source.ir
        op = ir[expr]
        if op in TEXTS:
            return self._mixed(op, source.strings[ir[expr + 1]])
        if op == forms.ATOM:
            return self._mixed(op, ir[expr + 1])
        if op == forms.CHAIN:
            return self._mixed(op, source.strings[ir[expr + 1]], self._root(ir[expr + 2]))
        if op == forms.PARAM:
            return self._mixed(op, ir[expr + 2], self._parameter(ir[expr + 1], ir[expr + 2]))
        if op in (forms.DEFINED, forms.LAMBDA):
            return self._mixed(op, self._definition(ir[expr + 1]))
        if op == forms.IMPORT:
            return self._mixed(op, self._import(ir[expr + 1]))
        return self._mixed(op, *self._marks(expr), *map(self._value, operands(ir, expr)))

    def _marks(self, expr: int) -> list[object]:
        """The content of an operation beside its operands."""
        source = self._source
        ir, strings = source.ir, source.strings
        op = ir[expr]
        if op == forms.BOUND:
            return [strings[ir[expr + 1]], ir[expr + 3]]
        if op == forms.ATTR:
            return [strings[ir[expr + 2]]]
        if op == forms.OPERATED:
            return [strings[ir[expr + 1]]]
        if op == forms.CALL:
            keywords = expr + 6 + 3 * ir[expr + 4]
            names = ir[keywords : keywords + 4 * ir[expr + 5] : 4]
            return [ir[expr + 3], ir[expr + 4], *(source.interface.text(name) for name in names)]
        if op in (forms.DISPLAY, forms.WRAP):
            return [ir[expr + 1]]
        if op in (forms.PART, forms.REST):
            return list(ir[expr + 2 : expr + 2 + (op == forms.REST) + 1])
        return [self._definition(ir[expr + 1])] if op == forms.SUPER else []

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
        """The number of these parts together; no number in a file is as large."""
        numbers = self._numbers
        return numbers.setdefault(parts, FIRST + len(numbers))


def key(question: str, *parts: str) -> int:
    """The number of a question: 48 bits, which a store keeps in six bytes."""
    return digest64("\0".join((question, *parts)).encode("utf-8", "surrogatepass")) >> 16


def absolute_module(dotted: str) -> int:
    """Which file is this dotted name, from wherever it is asked?"""
    return key("M", dotted)


def relative_module(root: str, path: str) -> int:
    """Is there a module or package at this path (without suffix)?"""
    return key("R", root, path)


def package_mark(root: str, folder: str) -> int:
    """Has this folder an `__init__` file?"""
    return key("I", root, folder)


def global_name(root: str, path: str, name: str) -> int:
    """What is this name at the end of that file?"""
    return key("G", root, path, name)


def star_names(root: str, path: str) -> int:
    """What does a star import of that file bind?"""
    return key("S", root, path)


def class_bases(root: str, path: str, name: str) -> int:
    """Which are the bases of this class, and which methods has it that Python itself looks up?"""
    return key("B", root, path, name)


def class_attribute(root: str, path: str, name: str, attribute: str) -> int:
    """What is this attribute of the class itself, in its body or on its instances?"""
    return key("A", root, path, name, attribute)


def name_value(root: str, path: str, name: str) -> int:
    """What is a module-level name assigned?"""
    return key("V", root, path, name)


def attribute_value(root: str, path: str, label: str, attribute: str) -> int:
    """What is an attribute of a class assigned, in its body and by its methods?"""
    return key("W", root, path, label, attribute)


def function_value(root: str, path: str, label: str) -> int:
    """What does a function return?"""
    return key("F", root, path, label)


def parameter(root: str, path: str, label: str, name: str) -> int:
    """What do callers pass to this parameter?"""
    return key("P", root, path, label, name)


def field(root: str, path: str, label: str, name: str) -> int:
    """What is this attribute of a class set to from outside it?"""
    return key("H", root, path, label, name)


def definition(root: str, path: str, qualified_name: str, occurrence: int) -> int:
    """Does such a definition exist?"""
    return key("D", root, path, f"{qualified_name}#{occurrence}")


def changed_keys(changes: Iterable[Change], known: Answers | None = None) -> set[int]:
    """The keys whose answers differ between before and after."""
    keys: set[int] = set()
    known = Answers() if known is None else known
    for change in changes:
        known.make_room()
        if change.before is None or change.after is None:
            keys.update(_existence(change.root, change.path))
        was, now = (_answers(change.root, change.path, one, known) for one in (change.before, change.after))
        keys.update(one for one in was.keys() | now.keys() if was.get(one) != now.get(one))
    return keys


def _answers(root: str, path: str, interface: Interface | None, known: Answers) -> Mapping[int, object]:
    """The answers of a file, by key; what is known of the same interface is not computed again."""
    if interface is None:
        return {}
    key = root, path, id(interface)  # files with the same text share an interface, and answer other questions
    held = known.held.get(key)
    if held is None:
        values = _values(root, path, interface, known.numbers)
        held = known.held[key] = interface, {**_names(root, path, build_table(interface)), **values}
    return held[1]


def _names(root: str, path: str, table: Table) -> dict[int, object]:
    """What names, star imports and classes of a file mean."""
    found: dict[int, object] = {global_name(root, path, name): meaning(sites) for name, sites in table.names.items()}
    found[star_names(root, path)] = (table.exports, table.stars)
    for entry in table.classes.values():
        label = class_label(entry.name, entry.occurrence)
        found[class_bases(root, path, label)] = _bases(entry)
        for name in {*entry.attributes, *entry.fields, *entry.assigned}:
            found[class_attribute(root, path, label, name)] = (
                meaning(entry.attributes.get(name, ())),
                meaning(entry.fields.get(name, ())),
                name in entry.assigned,
            )
    return found


def _values(root: str, path: str, interface: Interface, numbers: dict[tuple[object, ...], int]) -> dict[int, object]:
    """The content of a file's expressions, and which definitions exist."""
    source = Source(interface)
    digests = Digests(source, numbers)
    found: dict[int, object] = {name_value(root, path, name): value for name, value in digests.names().items()}
    for (ordinal, name), value in digests.attributes().items():
        found[attribute_value(root, path, source.label(ordinal), name)] = value
    for ordinal, value in digests.functions().items():
        found[function_value(root, path, source.label(ordinal))] = value
    for one in interface.defs:
        found[definition(root, path, interface.text(one.qualified_name), one.occurrence)] = True
    return found


def _existence(root: str, path: str) -> Iterator[int]:
    """Everything that depends on a file's existence: modules and namespace packages by any suffix of their path."""
    parts = module_parts(path)
    for end in range(1, len(parts) + 1):
        yield relative_module(root, "/".join(parts[:end]))
        for start in range(end):
            yield absolute_module(".".join(parts[start:end]))
    folder, _, name = path.rpartition("/")
    if name.startswith("__init__."):
        yield package_mark(root, folder)
    yield relative_module(root, "")


def module_parts(path: str) -> list[str]:
    """The parts of a module's path: without suffix, a package by its folder."""
    parts = path.rpartition(".")[0].split("/")
    return parts[:-1] if parts[-1] == "__init__" else parts


def is_special(name: str) -> bool:
    """Whether Python itself looks a name up: `__iter__`."""
    return name.startswith("__") and name.endswith("__")


def class_label(name: str, occurrence: int) -> str:
    """A class within its file."""
    return f"{name}#{occurrence}"


def _bases(entry: ClassTable) -> object:
    specials = {name: meaning(sites) for name, sites in entry.attributes.items() if is_special(name)}
    return [(base.text, meaning(base.root)) for base in entry.bases], entry.has_metaclass, specials
