"""Keys: the facts that linking a file looks up in other files, as numbers, and which of them an edit changes.

A key names a question (does this module exist, what is this name in that file, …), absences included; the files that
asked it are linked again when its answer differs. A clash of two keys costs a needless relink, never a wrong answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from keel.languages.python.facts import Interface
from keel.languages.python.resolve.digests import Digests
from keel.languages.python.resolve.sources import Source
from keel.languages.python.resolve.tables import ClassTable, Table, build_table, meaning
from keel.model.hashing import digest64
from keel.ports.language import Answers, Change


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
    """What does a star import of that file bring?"""
    return key("S", root, path)


def class_bases(root: str, path: str, name: str) -> int:
    """Which are the bases of this class, and which methods has it that Python itself looks up?"""
    return key("B", root, path, name)


def class_attribute(root: str, path: str, name: str, attribute: str) -> int:
    """What is this attribute of the class itself, in its body or on its instances?"""
    return key("A", root, path, name, attribute)


def name_value(root: str, path: str, name: str) -> int:
    """What is a module-level name given?"""
    return key("V", root, path, name)


def attribute_value(root: str, path: str, label: str, attribute: str) -> int:
    """What is an attribute of a class given, in its body and by its methods?"""
    return key("W", root, path, label, attribute)


def function_value(root: str, path: str, label: str) -> int:
    """What does a function hand back?"""
    return key("F", root, path, label)


def parameter(root: str, path: str, label: str, name: str) -> int:
    """What do callers give this parameter?"""
    return key("P", root, path, label, name)


def field(root: str, path: str, label: str, name: str) -> int:
    """What is this attribute of a class given from outside it?"""
    return key("H", root, path, label, name)


def definition(root: str, path: str, qualified_name: str, occurrence: int) -> int:
    """Is there such a definition?"""
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
    """What a file answers, by key; what is known of the same interface is not found out again."""
    if interface is None:
        return {}
    place = root, path, id(interface)  # files with the same text share an interface, and answer other questions
    held = known.held.get(place)
    if held is None:
        values = _values(root, path, interface, known.numbers)
        held = known.held[place] = interface, {**_names(root, path, build_table(interface)), **values}
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
    """What the values of a file say, and which definitions there are."""
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
    """Everything that depends on a file being there: modules and namespace packages by any suffix of their path."""
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
