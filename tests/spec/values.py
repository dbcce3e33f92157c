"""Expression values as specs write them: nearly the Python they came from.

a.b  (f(x)).b  f(1, k=2, *a)  'text'  f'…'  1  None  a + b  [a, b]  {k: v}  <lambda>  a[0]
a | b for one of the two, `each a` for the element of a comprehension, `?` for what is not followed
"""

from __future__ import annotations

from collections.abc import Callable

from keel.model.values import (
    Attribute,
    Call,
    Choice,
    Concat,
    Display,
    Lambda,
    Literal,
    Name,
    Subscript,
    Value,
    Wrap,
)

BRACKETS = {"list": "[]", "tuple": "()", "set": "{}"}
MARKS = {
    "await": "await ",
    "starred": "*",
    "double_starred": "**",
    "yield": "yield ",
    "yield_from": "yield from ",
    "element": "each ",
}


def written(value: Value, name_of: Callable[[int], str]) -> str:
    """The value as text; `name_of` says what the definition of a lambda is called."""

    def inner(part: Value) -> str:
        return written(part, name_of)

    match value:
        case Name(text=text):
            return text
        case Attribute(value=base, name=name):
            return f"({inner(base)}).{name}"
        case Call():
            named = [
                f"{each.keyword}={inner(each.value)}" if each.keyword else inner(each.value) for each in value.keywords
            ]
            return f"{inner(value.function)}({', '.join([inner(each.value) for each in value.positional] + named)})"
        case Literal(kind="string", text=text):
            return f"'{text}'"
        case Literal(text=text):
            return text
        case Concat(parts=parts):
            return " + ".join(map(inner, parts))
        case Display(kind="dict", items=items):
            pairs = zip(items[::2], items[1::2], strict=True)
            return "{" + ", ".join(f"{inner(key)}: {inner(item)}" for key, item in pairs) + "}"
        case Display(kind=kind, items=items):
            left, right = BRACKETS[kind]
            return left + ", ".join(map(inner, items)) + right
        case Lambda(definition=definition):
            return name_of(definition)
        case Subscript(value=base, index=index):
            return f"{inner(base)}[{inner(index)}]"
        case Choice(options=options):
            return " | ".join(map(inner, options))
        case Wrap(kind=kind, value=wrapped):
            return MARKS[kind] + inner(wrapped)
        case _:
            return "?"
