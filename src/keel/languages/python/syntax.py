"""How Python writes names, comments and signatures: the value that everything outside of this folder uses.

What the names mean to a program is left to `resolve` and `binding`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from keel.model.kinds import NodeKind, ParamKind
from keel.model.syntax import Syntax

if TYPE_CHECKING:
    from keel.model.facts import Def, Interface, Param

_STARS = {ParamKind.VAR_POSITIONAL: "*", ParamKind.VAR_KEYWORD: "**"}


def signature(interface: Interface, definition: Def, name: str) -> str:
    """`async def f(a, /, b: int = 1, *, c) -> str`, `class A(B)`, `x: int`; empty for files and modules."""
    from keel.model.facts import ASYNC
    from keel.model.signatures import chain_text

    if definition.signature is not None:
        params = ", ".join(_parameters(interface, definition.signature.params))
        returns = interface.text(definition.signature.returns)
        start = "async def" if definition.flags & ASYNC else "def"
        return f"{start} {name}({params})" + (f" -> {returns}" if returns else "")
    if definition.kind == NodeKind.CLASS:
        bases = ", ".join(chain_text(interface, expr) for expr in definition.bases)
        return f"class {name}({bases})" if bases else f"class {name}"
    if definition.annotation >= 0:
        return f"{name}: {interface.text(definition.annotation)}"
    return "" if definition.kind in (NodeKind.FILE, NodeKind.MODULE) else name


def _parameters(interface: Interface, params: list[Param]) -> list[str]:
    parts: list[str] = []
    last: ParamKind | None = None
    starred = False
    for param in params:
        if last == ParamKind.POSITIONAL_ONLY and param.kind != last:
            parts.append("/")
        if param.kind == ParamKind.KEYWORD_ONLY and not starred:
            parts.append("*")
            starred = True
        starred = starred or param.kind == ParamKind.VAR_POSITIONAL
        parts.append(_parameter(interface, param))
        last = param.kind
    if last == ParamKind.POSITIONAL_ONLY:
        parts.append("/")
    return parts


def _parameter(interface: Interface, param: Param) -> str:
    text = _STARS.get(param.kind, "") + interface.text(param.name)
    annotation = interface.text(param.annotation)
    default = interface.text(param.default)
    if annotation:
        return f"{text}: {annotation} = {default}" if default else f"{text}: {annotation}"
    return f"{text}={default}" if default else text


SYNTAX = Syntax(
    title="Python",
    comment="#",
    doc_comment="docstring",
    constructors=("__init__", "__new__"),
    initializers=("__post_init__",),
    setter_decorator=".setter",
    empty_bases=("object", "ABC", "Protocol", "Generic"),
    call_operators=("__call__",),
    receivers=("self", "cls"),
    bound_parameters=1,
    nameless="<lambda>",
    special_affix="__",
    private_prefix="_",
    package_files=("__init__.py", "__init__.pyi"),
    test_files=r"(?:^|/)(?:conftest\.py|tests\.py|test_[^/]*)$",
    test_prefix="test",
    test_words=("pytest", "unittest"),
    generated_files=r"_pb2(?:_grpc)?\.pyi?$",
    leftovers=(
        *(".venv", "site-packages", "__pycache__", ".mypy_cache", ".pytest_cache", ".ruff_cache"),
        *(".hypothesis", ".tox", ".nox", ".eggs", "*.egg-info"),
    ),
    environment_marks=("pyvenv.cfg", "conda-meta"),
    environment_names=("venv",),
    customary_names=("wrapper", "decorator", "inner"),
    transparent_decorators=(
        *("cache", "functools.cache", "lru_cache", "functools.lru_cache"),
        *("contextmanager", "contextlib.contextmanager", "contextlib.asynccontextmanager"),
    ),
    write_signature=signature,
)
