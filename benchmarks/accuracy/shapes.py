"""What a callee hangs on, in a word or two: the first thing to know about a name that was not found.

It is read off the syntax of one file and decides nothing; it only sorts the lists of misses.
"""

from __future__ import annotations

import ast
from collections import deque
from collections.abc import Iterator, Sequence
from functools import lru_cache

Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
MANY = 100_000


def shape_of(callee: ast.Name | ast.Attribute, around: Sequence[ast.AST]) -> str:
    """The shape of a callee inside the definitions around it (the module first)."""
    if isinstance(callee, ast.Name):
        return f"name: {_bound_as(callee.id, around)}"
    return f"attribute of {_receiver(callee.value, around)}"


def _receiver(node: ast.expr, around: Sequence[ast.AST]) -> str:
    match node:
        case ast.Name(id="self" | "cls" as name):
            return name
        case ast.Name(id=name):
            return _bound_as(name, around)
        case ast.Attribute(value=ast.Name(id="self" | "cls" as name)):
            return f"{name}.x"
        case ast.Attribute(value=inner):
            return f"attribute of {_receiver(inner, around)}" if isinstance(inner, ast.Name) else "longer chain"
        case ast.Call(func=ast.Name(id="super")):
            return "super()"
        case ast.Call():
            return "call result"
        case ast.Subscript():
            return "subscript"
        case ast.Constant() | ast.JoinedStr():
            return "literal"
        case ast.Await():
            return "await"
    return type(node).__name__.lower()


def _bound_as(name: str, around: Sequence[ast.AST]) -> str:
    """How the innermost scope that binds a name does so."""
    for depth, scope in enumerate(reversed(around)):
        if isinstance(scope, ast.ClassDef) and depth:
            continue  # a class body is not seen from the functions inside it
        how = _bindings(scope).get(name)
        if how:
            return how
    return "builtin or star"


@lru_cache(maxsize=MANY)
def _bindings(scope: ast.AST) -> dict[str, str]:
    """The names that a scope binds itself, and how; the first way wins, but a variable gives way."""
    found: dict[str, str] = {}
    if isinstance(scope, Function):
        arguments = scope.args
        every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg]
        for argument in every:
            if argument is not None:
                found[argument.arg] = "parameter" if argument.annotation is None else "annotated parameter"
    variable = "global variable" if isinstance(scope, ast.Module) else "local variable"
    for node in _own(scope):
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                found.setdefault(name, "function")
            case ast.ClassDef(name=name):
                found.setdefault(name, "class")
            case ast.alias(name=name, asname=asname):
                found.setdefault(asname or name.partition(".")[0], "import")
            case ast.Name(id=name, ctx=ast.Store()) | ast.ExceptHandler(name=str(name)):
                found.setdefault(name, variable)
    return found


def _own(scope: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a scope, without the insides of the scopes in it."""
    waiting = deque(ast.iter_child_nodes(scope))
    while waiting:
        node = waiting.popleft()
        yield node
        if not isinstance(node, ast.ClassDef | Function):
            waiting.extend(ast.iter_child_nodes(node))
