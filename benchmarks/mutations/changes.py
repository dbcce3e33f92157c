"""How each kind of change is written into source: edits of bytes, or None where a function cannot be changed so.

The rest of the function is left working where that is easy; it is not looked into.
"""

from __future__ import annotations

import ast
import copy
import io
import tokenize
from collections.abc import Callable, Collection
from pathlib import PurePosixPath
from random import Random

from benchmarks.mutations.mutants import Edit, Kind
from benchmarks.mutations.sources import Function, Source

NEW = "added_here"
Made = tuple[tuple[Edit, ...], tuple[tuple[str, bytes], ...]]
Change = Callable[[Source, Function, Random, Collection[str]], Made | None]
"""Source, function, chance, and the names of parameters that calls pass by name."""


def _rename_named(source: Source, function: Function, chance: Random, named: Collection[str]) -> Made | None:
    return _renamed(source, function, [arg for arg in nameable(function) if arg.arg in named], chance)


def _rename_unnamed(source: Source, function: Function, chance: Random, named: Collection[str]) -> Made | None:
    free = [arg for arg in nameable(function) if arg.arg not in named and arg not in function.node.args.kwonlyargs]
    return _renamed(source, function, free, chance) if "**" not in named else None


def _renamed(source: Source, function: Function, args: list[ast.arg], chance: Random) -> Made | None:
    if not args:
        return None
    old = chance.choice(args).arg
    changed = copy.deepcopy(function.node.args)
    for arg in _every(changed):
        if arg.arg == old:
            arg.arg = f"{old}_renamed"
    return _with(source, function, changed, f"{old} = {old}_renamed")


def _add_required(source: Source, function: Function, chance: Random, named: Collection[str]) -> Made | None:
    changed = copy.deepcopy(function.node.args)
    if changed.defaults or changed.vararg:
        changed.kwonlyargs.append(ast.arg(NEW))
        changed.kw_defaults.append(None)
    else:
        changed.args.append(ast.arg(NEW))
    return _with(source, function, changed)


def _add_optional(source: Source, function: Function, chance: Random, named: Collection[str]) -> Made | None:
    changed = copy.deepcopy(function.node.args)
    if changed.vararg or chance.random() < 0.5:
        changed.kwonlyargs.append(ast.arg(NEW))
        changed.kw_defaults.append(ast.Constant(None))
    else:
        changed.args.append(ast.arg(NEW))
        changed.defaults.append(ast.Constant(None))
    return _with(source, function, changed)


def _remove_parameter(source: Source, function: Function, chance: Random, named: Collection[str]) -> Made | None:
    args = nameable(function)
    if not args:
        return None
    gone = chance.choice(args).arg
    changed = copy.deepcopy(function.node.args)
    places = [arg.arg for arg in (*changed.posonlyargs, *changed.args)]
    if gone in places:
        from_end = len(places) - places.index(gone)
        if from_end <= len(changed.defaults):
            del changed.defaults[len(changed.defaults) - from_end]
        changed.args = [arg for arg in changed.args if arg.arg != gone]
    else:
        at = [arg.arg for arg in changed.kwonlyargs].index(gone)
        del changed.kwonlyargs[at], changed.kw_defaults[at]
    return _with(source, function, changed, f"{gone} = None")


def _reorder(source: Source, function: Function, chance: Random, named: Collection[str]) -> Made | None:
    args = function.node.args
    first = len(args.args) - len(args.defaults)
    begin = 1 if has_receiver(function) else 0
    pairs = [at for at in range(begin, len(args.args) - 1) if (at < first) == (at + 1 < first)]
    if not pairs:
        return None
    at = chance.choice(pairs)
    changed = copy.deepcopy(args)
    changed.args[at], changed.args[at + 1] = changed.args[at + 1], changed.args[at]
    if at >= first:
        one = at - first
        changed.defaults[one], changed.defaults[one + 1] = changed.defaults[one + 1], changed.defaults[one]
    return _with(source, function, changed)


def _remove(source: Source, function: Function, chance: Random, named: Collection[str]) -> Made | None:
    start, end = _whole(source, function)
    indent = b" " * function.node.col_offset
    return (Edit(function.path, start, end, indent + b"pass\n"),), ()


def _rename(source: Source, function: Function, chance: Random, named: Collection[str]) -> Made | None:
    start, end = _name_span(source, function)
    return (Edit(function.path, start, end, f"{function.name}_renamed".encode()),), ()


def _move(source: Source, function: Function, chance: Random, named: Collection[str]) -> Made | None:
    return _moved(source, function, "pass")


def _move_kept(source: Source, function: Function, chance: Random, named: Collection[str]) -> Made | None:
    return _moved(source, function, f"from .{_new_module(function)} import {function.name} as {function.name}")


def _moved(source: Source, function: Function, left: str) -> Made | None:
    if function.owner or function.node.col_offset:
        return None
    start, end = _whole(source, function)
    imports = [node for node in source.tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
    head = "".join(f"{ast.unparse(node)}\n" for node in imports).encode()
    path = PurePosixPath(function.path).with_name(f"{_new_module(function)}.py")
    made = head + b"\n\n" + source.data[start:end]
    return (Edit(function.path, start, end, f"{left}\n".encode()),), ((str(path), made),)


def _new_module(function: Function) -> str:
    return f"new_home_of_{function.name}"


def _async(source: Source, function: Function, chance: Random, named: Collection[str]) -> Made | None:
    if isinstance(function.node, ast.AsyncFunctionDef) or function.decorators or is_generator(function):
        return None
    at = source.offset(function.node.lineno, function.node.col_offset)
    return (Edit(function.path, at, at, b"async "),), ()


def _property(source: Source, function: Function, chance: Random, named: Collection[str]) -> Made | None:
    args = function.node.args
    alone = len(args.args) == 1 and not (args.kwonlyargs or args.vararg or args.kwarg or args.posonlyargs)
    if not function.owner or function.decorators or not alone:
        return None
    return _decorated(source, function, "property")


def _static(source: Source, function: Function, chance: Random, named: Collection[str]) -> Made | None:
    if not function.owner or function.decorators:
        return None
    return _decorated(source, function, "staticmethod")


def _no_property(source: Source, function: Function, chance: Random, named: Collection[str]) -> Made | None:
    same = [each for each in source.functions() if each.qualified == function.qualified]
    return _bare(source, function) if function.decorators == ("property",) and len(same) == 1 else None


def _no_static(source: Source, function: Function, chance: Random, named: Collection[str]) -> Made | None:
    return _bare(source, function) if function.decorators in (("staticmethod",), ("classmethod",)) else None


def _decorated(source: Source, function: Function, name: str) -> Made:
    at = source.starts[function.node.lineno - 1]
    return (Edit(function.path, at, at, b" " * function.node.col_offset + f"@{name}\n".encode()),), ()


def _bare(source: Source, function: Function) -> Made:
    start = source.starts[function.node.decorator_list[0].lineno - 1]
    return (Edit(function.path, start, source.starts[function.node.lineno - 1], b""),), ()


def _return_type(source: Source, function: Function, chance: Random, named: Collection[str]) -> Made | None:
    returns = function.node.returns
    if returns is None or ast.unparse(returns) == "None" or is_generator(function):
        return None
    return (Edit(function.path, *_span(source, returns), b"complex"),), ()


def _parameter_type(source: Source, function: Function, chance: Random, named: Collection[str]) -> Made | None:
    known = [arg.annotation for arg in nameable(function) if arg.annotation is not None]
    if not known:
        return None
    return (Edit(function.path, *_span(source, chance.choice(known)), b"complex"),), ()


def _body(source: Source, function: Function, chance: Random, named: Collection[str]) -> Made | None:
    return _with(source, function, None, "changed_here = 0")


def _docstring(source: Source, function: Function, chance: Random, named: Collection[str]) -> Made | None:
    first = function.node.body[0]
    if ast.get_docstring(function.node) is not None and isinstance(first, ast.Expr):
        return (Edit(function.path, *_span(source, first), b'"""Other words."""'),), ()
    return _with(source, function, None, '"""Words."""')


def _default(source: Source, function: Function, chance: Random, named: Collection[str]) -> Made | None:
    defaults = [*function.node.args.defaults, *(each for each in function.node.args.kw_defaults if each is not None)]
    literals = [
        each for each in defaults if isinstance(each, ast.Constant) and isinstance(each.value, bool | int | str)
    ]
    if not literals:
        return None
    chosen = chance.choice(literals)
    value = chosen.value
    other = not value if isinstance(value, bool) else value + 1 if isinstance(value, int) else f"{value!s}x"
    return (Edit(function.path, *_span(source, chosen), repr(other).encode()),), ()


def _annotation(source: Source, function: Function, chance: Random, named: Collection[str]) -> Made | None:
    bare = [arg for arg in nameable(function) if arg.annotation is None]
    if not bare:
        return None
    _, end = _span(source, chance.choice(bare))
    return (Edit(function.path, end, end, b": object"),), ()


def _add_untyped(source: Source, function: Function, chance: Random, named: Collection[str]) -> Made | None:
    text = f'\n\ndef {NEW}_by_chance(first, second):\n    """Words."""\n    return first\n'
    return (Edit(source.path, len(source.data), len(source.data), text.encode()),), ()


def _add_undocumented(source: Source, function: Function, chance: Random, named: Collection[str]) -> Made | None:
    text = f"\n\ndef {NEW}_by_chance(first: int, second: int) -> int:\n    return first\n"
    return (Edit(source.path, len(source.data), len(source.data), text.encode()),), ()


CHANGES: dict[Kind, Change] = {
    Kind.RENAME_PARAMETER: _rename_named,
    Kind.ADD_REQUIRED: _add_required,
    Kind.REMOVE_PARAMETER: _remove_parameter,
    Kind.REORDER: _reorder,
    Kind.REMOVE: _remove,
    Kind.RENAME: _rename,
    Kind.MOVE: _move,
    Kind.ASYNC: _async,
    Kind.PROPERTY: _property,
    Kind.NO_PROPERTY: _no_property,
    Kind.STATIC: _static,
    Kind.NO_STATIC: _no_static,
    Kind.RETURN_TYPE: _return_type,
    Kind.PARAMETER_TYPE: _parameter_type,
    Kind.BODY: _body,
    Kind.DOCSTRING: _docstring,
    Kind.DEFAULT: _default,
    Kind.ANNOTATION: _annotation,
    Kind.ADD_OPTIONAL: _add_optional,
    Kind.RENAME_UNNAMED: _rename_unnamed,
    Kind.MOVE_KEPT: _move_kept,
    Kind.ADD_UNTYPED: _add_untyped,
    Kind.ADD_UNDOCUMENTED: _add_undocumented,
}


def has_receiver(function: Function) -> bool:
    """Whether the first parameter is filled by whom the method is called on."""
    return bool(function.owner) and "staticmethod" not in function.decorators


def nameable(function: Function) -> list[ast.arg]:
    """The parameters that a call can pass by name."""
    args = function.node.args
    return [*args.args[1 if has_receiver(function) and not args.posonlyargs else 0 :], *args.kwonlyargs]


def is_generator(function: Function) -> bool:
    """Whether calling it gives an iterator."""
    stack: list[ast.AST] = list(function.node.body)
    while stack:
        node = stack.pop()
        if isinstance(node, ast.Yield | ast.YieldFrom):
            return True
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef):
            stack.extend(ast.iter_child_nodes(node))
    return False


def _every(args: ast.arguments) -> list[ast.arg]:
    return [*args.posonlyargs, *args.args, *args.kwonlyargs]


def with_parameters(source: Source, function: Function, args: ast.arguments) -> Made:
    """The function with another parameter list."""
    start, end = _parentheses(source, function)
    return (Edit(function.path, start, end, ast.unparse(args).encode()),), ()


def _with(source: Source, function: Function, args: ast.arguments | None, first: str = "") -> Made | None:
    """The function with another parameter list, and another first statement."""
    edits: list[Edit] = []
    if args is not None:
        edits += with_parameters(source, function, args)[0]
    if first:
        body = function.node.body
        has_doc = ast.get_docstring(function.node) is not None and len(body) > 1
        before = body[1] if has_doc else body[0]
        begin = source.starts[_first_line(before) - 1]
        if source.data[begin : source.offset(before.lineno, 0) + before.col_offset].strip(b" \t@") and not (
            _first_line(before) < before.lineno
        ):
            return None  # the body is on the line of the `def`
        edits.append(Edit(function.path, begin, begin, b" " * before.col_offset + first.encode() + b"\n"))
    return tuple(edits), ()


def _first_line(node: ast.stmt) -> int:
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min([node.lineno, *(each.lineno for each in decorators)])


def _span(source: Source, node: ast.expr | ast.stmt | ast.arg) -> tuple[int, int]:
    end = source.offset(node.end_lineno or node.lineno, node.end_col_offset or node.col_offset)
    return source.offset(node.lineno, node.col_offset), end


def _whole(source: Source, function: Function) -> tuple[int, int]:
    """The lines of a function, decorators included."""
    node = function.node
    return source.starts[_first_line(node) - 1], source.starts[node.end_lineno or node.lineno]


def _name_span(source: Source, function: Function) -> tuple[int, int]:
    at = source.data.index(function.name.encode(), source.offset(function.node.lineno, function.node.col_offset) + 4)
    return at, at + len(function.name.encode())


def _parentheses(source: Source, function: Function) -> tuple[int, int]:
    """What is between the parentheses of the parameter list."""
    _, begin = _name_span(source, function)
    text = source.data[begin : source.starts[function.node.end_lineno or function.node.lineno]]
    lines = text.splitlines(keepends=True)
    depth = opened = 0
    for token in tokenize.tokenize(io.BytesIO(text).readline):
        if token.type != tokenize.OP:
            continue
        row, column = token.start
        before = lines[row - 1].decode()[:column]
        at = begin + sum(map(len, lines[: row - 1])) + len(before.encode())
        if token.string in "([{":
            depth += 1
            opened = opened or at + 1
        elif token.string in ")]}":
            depth -= 1
            if not depth:
                return opened, at
    raise ValueError(f"{function.qualified} has no parameter list")
