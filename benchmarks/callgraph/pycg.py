"""PyCG, the published call-graph tool, on the same cases: installed apart, run as it is, its names made the documents'.

Its faults are met by the way it is called, never by changing it: the wheel installs the package as `PyCG` while the
code imports `pycg`, which an alias answers; and it needs the `pkg_resources` of older setuptools.
"""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from benchmarks.corpora import cache_folder
from benchmarks.measure import Failed, environment
from tests.spec.callgraph.answer import Answer
from tests.spec.callgraph.cases import Case, Edge, module_name
from tests.spec.callgraph.observe import write_case

VERSION = "0.0.8"
REQUIREMENTS = (f"pycg=={VERSION}", "setuptools<81")
RUN = "import sys, PyCG; sys.modules['pycg'] = PyCG; from pycg.__main__ import main; main()"
INSTALL_SECONDS = 300.0
CASE_SECONDS = 30.0
_lambda = re.compile(r"<lambda(\d+)>")
_number = re.compile(r"(?<!>)#\d+")


class Reply(NamedTuple):
    """What it reported, or why it did not."""

    answer: Answer
    failure: str


class Pycg:
    """An installation."""

    def __init__(self) -> None:
        self._python = _installed(cache_folder() / f"pycg-{VERSION}")

    @property
    def version(self) -> str:
        """Its version and that of the Python that runs it."""
        said = subprocess.run([str(self._python), "--version"], capture_output=True, encoding="utf-8", check=True)
        return f"PyCG {VERSION} on {said.stdout.strip()}"

    def ask(self, case: Case, folder: Path) -> Reply:
        """Its answer to a case: every file is an entry point, as its documentation has it for whole packages."""
        write_case(case, folder)
        command = [str(self._python), "-c", RUN, "--package", str(folder), *case.files]
        try:
            done = subprocess.run(
                command,
                cwd=folder,
                env=environment(PYTHONPATH=str(folder / "src")),
                stdin=subprocess.DEVNULL,
                capture_output=True,
                encoding="utf-8",
                timeout=CASE_SECONDS,
            )
        except subprocess.TimeoutExpired:
            return Reply({}, f"not done after {CASE_SECONDS:.0f} s")
        if done.returncode:
            return Reply({}, (done.stderr.strip().splitlines() or ["no word why"])[-1])
        return Reply(_answer(case, json.loads(done.stdout)), "")


def unnumbered(case: Case) -> Case:
    """The case as one who does not tell definitions of one name apart would have it."""
    calls: dict[Edge, frozenset[str]] = {}
    for edge, marks in case.calls.items():
        plain = Edge(_number.sub("", edge.caller), _number.sub("", edge.callee))
        calls[plain] = marks & calls.get(plain, marks)
    return case._replace(calls=calls)


def claims(case: Case, edge: Edge) -> bool:
    """It reports calls that are written, and constructors, not classes that have none."""
    return edge not in case.marked("implicit") and edge.callee not in _definitions(case).classes


def _answer(case: Case, graph: dict[str, list[str]]) -> Answer:
    """Its calls between the case's functions; edges to built-ins, externals, modules and classes are left out."""
    known = _definitions(case)
    return {
        Edge(_named(caller), _named(callee)): False
        for caller, callees in graph.items()
        for callee in callees
        if _named(caller) in known.scopes and _named(callee) in known.functions
    }


def _named(name: str) -> str:
    """One of its names as the documents write it."""
    return _lambda.sub(
        lambda match: "<lambda>" if match[1] == "1" else f"<lambda>#{match[1]}", name.removeprefix("src.")
    )


class _Definitions(NamedTuple):
    functions: set[str]
    classes: set[str]
    scopes: set[str]


def _definitions(case: Case) -> _Definitions:
    """What a case defines; lambdas are taken from its calls, which name every one that matters."""
    functions: set[str] = set()
    classes: set[str] = set()
    for path, text in case.files.items():
        for name, is_class in _defined(ast.parse(text), module_name(path)):
            (classes if is_class else functions).add(name)
    lambdas = {name for edge in case.calls for name in edge if name.rpartition(".")[2].startswith("<lambda>")}
    modules = set(map(module_name, case.files))
    return _Definitions(functions | lambdas, classes, functions | lambdas | classes | modules)


def _defined(node: ast.AST, scope: str) -> Iterator[tuple[str, bool]]:
    for child in ast.iter_child_nodes(node):
        inner = scope
        if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            inner = f"{scope}.{child.name}"
            yield inner, isinstance(child, ast.ClassDef)
        yield from _defined(child, inner)


def _installed(home: Path) -> Path:
    """The Python of an environment of its own, made when it is not there."""
    python = home / "bin" / "python"
    done = home / ".installed"
    if not done.exists():
        _run([sys.executable, "-m", "venv", "--clear", str(home)])
        _run([str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *REQUIREMENTS])
        done.touch()
    return python


def _run(command: list[str]) -> None:
    done = subprocess.run(
        command, stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", timeout=INSTALL_SECONDS
    )
    if done.returncode:
        said = done.stderr.strip().splitlines() or ["no word why"]
        raise Failed(f"PyCG could not be installed: {said[-1]}")
