"""`setup.py`: what its call of `setup` declares in plain literals; the file is parsed, never run.

A value that is computed declares nothing here, and the project keeps the usual layout.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from keel.languages.python.manifests.declared import (
    HERE,
    Declared,
    PackageFolder,
    Unreadable,
    package_folders,
    text,
    texts,
)

if TYPE_CHECKING:
    import ast
    from collections.abc import Iterator

FINDERS = ("find_packages", "find_namespace_packages")


def read(content: str) -> Declared:
    """Everything the file declares without being run."""
    if "setup" not in content:
        return Declared()
    import ast

    try:
        tree = ast.parse(content)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise Unreadable(f"is not Python: {error}") from None
    call = next((node for node in ast.walk(tree) if isinstance(node, ast.Call) and _name(node.func) == "setup"), None)
    return _declared({word.arg: word.value for word in call.keywords if word.arg}) if call is not None else Declared()


def _declared(words: dict[str, ast.expr]) -> Declared:
    listed = words.get("packages")
    packages = texts(_literal(listed))
    modules = texts(_literal(words.get("py_modules")))
    folders = package_folders(_literal(words.get("package_dir")))
    folders += [PackageFolder(folder) for folder in _searched(listed)]
    if "package_dir" not in words and not folders and (packages or modules):
        folders = [PackageFolder(HERE)]
    return Declared(name=text(_literal(words.get("name"))), sources=folders, packages=packages + modules)


def _searched(value: ast.expr | None) -> Iterator[str]:
    """The folder argument of a call of `find_packages`."""
    import ast

    if isinstance(value, ast.Call) and _name(value.func) in FINDERS:
        given = value.args[:1] + [word.value for word in value.keywords if word.arg == "where"]
        yield from (text(_literal(item)) or HERE for item in given)


def _literal(value: ast.expr | None) -> object:
    import ast

    try:
        return ast.literal_eval(value) if value is not None else None
    except (ValueError, TypeError, RecursionError, MemoryError):
        return None


def _name(function: ast.expr) -> str:
    """The last name of a callee: `setup` of `setuptools.setup`."""
    return getattr(function, "attr", "") or getattr(function, "id", "")
