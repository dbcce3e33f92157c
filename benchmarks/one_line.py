"""One-line edits: a real line put into a function of a file, and the file as it was afterwards.

Long sequences of random edits are another question, and another benchmark's.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

FEWEST_LINES, MAX_LINES = 200, 1000
LINE = "edited = len(str(0))"


def mid_size_files(tree: Path, count: int) -> list[Path]:
    """So many files of middle size that have a function to edit, spread evenly over the tree; the same every time."""
    fit = [path for path in sorted(tree.rglob("*.py")) if _fits(path)]
    step = max(1, len(fit) // count)
    return fit[::step][:count]


@contextmanager
def edited(path: Path) -> Iterator[None]:
    """The file with one more line, in place, for as long as this lasts."""
    before = path.read_bytes()
    lines = before.splitlines(keepends=True)
    at, indentation = _place(before)
    lines.insert(at - 1, f"{' ' * indentation}{LINE}\n".encode())
    try:
        path.write_bytes(b"".join(lines))
        yield
    finally:
        path.write_bytes(before)


@contextmanager
def parameter_added(path: Path, function: str) -> Iterator[None]:
    """The file with one more required parameter of a function, for as long as this lasts."""
    before = path.read_bytes()
    head = f"def {function}(".encode()
    try:
        path.write_bytes(before.replace(head, head + b"needed, ", 1))
        yield
    finally:
        path.write_bytes(before)


def _fits(path: Path) -> bool:
    source = path.read_bytes()
    if not FEWEST_LINES <= source.count(b"\n") <= MAX_LINES:
        return False
    try:
        _place(source)
    except (SyntaxError, ValueError, LookupError):
        return False
    return True


def _place(source: bytes) -> tuple[int, int]:
    """The line number and indentation of the last statement in the middlemost function long enough to have one."""
    places = [
        (node.body[-1].lineno, node.body[-1].col_offset)
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and len(node.body) > 1
        and node.body[-1].lineno > (node.body[-2].end_lineno or 0)
        and not getattr(node.body[-1], "decorator_list", None)
    ]
    if not places:
        raise LookupError("no function with two statements")
    return sorted(places)[len(places) // 2]
