"""A function moved to a module of its own as a person who refactors does it, and the fix that a person would write.

The new module imports what the function needs and nothing else. What it needs of its old file it imports from there,
for types only where only annotations name it. The fix by hand is never shown to keel: it says whether the move can be
fixed at all. Whether it can be imported is left to `room.py`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath

from benchmarks.mutations.changes import Made
from benchmarks.mutations.mutants import Edit
from benchmarks.mutations.sources import FUNCTIONS, Function, Source

IMPORTS = (ast.Import, ast.ImportFrom)


def moved(source: Source, function: Function) -> Made | None:
    """The old file without the function, and the new one with it; None for one that is not moved so."""
    node = function.node
    if function.owner or node.col_offset or _is_bound_twice(source, function.name):
        return None
    if any(isinstance(each, ast.Global) for each in ast.walk(node)):
        return None
    first = min([node.lineno, *(each.lineno for each in node.decorator_list)])
    start, end = source.starts[first - 1], source.starts[node.end_lineno or node.lineno]
    head = "\n".join(_head(source, function))
    made = f"{head}\n\n\n".encode() + source.data[start:end]
    return (Edit(function.path, start, end, b"pass\n"),), ((home_of(function), made),)


def home_of(function: Function) -> str:
    """The path of the new module."""
    return str(PurePosixPath(function.path).with_name(f"{_stem(function)}.py"))


def by_hand(files: Mapping[str, bytes], old: bytes, function: Function) -> Iterator[dict[str, bytes]]:
    """The files as a person would fix them, one way after the other.

    A file that imports the function takes it from its new module. The old file, if it uses it, imports it at its top,
    or else in the functions that use it.
    """
    module = _module_of(function.path)
    texts = {path: data for path, data in files.items() if function.name.encode() in data and path != function.path}
    texts[function.path] = old
    for is_late in (False, True):
        yield {path: _fixed(path, data, module, function, is_late) for path, data in texts.items()}


def _fixed(path: str, data: bytes, module: str, function: Function, is_late: bool) -> bytes:
    tree = ast.parse(data)
    if path == function.path:
        (_import_late if is_late else _import_at_top)(tree, function)
    else:
        _Elsewhere(path, module, function).visit(tree)
    return ast.unparse(ast.fix_missing_locations(tree)).encode()


class _Elsewhere(ast.NodeTransformer):
    """Takes the function from its new module wherever it is imported from the old one."""

    def __init__(self, path: str, module: str, function: Function) -> None:
        self._path, self._module, self._function = path, module, function

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.ImportFrom | list[ast.stmt]:
        name = self._function.name
        if _imported_module(self._path, node) != self._module or name not in [each.name for each in node.names]:
            return node
        there = _module_of(home_of(self._function))
        rest = [each for each in node.names if each.name != name]
        more = ast.ImportFrom(there, [each for each in node.names if each.name == name], 0)
        return [*([ast.ImportFrom(node.module, rest, node.level)] if rest else []), more]


def _import_at_top(tree: ast.Module, function: Function) -> None:
    behind = [at + 1 for at, each in enumerate(tree.body) if isinstance(each, IMPORTS)]
    before = next((at for at, each in enumerate(tree.body) if isinstance(each, (*FUNCTIONS, ast.ClassDef))), None)
    at = max([place for place in behind if before is None or place <= before], default=0)
    tree.body.insert(at, _import_of(function))


def _import_late(tree: ast.Module, function: Function) -> None:
    for node in _outermost(tree):
        if any(isinstance(each, ast.Name) and each.id == function.name for each in ast.walk(node)):
            node.body.insert(0, _import_of(function))


def _outermost(node: ast.AST) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, FUNCTIONS):
            yield child
        else:
            yield from _outermost(child)


def _import_of(function: Function) -> ast.ImportFrom:
    return ast.ImportFrom(_module_of(home_of(function)), [ast.alias(function.name)], 0)


# what the new module says before the function


def _head(source: Source, function: Function) -> Iterator[str]:
    """The imports of the new module."""
    always, for_types = _needed(source, function)
    types: list[ast.stmt] = []
    for node in source.tree.body:
        if isinstance(node, IMPORTS):
            if isinstance(node, ast.ImportFrom) and node.module == "__future__":
                yield ast.unparse(node)
            elif kept := [each for each in node.names if _called(each) in always | for_types]:
                yield ast.unparse(_with_names(node, kept))
        elif _is_for_types(node):
            types += [
                _with_names(each, kept)
                for each in ast.walk(node)
                if isinstance(each, IMPORTS)
                and (kept := [name for name in each.names if _called(name) in always | for_types])
            ]
        elif isinstance(node, ast.If | ast.Try) and _imports_in(node) & (always | for_types):
            yield ast.unparse(node)
    own = _own_names(source) - {function.name}
    if always & own:
        yield ast.unparse(_from_old(function, always & own))
    if for_types & own:
        types.append(_from_old(function, for_types & own))
    if types:
        yield "from typing import TYPE_CHECKING"
        yield ast.unparse(ast.If(ast.Name("TYPE_CHECKING"), types, []))


def _needed(source: Source, function: Function) -> tuple[set[str], set[str]]:
    """The names that a function says: those it needs to run, and those that only its annotations say."""
    noted = list(_annotations(function.node))
    inside = {each for note in noted for each in ast.walk(note)}
    always = {each.id for each in ast.walk(function.node) if isinstance(each, ast.Name) and each not in inside}
    for_types = {each.id for each in inside if isinstance(each, ast.Name)}
    quoted = {
        each.id
        for note in inside
        if isinstance(note, ast.Constant) and isinstance(note.value, str)
        for each in _names_in(note.value)
    }
    is_late = any(isinstance(each, ast.ImportFrom) and each.module == "__future__" for each in source.tree.body)
    always |= set() if is_late else for_types
    return always, (for_types | quoted) - always


def _annotations(node: ast.AST) -> Iterator[ast.expr]:
    for each in ast.walk(node):
        if isinstance(each, ast.arg | ast.AnnAssign) and each.annotation is not None:
            yield each.annotation
        elif isinstance(each, FUNCTIONS) and each.returns is not None:
            yield each.returns


def _names_in(text: str) -> list[ast.Name]:
    try:
        return [each for each in ast.walk(ast.parse(text, mode="eval")) if isinstance(each, ast.Name)]
    except SyntaxError:
        return []


def _own_names(source: Source) -> set[str]:
    """What the top level of a file defines, rather than imports."""
    found: set[str] = set()
    waiting: list[ast.AST] = list(source.tree.body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, (*FUNCTIONS, ast.ClassDef)):
            found.add(node.name)
            continue
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
        waiting += ast.iter_child_nodes(node)
    return found - {name for node in source.tree.body for name in _imports_in(node)}


def _imports_in(node: ast.AST) -> set[str]:
    return {_called(name) for each in ast.walk(node) if isinstance(each, IMPORTS) for name in each.names}


def _is_for_types(node: ast.stmt) -> bool:
    return isinstance(node, ast.If) and ast.unparse(node.test).rpartition(".")[2] == "TYPE_CHECKING"


def _with_names(node: ast.Import | ast.ImportFrom, names: list[ast.alias]) -> ast.stmt:
    return ast.Import(names) if isinstance(node, ast.Import) else ast.ImportFrom(node.module, names, node.level)


def _from_old(function: Function, names: set[str]) -> ast.ImportFrom:
    stem = PurePosixPath(function.path).stem
    module = None if stem == "__init__" else stem
    return ast.ImportFrom(module, [ast.alias(name) for name in sorted(names)], 1)


def _called(alias: ast.alias) -> str:
    return alias.asname or alias.name.partition(".")[0]


def _is_bound_twice(source: Source, name: str) -> bool:
    bound = [each for each in source.tree.body for one in ast.walk(each) if getattr(one, "name", "") == name]
    return len(bound) != 1


def _imported_module(path: str, node: ast.ImportFrom) -> str:
    """The module that an import names, from wherever it is."""
    if not node.level:
        return node.module or ""
    parts = path.split("/")[: -node.level]
    return ".".join([*parts, *([node.module] if node.module else [])])


def _module_of(path: str) -> str:
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def _stem(function: Function) -> str:
    return f"new_home_of_{function.name}"
