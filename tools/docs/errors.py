"""The reference of errors, from the classes in `keel.errors`: what each means, its exit code and its message.

When an error is raised is left to the code that raises it.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator

from keel import errors
from keel.errors import KeelError
from tools.docs.markdown import first_sentence


class Named(int):
    """A number that a message shows by its name."""

    name: str

    def __format__(self, spec: str) -> str:
        return f"<{self.name}>"


def reference() -> str:
    """The tree, then every error that is ever raised, in its order."""
    return "\n\n".join(
        [
            "## The tree",
            f"```text\n{_tree()}\n```",
            "## Each error",
            "Words in `<…>` are what the message names.",
            *(_entry(kind) for kind in kinds() if not _only_caught(kind)),
        ]
    )


def _tree() -> str:
    """The drawing in the docstring: what is indented in it."""
    lines = inspect.cleandoc(errors.__doc__ or "").split("\n")
    return "\n".join(line[4:] for line in lines if line.startswith("    "))


def _only_caught(kind: type[KeelError]) -> bool:
    """Whether a class is there for its children: it brings no way to be made."""
    return bool(kind.__subclasses__()) and kind.__init__ is KeelError.__init__


def kinds() -> list[type[KeelError]]:
    """All classes of errors but the first, parents before children."""
    return list(_below(KeelError))


def _below(kind: type[KeelError]) -> Iterator[type[KeelError]]:
    for child in kind.__subclasses__():
        if child.__module__ == errors.__name__:
            yield child
            yield from _below(child)


def _entry(kind: type[KeelError]) -> str:
    return f"""### {kind.__name__}

{first_sentence(kind.__doc__)} Exit code {kind.exit_code}.

```text
keel: {_message(kind)}
```"""


def _message(kind: type[KeelError]) -> str:
    """The message with a placeholder for each thing that the error is made of."""
    taken = inspect.signature(kind).parameters.values()
    return str(kind(**{one.name: _placeholder(one.name, str(one.annotation)) for one in taken}))


def _placeholder(name: str, written: str) -> object:
    if written.startswith("list["):
        return [f"<{name}>"]
    if written.startswith(("int", "float")):
        number = Named(3)
        number.name = name
        return number
    return f"<{name}>"
