"""The verbs as methods: the stub of the library that editors and type checkers read, made from the operations.

A verb takes its parameters as the command does: those without a name in front come first, a list of them as further
arguments, all others by name. What the methods do is left to `keel.surfaces.library.verbs`.
"""

from __future__ import annotations

import re
import sys
import textwrap
from collections.abc import Iterator
from typing import Any

from keel import registry
from keel.model.record import Field, fields_of
from tools.docs.markdown import summary

FILE = "src/keel/surfaces/library/verbs.pyi"
WIDTH = 120
HEAD = '''"""Every verb as a method. Made by `make docs` from the operations; not edited by hand.

Answers are the records of the operations. At run time the methods are found by `verbs.py`, those of guests too.
"""

{imports}

class Verbs:
    """What can be asked of a workspace. Each method is a command, takes what it takes, and answers the same."""

    def ask(self, verb: str, **given: object) -> Any:
        """The answer of a verb that is named."""
'''


def files() -> Iterator[tuple[str, str]]:
    """The module and its text."""
    verbs = {verb: registry.operation(verb) for verb in registry.names(registry.OPERATIONS)}
    answers = {verb: _answer(operation) for verb, operation in verbs.items()}
    imports = sorted({line for _, lines in answers.values() for line in lines})
    methods = [_method(verb, operation, answers[verb][0]) for verb, operation in verbs.items()]
    used = [name for name in ("Mapping", "Sequence") if any(f"{name}[" in method for method in methods)]
    above = [f"from collections.abc import {', '.join(used)}"] if used else []
    head = HEAD.format(imports="\n".join([*above, "from typing import Any", "", *imports]))
    yield FILE, "\n".join([head.rstrip("\n"), *methods, ""])


def _answer(operation: Any) -> tuple[str, list[str]]:
    """The type of an answer as the module writes it, and the imports that it needs."""
    name = "_" + operation.__name__.removeprefix("keel.operations.").replace(".", "_")
    parent, _, module = operation.__name__.rpartition(".")
    forms = getattr(operation.Result, "FORMS", "")
    if not forms:
        return f"{name}.Result", [f"from {parent} import {module} as {name}"]
    found = [vars(sys.modules[operation.__name__])[form] for form in re.findall(r"\w+", forms)]
    imports = [f"from {kind.__module__} import {kind.__name__}" for kind in found]
    return " | ".join(kind.__name__ for kind in found), imports


def _method(verb: str, operation: Any, answer: str) -> str:
    aside = getattr(operation.Params, "AT_TERMINAL", ())
    fields = {name: said for name, said in fields_of(operation.Params).items() if name not in aside}
    first = {name: said for name, said in fields.items() if said.positional}
    named = {name: said for name, said in fields.items() if not said.positional}
    taken = ["self", *(_taken(name, said) for name, said in first.items())]
    if named and not any(one.startswith("*") for one in taken):
        taken.append("*")
    taken += [_taken(name, said) for name, said in named.items()]
    name = verb.replace(" ", "_").replace("-", "_")
    return "\n".join(
        [
            *_call(f"    def {name}(", taken, f") -> {answer}:"),
            *_docstring(summary(operation.__doc__)),
        ]
    )


def _docstring(text: str) -> list[str]:
    whole = f'        """{text}"""'
    if len(whole) <= WIDTH:
        return [whole]
    return [*textwrap.wrap(f'"""{text}', WIDTH, initial_indent=" " * 8, subsequent_indent=" " * 8), '        """']


def _taken(name: str, said: Field) -> str:
    """A parameter as a signature has it."""
    if said.positional and said.type.startswith("tuple["):
        return f"*{name}: {said.type.removeprefix('tuple[').removesuffix(', ...]')}"
    written = re.sub(r"tuple\[(.+), \.\.\.\]", r"Sequence[\1]", said.type).replace("dict[", "Mapping[")
    default = "" if said.required else f" = {_literal(said.default)}"
    return f"{name}: {written}{default}"


def _literal(value: object) -> str:
    """A default as the formatter writes it."""
    return f'"{value}"' if isinstance(value, str) and '"' not in value and "\\" not in value else repr(value)


def _call(begin: str, items: list[str], end: str) -> list[str]:
    """On one line where it fits, else an item a line."""
    whole = f"{begin}{', '.join(items)}{end}"
    if len(whole) <= WIDTH:
        return [whole]
    indent = " " * (len(begin) - len(begin.lstrip()))
    inside = f"{indent}    {', '.join(items)}"
    if len(inside) <= WIDTH:
        return [begin, inside, f"{indent}{end}"]
    return [begin, *(f"{indent}    {item}," if item != "*" else f"{indent}    *," for item in items), f"{indent}{end}"]
