"""The map of the code, from the charters that modules open with and the layers that import-linter checks.

Whether a charter is true is for readers.
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

from tools.docs.markdown import first_sentence, link
from tools.docs.repository import PACKAGE, TOP, text_of


def layers() -> str:
    """The layers that there are, from high to low."""
    contracts = tomllib.loads(text_of("pyproject.toml"))["tool"]["importlinter"]["contracts"]
    [wanted] = [contract["layers"] for contract in contracts if contract["type"] == "layers"]
    there = [[name for name in re.findall(r"\w+", layer) if _is_there(name)] for layer in wanted]
    lines = [" | ".join(names) for names in there if names]
    return "```text\n" + "\n".join(lines) + "\n```"


def modules(page: str) -> str:
    """Every package with its charter's first sentence, and below it its modules with theirs."""
    tops = [path for path in sorted(PACKAGE.glob("*.py")) if path.stem != "__init__"]
    parts = [f"### keel\n\n{_charter(PACKAGE / '__init__.py')}", _list(page, tops)]
    for folder in _packages():
        inside = [path for path in sorted(folder.glob("*.py")) if path.stem != "__init__"]
        name = folder.relative_to(PACKAGE).as_posix()
        parts.append(f"### {name}\n\n{_charter(folder / '__init__.py')}")
        parts += [_list(page, inside)] if inside else []
    return "\n\n".join(parts)


def _is_there(name: str) -> bool:
    return (PACKAGE / name).is_dir() or (PACKAGE / f"{name}.py").is_file()


def _packages() -> Iterator[Path]:
    yield from sorted(path.parent for path in PACKAGE.rglob("*/__init__.py"))


def _list(page: str, paths: list[Path]) -> str:
    return "\n".join(f"- {link(page, _name(path), f'`{path.name}`')}: {_charter(path)}" for path in paths)


def _charter(path: Path) -> str:
    return first_sentence(ast.get_docstring(ast.parse(path.read_bytes())))


def _name(path: Path) -> str:
    return path.relative_to(TOP).as_posix()
