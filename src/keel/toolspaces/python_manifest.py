"""Manifests in Python: the assignments at the top level of a file to the names of a manifest, by its syntax tree.

Plain and annotated assignments of literals count; nothing is imported, nothing is run. Which names there are is left to
`manifest.py`.
"""

from __future__ import annotations

import ast
import warnings
from collections.abc import Container

from keel.toolspaces.plain_values import Problem, plain


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
            warnings.simplefilter("ignore")  # how the tool is written is not for whoever lists it to hear
            return ast.parse(data)
    except SyntaxError as error:
        raise Problem(f"it is no Python: {error.msg}", error.lineno) from error
    except (ValueError, RecursionError, MemoryError) as error:
        raise Problem(f"it is no Python that can be read: {type(error).__name__}: {error}") from error


def _literal(key: str, value: ast.expr) -> object:
    try:
        return plain(ast.literal_eval(value))
    except Problem as problem:
        raise Problem(f"{key} {problem.text}", value.lineno) from problem
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        raise Problem(f"{key} is no literal; a manifest is read, never run", value.lineno) from None
