"""Signatures as answers show them, and as they are compared, made from facts.

Writing one in a language's syntax is left to its `Syntax`, binding calls to the languages.
"""

from __future__ import annotations

from keel.model.expressions import Call, Member, Name, Value
from keel.model.facts import ASYNC, Def, Interface, Param
from keel.model.kinds import NodeKind, ParamKind
from keel.model.nodes import Parameter, SignatureView


def plain_signature(interface: Interface, definition: Def, name: str) -> str:
    """`f(a, b: int = 1) -> str`, `A(B)`, `x: int`, as no language in particular; empty for files and modules."""
    if definition.signature is not None:
        params = ", ".join(_parameter(interface, param) for param in definition.signature.params)
        returns = interface.text(definition.signature.returns)
        return f"{name}({params})" + (f" -> {returns}" if returns else "")
    if definition.annotation >= 0:
        return f"{name}: {interface.text(definition.annotation)}"
    if definition.kind in (NodeKind.FILE, NodeKind.MODULE):
        return ""
    bases = ", ".join(chain_text(interface, place) for place in definition.bases)
    return f"{name}({bases})" if bases else name


def _parameter(interface: Interface, param: Param) -> str:
    rest = "…" if param.kind in (ParamKind.VAR_POSITIONAL, ParamKind.VAR_KEYWORD) else ""
    annotation, default = interface.text(param.annotation), interface.text(param.default)
    return f"{rest}{interface.text(param.name)}{annotation and f': {annotation}'}{default and f' = {default}'}"


def signature_key(interface: Interface, definition: Def) -> tuple[object, ...]:
    """Everything in a signature, to compare two of any language."""
    bases = tuple(chain_text(interface, place) for place in definition.bases)
    own = interface.text(definition.name), bases, interface.text(definition.annotation)
    if definition.signature is None:
        return own
    params = tuple(
        (interface.text(each.name), each.kind, interface.text(each.annotation), interface.text(each.default))
        for each in definition.signature.params
    )
    return *own, params, interface.text(definition.signature.returns)


def chain_text(interface: Interface, at: int) -> str:
    """The names in an expression, as far as it consists of names: `a.b`, `f(…)`."""
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


def signature_view(interface: Interface, definition: Def, text: str) -> SignatureView | None:
    """The structured signature, with its text as the language writes it; None for a definition without one."""
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
