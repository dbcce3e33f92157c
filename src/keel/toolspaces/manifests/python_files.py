"""Manifests in Python: the assignments at the top level of a file to the names of a manifest, by its syntax tree.

Plain and annotated assignments of literals count; nothing is imported or run. Which names there are is left to
`manifest.py`.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Collection, Container

from keel.toolspaces.manifests.plain_values import DEEPEST, Problem, plain

_NEXT = re.compile(rb"^(?:@|async |class |def |for |from |if |import |try:|while |with )", re.MULTILINE)
"""What a statement begins with that assigns nothing of a manifest."""


def glanced(data: bytes, keys: Collection[str]) -> tuple[dict[str, object], dict[str, int]]:
    """Like `assigned`, for listing many files: code behind the last name of a manifest is not parsed, and so not
    checked either."""
    last = max(data.rfind(key.encode()) for key in keys)
    end = _NEXT.search(data, last) if last >= 0 else None
    try:
        return assigned(data[: end.start()] if end is not None else data, keys)
    except Problem:
        return assigned(data, keys)  # the cut may have gone through a text or a bracket


def assigned(data: bytes, keys: Container[str]) -> tuple[dict[str, object], dict[str, int]]:
    """What a Python file assigns to names of a manifest, and the lines on which it does."""
    said: dict[str, object] = {}
    lines: dict[str, int] = {}
    for statement in _module(data).body:
        if isinstance(statement, ast.Assign):
            targets, value = statement.targets, statement.value
        elif isinstance(statement, ast.AnnAssign) and statement.value is not None:
            targets, value = [statement.target], statement.value
        else:
            continue
        for target in targets:
            if not isinstance(target, ast.Name) or target.id not in keys:
                continue
            if target.id in said:
                first = lines[target.id]
                raise Problem(f"{target.id} is said twice, here and on line {first}", statement.lineno)
            said[target.id], lines[target.id] = _literal(target.id, value), statement.lineno
    return said, lines


def _module(data: bytes) -> ast.Module:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # warnings about the tool's code are not for a listing
            return ast.parse(data)
    except SyntaxError as error:
        raise Problem(f"it is no Python: {error.msg}", error.lineno) from error
    except (ValueError, RecursionError, MemoryError) as error:
        raise Problem(f"it is no Python that can be read: {type(error).__name__}: {error}") from error


def _literal(key: str, value: ast.expr) -> object:
    try:
        return _value(value, 0)
    except Problem as problem:
        raise Problem(f"{key} {problem.text}", value.lineno) from problem


def _value(node: ast.expr, depth: int) -> object:
    """The value of a literal; `ast.literal_eval` would also make what no manifest takes."""
    if isinstance(node, ast.Constant):
        return plain(node.value)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant):
        number = node.operand.value
        if isinstance(number, int | float) and not isinstance(number, bool):
            return plain(-number)
    if depth >= DEEPEST:
        raise Problem("holds lists or mappings too deep in each other")
    if isinstance(node, ast.List | ast.Tuple | ast.Set):
        return [_value(item, depth + 1) for item in node.elts]
    if isinstance(node, ast.Dict):
        return {_key(key): _value(item, depth + 1) for key, item in zip(node.keys, node.values, strict=True)}
    raise Problem("is no literal; a manifest is read, never run")


def _key(node: ast.expr | None) -> str:
    if not isinstance(node, ast.Constant):
        raise Problem("is no literal; a manifest is read, never run")
    if not isinstance(node.value, str):
        raise Problem(f"has a key that is no text: {node.value!r}")
    return str(plain(node.value))
