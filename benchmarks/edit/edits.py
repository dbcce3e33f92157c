"""Edits as people and agents make them: a file's text in, the text after one change to one function out.

Which functions are edited is left to `trees`. An edit that a function gives no room for is None.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from typing import NamedTuple

Function = ast.FunctionDef | ast.AsyncFunctionDef
ADDED = "bench_added"


class Target(NamedTuple):
    """A function of a file: its text by lines, and the class that it is a method of."""

    lines: list[str]
    function: Function
    owner: str
    """Empty for a function of the module."""
    tree: ast.Module

    @property
    def name(self) -> str:
        """Its name within the file."""
        return f"{self.owner}.{self.function.name}" if self.owner else self.function.name

    @property
    def indent(self) -> str:
        """What its body begins with."""
        return " " * self.function.body[0].col_offset

    @property
    def first(self) -> int:
        """The line before its first statement that is no docstring."""
        body = self.function.body
        has_doc = ast.get_docstring(self.function, clean=False) is not None
        if has_doc:
            return body[0].end_lineno or body[0].lineno
        return body[0].lineno - 1


Edit = Callable[[Target], str | None]


def body_edit(target: Target) -> str | None:
    """A statement more."""
    return _inserted(target, target.first, f"{target.indent}{ADDED} = 1\n")


def docstring_edit(target: Target) -> str | None:
    """Another docstring, or a first one."""
    body = target.function.body
    if ast.get_docstring(target.function) is None:
        return _inserted(target, body[0].lineno - 1, f'{target.indent}"""What it does, said by an edit."""\n')
    line = target.lines[body[0].lineno - 1]
    quotes = re.search(r'"""|\'\'\'', line)
    if quotes is None:
        return None
    return _replaced(target, body[0].lineno, line[: quotes.end()] + "Edited. " + line[quotes.end() :])


def new_function(target: Target) -> str | None:
    """A function more at the end of the file, which calls the old one."""
    call = f"{target.function.name}()" if not target.owner else target.owner
    return "".join(target.lines) + f'\n\ndef {ADDED}(value: int) -> object:\n    """Added."""\n    return {call}\n'


def parameter_with_default(target: Target) -> str | None:
    """A parameter more that callers need not know."""
    return _with_parameter(target, f"{ADDED}=None", at_end=True)


def parameter_without_default(target: Target) -> str | None:
    """A parameter more that every caller has to give."""
    return _with_parameter(target, ADDED, at_end=False)


def renamed_parameter(target: Target) -> str | None:
    """A parameter by another name, in the body too."""
    arguments = [one.arg for one in target.function.args.args if one.arg not in ("self", "cls")]
    if not arguments:
        return None
    start, end = target.function.lineno - 1, target.function.end_lineno or target.function.lineno
    text = re.sub(rf"\b{re.escape(arguments[0])}\b", f"{arguments[0]}_renamed", "".join(target.lines[start:end]))
    return "".join([*target.lines[:start], text, *target.lines[end:]])


def removed_function(target: Target) -> str | None:
    """The function is gone."""
    decorators = [one.lineno for one in target.function.decorator_list]
    start, end = min([target.function.lineno, *decorators]) - 1, target.function.end_lineno or 0
    held = next((one for one in ast.walk(target.tree) if target.function in getattr(one, "body", ())), None)
    if held is None or len(held.body) < 2:  # type: ignore[attr-defined]  # it has one, by the search
        return None
    return "".join([*target.lines[:start], *target.lines[end:]])


def renamed_method(target: Target) -> str | None:
    """A function or method by another name."""
    line = target.lines[target.function.lineno - 1]
    return _replaced(
        target,
        target.function.lineno,
        line.replace(f"def {target.function.name}", f"def {target.function.name}_renamed", 1),
    )


def changed_annotation(target: Target) -> str | None:
    """Another type of the result, or a first one."""
    function = target.function
    if function.returns is None:
        text = "".join(target.lines)
        start = _offset(target.lines, function.lineno, 0)
        found = re.compile(r"\)\s*:\s*(#[^\n]*)?\n").search(text, start)
        at = found.start() + 1 if found else -1
        return f"{text[:at]} -> int{text[at:]}" if found else None
    said = function.returns
    if said.lineno != said.end_lineno:
        return None
    line = target.lines[said.lineno - 1].encode()
    changed = line[: said.col_offset] + b"int" + line[said.end_col_offset :]
    return _replaced(target, said.lineno, changed.decode())


def new_call(target: Target) -> str | None:
    """A call more, of another function of the file, without arguments."""
    names = [one.name for one in target.tree.body if isinstance(one, Function) and one.name != target.function.name]
    return _inserted(target, target.first, f"{target.indent}{names[0]}()\n") if names else None


def import_moved(target: Target) -> str | None:
    """An import of the module is in the function now."""
    one_line = [
        one
        for one in target.tree.body
        if isinstance(one, ast.ImportFrom) and one.lineno == one.end_lineno and one.module != "__future__"
    ]
    if not one_line:
        return None
    line = target.lines[one_line[-1].lineno - 1]
    lines = [*target.lines[: target.first], target.indent + line, *target.lines[target.first :]]
    del lines[one_line[-1].lineno - 1]
    return "".join(lines)


EDITS: dict[str, Edit] = {
    "body": body_edit,
    "docstring": docstring_edit,
    "new function": new_function,
    "parameter with default": parameter_with_default,
    "parameter without default": parameter_without_default,
    "renamed parameter": renamed_parameter,
    "removed function": removed_function,
    "renamed method": renamed_method,
    "changed annotation": changed_annotation,
    "new call": new_call,
    "import moved": import_moved,
}


def _with_parameter(target: Target, parameter: str, at_end: bool) -> str | None:
    arguments = target.function.args
    if arguments.vararg or arguments.kwarg or arguments.kwonlyargs or arguments.posonlyargs:
        return None
    plain = arguments.args[: len(arguments.args) - len(arguments.defaults)]
    last = (arguments.defaults[-1:] or arguments.args[-1:]) if at_end else plain[-1:]
    if last:
        text = "".join(target.lines)
        end = last[0]
        line = target.lines[(end.end_lineno or 1) - 1].encode()[: end.end_col_offset].decode()
        at = _offset(target.lines, end.end_lineno or 1, len(line))
        return f"{text[:at]}, {parameter}{text[at:]}"
    line = target.lines[target.function.lineno - 1]
    head = f"def {target.function.name}("
    rest = ", " if arguments.args else ""
    return _replaced(target, target.function.lineno, line.replace(head, f"{head}{parameter}{rest}", 1))


def _offset(lines: list[str], line: int, column: int) -> int:
    return sum(len(one) for one in lines[: line - 1]) + column


def _inserted(target: Target, after: int, text: str) -> str:
    return "".join([*target.lines[:after], text, *target.lines[after:]])


def _replaced(target: Target, line: int, text: str) -> str:
    return "".join([*target.lines[: line - 1], text, *target.lines[line:]])
