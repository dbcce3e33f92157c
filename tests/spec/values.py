"""Expression values as specs write them: nearly the Python they came from.

`a | b` is one of the two, `each a` the element of a comprehension, `(f()).b` a name on a value that is no chain of
names, `?` what is not followed. What values are is left to `keel.model.expressions`.
"""

from __future__ import annotations

from collections.abc import Callable

from keel.model.expressions import (
    Call,
    Choice,
    Concat,
    Display,
    Function,
    Index,
    Literal,
    Member,
    Name,
    Own,
    Value,
)

BRACKETS = {"list": "[{}]", "tuple": "({})", "set": "{{{}}}"}
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
        case Member(value=base, name=name):
            return f"({inner(base)}).{name}"
        case Call():
            parts = [inner(each.value) for each in value.positional]
            parts += [f"{each.keyword or ''}{'=' * bool(each.keyword)}{inner(each.value)}" for each in value.keywords]
            return f"{inner(value.function)}({', '.join(parts)})"
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
            return BRACKETS[kind].format(", ".join(map(inner, items)))
        case Function(definition=definition):
            return name_of(definition)
        case Index(value=base, index=index):
            return f"{inner(base)}[{inner(index)}]"
        case Choice(options=options):
            return " | ".join(map(inner, options))
        case Own(form=kind, value=wrapped):
            return MARKS[kind] + inner(wrapped)
        case _:
            return "?"
