"""Signatures as text and as answers show them, made from facts.

How a call binds to one is left to the languages.
"""

from __future__ import annotations

from keel.model.expressions import Call, Member, Name, Value
from keel.model.facts import ASYNC, Def, Interface, Param
from keel.model.kinds import NodeKind, ParamKind
from keel.model.nodes import Parameter, SignatureView

_STARS = {ParamKind.VAR_POSITIONAL: "*", ParamKind.VAR_KEYWORD: "**"}


def signature_text(interface: Interface, definition: Def) -> str:
    """`async def f(a, /, b: int = 1, *, c) -> str`, `class A(B)`, `x: int`; empty for files and modules."""
    name = interface.text(definition.name)
    if definition.signature is not None:
        params = ", ".join(_parameters(interface, definition.signature.params))
        returns = interface.text(definition.signature.returns)
        start = "async def" if definition.flags & ASYNC else "def"
        return f"{start} {name}({params})" + (f" -> {returns}" if returns else "")
    if definition.kind == NodeKind.CLASS:
        bases = ", ".join(chain_text(interface, place) for place in definition.bases)
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


def chain_text(interface: Interface, at: int) -> str:
    """The names an expression is made of, as far as it is made of names: `a.b`, `f(…)`."""
    return interface.chain(at) or _chain_text(interface.expression(at))


def _chain_text(value: Value) -> str:
    match value:
        case Name(text):
            return text
        case Member(owner, name):
            return f"{_chain_text(owner)}.{name}"
        case Call(function):
            return f"{_chain_text(function)}(…)"
        case _:
            return "…"


def signature_view(interface: Interface, definition: Def) -> SignatureView | None:
    """The structured signature; None for what has none."""
    text = signature_text(interface, definition)
    if not text:
        return None
    decorators = [chain_text(interface, place) for place in definition.decorators]
    if definition.signature is None:
        return SignatureView(text, decorators=decorators)
    return SignatureView(
        text,
        [
            Parameter(
                interface.text(param.name),
                param.kind.word,
                interface.text(param.annotation),
                param.default >= 0,
            )
            for param in definition.signature.params
        ],
        interface.text(definition.signature.returns),
        bool(definition.flags & ASYNC),
        decorators,
    )
