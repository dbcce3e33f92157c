"""A map in few tokens: modules with their functions and classes, each with its line.

At depth 1 a module is a row of numbers; at depth 2 a function is its name and line (`get:120`), grouped by class; at
depth 3 each symbol has a line of its own with its declaration. The most referenced are kept first: public before
private, source before tests. What fits is left to `_budget.py`.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from keel.formats._budget import Closing, Entry
from keel.model.text.qualified import owner_of
from keel.model.text.wording import counted

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from keel.graph.workspace_map import Module, Symbol, WorkspaceMap

HEAD, HOT, BODY = range(3)
"""Ranks: what the map is, the most referenced symbols, modules and symbols."""
LEGENDS = {
    1: "modules: path lines classes functions users",
    2: "path function:line …, below it Class:line method:line …",
    3: "path, below it: line declaration # use; doc",
}
FUNCTIONS = ("function", "method", "choice", "constructor")
MEMBERS = ("field", "constant")
PUBLIC = "public"
MODULES, SYMBOLS = 1, 2
"""Depths of a map."""


def map_entries(atlas: WorkspaceMap) -> list[Entry]:
    """The map as entries, in the order in which they are written."""
    entries = [Entry(f"\n{atlas.headline}", (HEAD,))]
    if atlas.depth == MODULES and atlas.most_referenced:  # deeper, they come first among the symbols
        entries.append(Entry("\nmost referenced: path:line name references"))
        entries.extend(_hot(atlas, len(entries) - 1))
    entries.append(Entry(f"\n{LEGENDS[atlas.depth]}", (HEAD,)))
    if atlas.depth == MODULES:
        entries.extend(_row(module, index) for index, module in enumerate(atlas.modules))
    else:
        _add_symbols(entries, atlas)
    return entries


def closing_of(atlas: WorkspaceMap) -> Closing:
    """What was left out, here and by the operation: `… 312 more functions in 40 modules; narrow with --scope`."""

    advice = "narrow with --scope" if atlas.total > 1 else "raise --max-tokens"

    def closing(left: Sequence[Entry]) -> str:
        counts = Counter(entry.noun for entry in left if entry.noun)
        counts.update(atlas.left_out)
        modules = len({entry.group for entry in left if entry.group}) + atlas.left_out.get("module", 0)
        del counts["module"]
        hot = sum(1 for entry in left if entry.rank is not None and entry.rank[0] == HOT)
        parts = [f"{hot} more most referenced"] if hot else []
        if modules:
            said = ", ".join(counted(count, f"more {noun}") for noun, count in counts.items())
            where = counted(modules, "module") if said else counted(modules, "more module")
            parts.append(f"{said}{' in ' if said else ''}{where}")
        return f"… {', '.join(parts)}; {advice}" if parts else ""

    return closing


def _hot(atlas: WorkspaceMap, title: int) -> Iterator[Entry]:
    for index, symbol in enumerate(atlas.most_referenced):
        text = f"\n{symbol.path}:{symbol.line} {symbol.qualified_name} {symbol.references}"
        yield Entry(text, (HOT, index), above=title)


def _row(module: Module, index: int) -> Entry:
    users = module.used_by + module.used_by_tests
    text = f"\n{module.path} {module.lines} {module.classes} {module.functions} {users}"
    return Entry(text, (BODY, index), "module", group=module.path)


def _add_symbols(entries: list[Entry], atlas: WorkspaceMap) -> None:
    """Each module as a title, and below it what it defines."""
    defined: dict[tuple[str, str], dict[str, Symbol]] = {}
    for symbol in atlas.symbols:
        _stand_for_its_name(defined.setdefault((symbol.root, symbol.path), {}), symbol)
    add = _add_in_full if atlas.depth > SYMBOLS else _add_briefly
    for index, module in enumerate(atlas.modules):
        symbols = defined.get((module.root, module.path))
        if symbols:
            title = len(entries)
            entries.append(Entry(f"\n{module.path}"))
            add(entries, symbols, title, (BODY, module.is_test), index)
    empty = len(atlas.modules) - len(defined)
    if empty:
        entries.append(Entry(f"\n{counted(empty, 'module')} with nothing of this to show", (HEAD,)))


def _stand_for_its_name(symbols: dict[str, Symbol], symbol: Symbol) -> None:
    """Of overloads, accessors and conditional definitions, one is shown: the most referenced, else the last."""
    name = symbol.qualified_name
    known = symbols.get(name)
    if known is None or _relevance(symbol) <= _relevance(known):
        symbols.pop(name, None)  # it takes the position of this one
        symbols[name] = symbol


def _add_briefly(
    entries: list[Entry], symbols: Mapping[str, Symbol], title: int, rank: tuple[float, ...], index: int
) -> None:
    """Functions behind the title, then each class on a line with its methods."""
    classes: dict[str, int] = {}
    within = {name: owner_of(name) for name in symbols}
    by_class = sorted(symbols.items(), key=lambda item: _class_line(symbols, within, item[0]))
    for name, symbol in by_class:
        is_function = symbol.kind in FUNCTIONS
        above = classes.get(within[name], title) if is_function else title
        shown = name.removeprefix(f"{within[name]}.") if above != title else name
        text = f" {shown}:{symbol.line}" if is_function else f"\n {shown}:{symbol.line}"
        if not is_function:
            classes[name] = len(entries)
        entries.append(Entry(text, (*rank, *_relevance(symbol), index), _noun(symbol), above, symbol.path))


def _class_line(symbols: Mapping[str, Symbol], within: Mapping[str, str], name: str) -> tuple[int, int]:
    """Where a symbol goes: by the line of its class, functions of the module first."""
    symbol = symbols[name]
    if symbol.kind not in FUNCTIONS:
        return symbol.line, 0
    around = symbols.get(within[name])
    return (around.line if around is not None else 0), symbol.line


def _add_in_full(
    entries: list[Entry], symbols: Mapping[str, Symbol], title: int, rank: tuple[float, ...], index: int
) -> None:
    """Each symbol on a line, as it is declared."""
    for symbol in symbols.values():
        said = "; ".join(part for part in (symbol.use, symbol.doc) if part)
        text = f"\n {symbol.line} {symbol.declaration}{f' # {said}' if said else ''}"
        entries.append(Entry(text, (*rank, *_relevance(symbol), index), _noun(symbol), title, symbol.path))


def _relevance(symbol: Symbol) -> tuple[bool, int, int]:
    references = symbol.references + symbol.references_from_tests
    return symbol.visibility != PUBLIC, -symbol.references, -references


def _noun(symbol: Symbol) -> str:
    return "function" if symbol.kind in FUNCTIONS else symbol.kind if symbol.kind in MEMBERS else "class"
