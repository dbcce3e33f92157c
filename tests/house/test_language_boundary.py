"""No folder but that of Python, and that of its type checker, holds Python's own words.

A word that another part needs belongs into the `Syntax` that the language hands over. Docstrings may show examples.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "src" / "keel"
OWN = ("languages/python/", "resolvers/ty/")
EXEMPT = {
    ".ai/tools/": "tools that come with keel, written in Python",
    "toolspaces/": "runs tools, which may be written in Python, and reads their manifests",
    "agents/github_actions.py": "a workflow that installs keel, which runs on Python",
    "setup/proposal.py": "the path of a Python file as an example in the configuration that `init` writes",
    "operations/tools/new.py": "a new tool is written in Python unless another type is asked for",
    "surfaces/cli/through.py": "reads the text of keel's own modules, which are Python",
    "surfaces/library/heuristic.py": "a public class whose name says that it resolves Python",
    "surfaces/library/ty.py": "a public class over the type checker for Python",
    "__init__.py": "lists the public names, that of the class for Python among them",
    "registry.py": "finds modules of keel itself, which are Python files",
    "surfaces/cli/commands.py": "finds modules of keel itself, which are Python files",
    "surfaces/daemon/code.py": "watches the files of keel itself, which Python compiles into folders",
    "errors.py": "names the Python that runs keel",
    "config.py": "says which language the type checker ty is asked about",
    "resolvers/servers/configured.py": "the settings of pyright have a section of that name",
}
"""Paths, each with the reason why Python's words are needed there."""

SPECIAL_METHODS = "init|new|post_init|call|all|get|set|getattr|getattribute|setattr|slots|len|iter|enter|exit|pycache"
WORDS = re.compile(
    rf"(?i:\bpython\b)|\bpytest\b|\bconftest\b|\bpyproject\b|\bsetup\.(?:py|cfg)\b|<lambda>|\b__(?:{SPECIAL_METHODS})__"
    r"|\.pyi?\b|\b(?:async )?def (?=\w|$)|^(?:async )?def$|^(?:self|cls|setter|staticmethod|classmethod)$|\.setter\b"
    r"|\b(?:functools|contextlib|dataclasses|unittest)\b"
)
NAMES = re.compile(r"(?i)python|dunder|pyproject|(?:^|_)py(?:_|$)")


def words_of(source: str) -> Iterator[tuple[int, str]]:
    """Python's words in the code of a module, with their lines: in text that is no docstring, and in names."""
    tree = ast.parse(source)
    said = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in said:
            yield from ((node.lineno, found[0]) for found in WORDS.finditer(node.value))
        names = [getattr(node, field, None) for field in ("id", "attr", "name", "arg", "asname", "module")]
        for name in names:
            if isinstance(name, str) and NAMES.search(name):
                yield getattr(node, "lineno", 0), name


def is_exempt(path: str) -> bool:
    return any(path == each or (each.endswith("/") and path.startswith(each)) for each in (*OWN, *EXEMPT))


def modules() -> list[str]:
    return sorted(path.relative_to(SOURCE).as_posix() for path in SOURCE.rglob("*.py"))


def test_no_module_outside_its_folder_holds_words_of_python() -> None:
    found = [
        f"{path}:{line}: {word}"
        for path in modules()
        if not is_exempt(path)
        for line, word in words_of((SOURCE / path).read_text(encoding="utf-8"))
    ]
    assert not found, "move it to languages/python, or ask the Syntax of the language:\n" + "\n".join(found)


@pytest.mark.parametrize("path", EXEMPT)
def test_every_exemption_is_needed(path: str) -> None:
    inside = [each for each in modules() if each == path or (path.endswith("/") and each.startswith(path))]
    assert any(list(words_of((SOURCE / each).read_text(encoding="utf-8"))) for each in inside)


@pytest.mark.parametrize(
    "line",
    [
        'CONSTRUCTORS = ("__init__", "__new__")',
        'RECEIVERS = ("self", "cls")',
        'START = "async def "',
        'text = f"def {name}"',
        'is_module = path.endswith(".py")',
        'is_package = name == "__init__.py"',
        'MANIFEST = "pyproject.toml"',
        'NAMELESS = "<lambda>"',
        'language = "python"',
        'PYTHON = "x"',
        "def is_dunder(name): ...",
        "from keel.languages.python import language",
        'CACHED = ("functools.cache",)',
    ],
)
def test_a_word_of_python_is_found(line: str) -> None:
    assert list(words_of(line))


@pytest.mark.parametrize(
    "line",
    [
        '"""A docstring may say `def f(self)`, Python and `__init__.py`."""',
        'STATUS = "/proc/self/statm"',
        'KEY = "definition.python3"[:10]',
        "decorators = definition.decorators",
        'message = "the default is undefined"',
        "self.name = cls.name",
    ],
)
def test_other_words_are_not(line: str) -> None:
    assert not list(words_of(line))
