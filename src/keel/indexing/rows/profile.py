"""The profile of a file, made from its interface while that is in memory.

What profiles are for is left to `graph/placement/placement.py`, summing them to modules to `model/profiles.py`.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from keel.model.expressions import Call, Literal
from keel.model.facts import MODULE_DEF, STUB
from keel.model.kinds import NodeKind
from keel.model.profiles import FileProfile, encode_profile
from keel.model.text.topics import name_topics, prose_topics

if TYPE_CHECKING:
    from collections.abc import Iterator

    from keel.model.facts import Def, Interface
    from keel.model.syntax import Syntax


def profile_of(interface: Interface, path: str, syntax: Syntax) -> bytes:
    """The encoded profile; empty for files with tests, which are no place for anything else, and for stubs."""
    top = [each for each in interface.defs[MODULE_DEF + 1 :] if each.parent == MODULE_DEF and not each.flags & STUB]
    if syntax.is_test(path) or not top:
        return b""
    functions = [interface.text(each.name) for each in top if each.kind == NodeKind.FUNCTION]
    functions = [name for name in functions if name != syntax.nameless]
    classes = [interface.text(each.name) for each in top if each.kind == NodeKind.CLASS]
    methods = [each for each in interface.defs if each.kind == NodeKind.METHOD]
    return encode_profile(
        FileProfile(
            functions,
            len(methods),
            classes,
            sorted(interface.exports or ()),
            sorted({interface.text(each.specifier) for each in interface.imports}),
            sorted({path for each in interface.defs for path in _endpoints(interface, each)}),
            Counter(word for name in (*functions, *classes) for word in name_topics(name)),
            _keywords(interface, methods, syntax),
        )
    )


def _keywords(interface: Interface, methods: list[Def], syntax: Syntax) -> Counter[str]:
    """The words of methods' names, and of the first line of every docstring."""
    names = (interface.text(each.name) for each in methods)
    found = Counter(word for name in names if not syntax.is_special(name) for word in name_topics(name))
    for each in interface.defs:
        found.update(list(prose_topics(interface.text(each.doc).strip().partition("\n")[0])))
    return found


def _endpoints(interface: Interface, definition: Def) -> Iterator[str]:
    """The paths in the decorators of a function: `@app.get("/orders")`."""
    for at in definition.decorators:
        match interface.expression(at):
            case Call(positional=(first, *_)) if isinstance(first.value, Literal) and first.value.kind == "string":
                if first.value.text.startswith("/"):
                    yield first.value.text
