"""What a process remembers at module level has a bound: the daemon and the MCP server run for days.

A cache inside of a function ends with the call, and one of an object with the object; neither is looked at here.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

import pytest

from tests.repository import PACKAGE, source_modules

CONTAINERS = ("dict", "list", "set", "defaultdict", "OrderedDict", "deque")
WRITING = ("add", "append", "appendleft", "extend", "insert", "setdefault", "update")
DISPLAYS = (ast.Dict, ast.List, ast.Set, ast.DictComp, ast.ListComp, ast.SetComp)


def problems(text: str) -> list[str]:
    """Caches of a module that grow for as long as its process lives, each with its line."""
    module = ast.parse(text)
    return [*_cached_functions(module), *_growing_names(module)]


def _cached_functions(module: ast.Module) -> Iterator[str]:
    for node in _outside_of_functions(module):
        wrappers: list[ast.expr] = []
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            wrappers = node.decorator_list
        elif isinstance(node, ast.Call):  # `lines = cache(lines)`
            wrappers = [node.func]
        yield from (f"line {each.lineno}: {ast.unparse(each)}" for each in wrappers if _is_unbounded(each))


def _is_unbounded(wrapper: ast.expr) -> bool:
    if isinstance(wrapper, ast.Call):
        return _last_name(wrapper.func) == "lru_cache" and _has_no_size(wrapper)
    return _last_name(wrapper) == "cache"


def _last_name(node: ast.expr) -> str:
    """`cache` of `functools.cache`."""
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _has_no_size(call: ast.Call) -> bool:
    sizes = [*call.args[:1], *(keyword.value for keyword in call.keywords if keyword.arg == "maxsize")]
    return any(isinstance(size, ast.Constant) and size.value is None for size in sizes)


def _outside_of_functions(module: ast.Module) -> Iterator[ast.AST]:
    """What is executed when the module is imported: its statements and those of its classes."""
    rest: list[ast.AST] = list(module.body)
    while rest:
        node = rest.pop()
        yield node
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            rest += ast.iter_child_nodes(node)


def _growing_names(module: ast.Module) -> Iterator[str]:
    """Containers of the module that its functions put something into, and whose length nothing looks at."""
    held = dict(_containers(module))
    if not held:
        return
    functions = [node for node in ast.walk(module) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    inside = [node for function in functions for node in ast.walk(function)]
    measured = {
        node.args[0].id
        for node in inside
        if isinstance(node, ast.Call) and _last_name(node.func) == "len" and isinstance(node.args[0], ast.Name)
    }
    local = {node.id for node in inside if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    for name in dict.fromkeys(filter(None, map(_written, inside))):
        if name in held and name not in measured and name not in local:
            yield f"line {held[name]}: {name}"


def _containers(module: ast.Module) -> Iterator[tuple[str, int]]:
    for node in module.body:
        targets = (
            node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
        )
        value = node.value if isinstance(node, ast.Assign | ast.AnnAssign) else None
        made = isinstance(value, ast.Call) and _last_name(value.func) in CONTAINERS
        bounded = isinstance(value, ast.Call) and any(keyword.arg == "maxlen" for keyword in value.keywords)
        if (made and not bounded) or isinstance(value, DISPLAYS):
            yield from ((target.id, node.lineno) for target in targets if isinstance(target, ast.Name))


def _written(node: ast.AST) -> str:
    """The name of what a node puts something into; empty for other nodes."""
    target: ast.AST | None = None
    if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store):
        target = node.value
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in WRITING:
        target = node.func.value
    return target.id if isinstance(target, ast.Name) else ""


def test_no_cache_of_a_module_grows_without_end() -> None:
    found = {str(path.relative_to(PACKAGE)): problems(path.read_text(encoding="utf-8")) for path in source_modules()}
    assert {path: told for path, told in found.items() if told} == {}


@pytest.mark.parametrize(
    "text",
    [
        "@cache\ndef f(x): ...",
        "@functools.cache\ndef f(x): ...",
        "@lru_cache(maxsize=None)\ndef f(x): ...",
        "@functools.lru_cache(None)\ndef f(x): ...",
        "class C:\n    @cache\n    def f(self): ...",
        "f = cache(g)",
        "f = lru_cache(maxsize=None)(g)",
        "held: dict[str, int] = {}\ndef f(x):\n    held[x] = 1",
        "held = OrderedDict()\ndef f(x):\n    return held.setdefault(x, 1)",
        "held = {'a': 1}\nclass C:\n    def f(self, x):\n        held.update(x)",
        "seen = set()\ndef f(x):\n    seen.add(x)",
        "lines = collections.deque()\ndef f(x):\n    lines.append(x)",
    ],
)
def test_a_cache_without_a_bound_is_found(text: str) -> None:
    assert len(problems(text)) == 1


@pytest.mark.parametrize(
    "text",
    [
        "@lru_cache(maxsize=10)\ndef f(x): ...",
        "@lru_cache\ndef f(x): ...",
        "def f():\n    @cache\n    def g(x): ...\n    return g",
        "held = {}\ndef f(x):\n    held[x] = 1\n    while len(held) > 9:\n        held.popitem()",
        "NOTHING = {}\ndef f(x):\n    return NOTHING.get(x)",
        "found = []\ndef f(x):\n    found = []\n    found.append(x)\n    return found",
        "lines = deque(maxlen=9)\ndef f(x):\n    lines.append(x)",
    ],
)
def test_what_has_a_bound_or_does_not_grow_is_left_alone(text: str) -> None:
    assert problems(text) == []
