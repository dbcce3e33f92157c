"""Runs small projects and writes down which of their definitions call which; a program of its own, run by `observe`.

It imports each project under the profiler. What the profiler cannot tell is put into the project's syntax tree before
it is compiled: the call that makes a generator or a coroutine (their frames start later), the call of a class that has
no constructor of its own, and whether a call is written as one or made by the language.

Usage: tracer.py REQUEST ANSWER, both JSON: a list of {folder, entry}, and a list of {calls, error} in return.
"""

from __future__ import annotations

import abc
import ast
import builtins
import functools
import importlib
import io
import json
import os
import sys
import threading
import traceback
from collections import Counter
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from importlib.machinery import FileFinder, SourceFileLoader
from inspect import CO_ASYNC_GENERATOR, CO_COROUTINE, CO_GENERATOR, CO_OPTIMIZED
from pathlib import Path
from types import CodeType, FrameType, FunctionType, MethodType
from typing import Any

RESUMABLE = CO_GENERATOR | CO_COROUTINE | CO_ASYNC_GENERATOR
COMPREHENSIONS = ("<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>")
CONSTRUCTORS = ("__init__", "__new__")
BOUND = (MethodType, staticmethod, classmethod)
WRAPPERS = (FunctionType, functools._lru_cache_wrapper)
"""Only these are asked for attributes: an object of the project might answer by running its own code."""


def main() -> None:
    """Runs every project that is asked for."""
    request, answer = map(Path, sys.argv[1:])
    sys.dont_write_bytecode = True
    found = [observed(Path(each["folder"]), each["entry"]) for each in json.loads(request.read_text(encoding="utf-8"))]
    answer.write_text(json.dumps(found), encoding="utf-8")


def observed(folder: Path, entry: str) -> dict[str, Any]:
    """The calls of one project: caller, callee, and whether the call is written as one."""
    watch = Watch(folder)
    before, path, hooks = set(sys.modules), list(sys.path), list(sys.path_hooks)
    sys.path[:0] = [str(folder), str(folder / "src")]
    sys.path_hooks.insert(0, watch.finder)
    builtins.__dict__.update(__called__=watch.called, __made__=watch.made, __class_made__=watch.class_made)
    error = ""
    try:
        with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
            threading.setprofile(watch.profile)
            sys.setprofile(watch.profile)
            try:
                importlib.import_module(entry)
            finally:
                sys.setprofile(None)
                threading.setprofile(None)
    except BaseException:  # SystemExit too: a case must run to its end
        error = traceback.format_exc()
    sys.path[:], sys.path_hooks[:] = path, hooks
    own = {path.stem for top in (folder, folder / "src") if top.is_dir() for path in top.iterdir()}
    for name in set(sys.modules) - before:
        if name.partition(".")[0] in own:
            del sys.modules[name]
    importlib.invalidate_caches()
    calls = sorted((caller, callee, (caller, callee) in watch.written) for caller, callee in watch.calls)
    return {"calls": calls, "error": error}


class Watch:
    """What is known of one project while it runs."""

    def __init__(self, folder: Path) -> None:
        self.calls: set[tuple[str, str]] = set()
        self.written: set[tuple[str, str]] = set()
        self._folder = folder
        self._scopes: dict[int, str] = {}
        """Names of scopes by their code's identity: equal code in two places is two definitions."""
        self._functions: dict[int, str] = {}
        self._classes: set[str] = set()
        self._alive: list[CodeType] = []
        self._calls_of: dict[Any, str] = {}
        """Which definition a function made here is; its attributes may be overwritten by `wraps`."""
        watch = self

        class Loader(SourceFileLoader):
            # The stub has it as a static method without the optimization level.
            def source_to_code(self, data: Any, path: Any, *, _optimize: int = -1) -> CodeType:  # type: ignore[override]
                tree = ast.fix_missing_locations(Instrument().visit(ast.parse(data, path)))
                code = compile(tree, path, "exec", dont_inherit=True)
                watch._learn(code, watch._module(path))
                return code

        self._hook = FileFinder.path_hook((Loader, [".py"]))

    def finder(self, path: str) -> Any:
        """A finder for the project's own folders."""
        if not is_below(path, self._folder):
            raise ImportError(path)
        return self._hook(path)

    def profile(self, frame: FrameType, event: str, _: Any) -> None:
        """Sees each function start; those that may be resumed are seen by `made`."""
        if event == "call" and not frame.f_code.co_flags & RESUMABLE and id(frame.f_code) in self._functions:
            self._saw(frame.f_back, self._functions[id(frame.f_code)])

    def called(self, callee: Any) -> Any:
        """Sees what is before the parentheses of a call, or behind an `@`."""
        caller = self._scope(sys._getframe(1))
        if caller is not None:
            for name in self._reached(callee):
                self.written.add((caller, name))
                if name in self._classes:
                    self.calls.add((caller, name))
        return callee

    def made(self, function: Any) -> Any:
        """A function as it is defined; calls of one that may be resumed are seen from now on."""
        if not function.__code__.co_flags & RESUMABLE:
            return function

        @functools.wraps(function)
        def call(*args: Any, **kwargs: Any) -> Any:
            self._saw(sys._getframe(1), self._functions[id(function.__code__)])
            return function(*args, **kwargs)

        self._calls_of[call] = self._functions[id(function.__code__)]
        return call

    def class_made(self, made: Any) -> Any:
        """A class as it is defined; calls of it by the interpreter are seen from now on."""
        if type(made) not in (type, abc.ABCMeta) or issubclass(made, (tuple, dict)) or self._constructors(made):
            return made
        inner = made.__init__

        def __init__(instance: Any, *args: Any, **kwargs: Any) -> None:  # noqa: N807 - it replaces the real one
            if not self._constructors(type(instance)):
                self._saw(sys._getframe(1), self._class_name(type(instance)))
            if inner is not object.__init__:
                inner(instance, *args, **kwargs)

        made.__init__ = __init__
        return made

    def _saw(self, frame: FrameType | None, callee: str) -> None:
        caller = self._scope(frame)
        if caller is not None and callee:
            self.calls.add((caller, callee))

    def _scope(self, frame: FrameType | None) -> str | None:
        """The innermost scope of the project that is running."""
        while frame is not None:
            if id(frame.f_code) in self._scopes:
                return self._scopes[id(frame.f_code)]
            frame = frame.f_back
        return None

    def _reached(self, callee: Any) -> Iterator[str]:
        """The definitions of the project that a call of a value runs first."""
        callee = getattr(callee, "__func__", callee) if isinstance(callee, BOUND) else callee
        if isinstance(callee, FunctionType) and "registry" in vars(callee):
            for implementation in vars(callee)["registry"].values():
                yield from self._reached(implementation)
        elif isinstance(callee, type):
            yield from self._code_names(attribute(type(callee), "__call__"))
            yield from self._constructors(callee)[:1] or [self._class_name(callee)]
        elif isinstance(callee, functools.partial):
            yield from self._reached(callee.func)
        elif names := self._code_names(callee if isinstance(callee, WRAPPERS) else None):
            yield from names
        elif isinstance(callee, WRAPPERS):
            yield from self._reached(vars(callee).get("__wrapped__"))
        else:
            yield from self._code_names(attribute(type(callee), "__call__"))

    def _constructors(self, owner: type) -> list[str]:
        """The constructors that the project gives a class, `__init__` first."""
        found = (attribute(owner, name) for name in CONSTRUCTORS)
        return [name for each in found for name in self._code_names(getattr(each, "__func__", each))]

    def _code_names(self, function: Any) -> list[str]:
        """The definition that a function was made by, if it is one of the project's."""
        if isinstance(function, FunctionType) and function in self._calls_of:
            return [self._calls_of[function]]
        code = id(getattr(function, "__code__", None))
        if code not in self._functions:
            code = id(getattr(getattr(function, "__wrapped__", None), "__code__", None))
        return [self._functions[code]] if code in self._functions else []

    def _class_name(self, owner: type) -> str:
        name = f"{owner.__module__}.{owner.__qualname__}".replace(".<locals>", "")
        return name if name in self._classes else ""

    def _module(self, path: str) -> str:
        parts = Path(os.path.realpath(path)).relative_to(os.path.realpath(self._folder)).with_suffix("").parts
        parts = parts[1:] if parts[0] == "src" else parts
        return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)

    def _learn(self, code: CodeType, scope: str, seen: Counter[str] | None = None) -> None:
        """Names a scope and those inside it; comprehensions are part of the scope around them."""
        seen = Counter() if seen is None else seen
        self._alive.append(code)
        self._scopes[id(code)] = scope
        for inner in code.co_consts:
            if not isinstance(inner, CodeType):
                continue
            if inner.co_name in COMPREHENSIONS:
                self._learn(inner, scope, seen)
                continue
            name = f"{scope}.{inner.co_name}"
            seen[name] += 1
            name = f"{name}#{seen[name]}" if seen[name] > 1 else name
            if inner.co_flags & CO_OPTIMIZED:
                self._functions[id(inner)] = name
            else:
                self._classes.add(name)
            self._learn(inner, name, seen)


class Instrument(ast.NodeTransformer):
    """Puts the watch into a module: around what is called, behind each definition."""

    def visit_Call(self, node: ast.Call) -> ast.Call:
        self.generic_visit(node)
        node.func = _seen_by("__called__", node.func)
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        self.generic_visit(node)
        node.decorator_list = [*self._seen(node), _name("__made__", node)]
        return node

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AsyncFunctionDef:
        self.generic_visit(node)
        node.decorator_list = [*self._seen(node), _name("__made__", node)]
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.ClassDef:
        self.generic_visit(node)
        node.decorator_list = [_name("__class_made__", node), *self._seen(node)]
        return node

    @staticmethod
    def _seen(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> list[ast.expr]:
        return [_seen_by("__called__", each) for each in node.decorator_list]


def _seen_by(watcher: str, node: ast.expr) -> ast.expr:
    return ast.copy_location(ast.Call(_name(watcher, node), [node], []), node)


def _name(name: str, node: ast.AST) -> ast.expr:
    return ast.copy_location(ast.Name(name, ast.Load()), node)


def attribute(owner: type, name: str) -> Any:
    """What a class has under a name by its MRO, as it is stored."""
    return next((base.__dict__[name] for base in owner.__mro__ if name in base.__dict__), None)


def is_below(path: str | None, folder: Path) -> bool:
    """Whether a path is a folder or inside it."""
    return path is not None and Path(os.path.realpath(path)).is_relative_to(os.path.realpath(folder))


if __name__ == "__main__":
    main()
