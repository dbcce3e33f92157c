"""The registry: what is installed, found where it lives.

A built-in is a module in its folder (`languages/`, `operations/`, `formats/`, `rules/`); a guest is an entry point of
the group of the same name (`keel.languages`, …). A folder of operations is a family: `operations/tools/list.py` is
`tools list`; an underscore of a file's name is a dash of the verb's. There is no list to keep. One part is loaded
without importing the others, and guests are looked for only when asked, since that takes longer than most commands.
Choosing is left to `bootstrap.py`.
"""

from __future__ import annotations

import os
from importlib import import_module

from keel.errors import KeelError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from keel.ports.agent import Agent
    from keel.ports.format import Format
    from keel.ports.language import Language
    from keel.ports.operation import Operation
    from keel.ports.rule import Rule

AGENTS, LANGUAGES, OPERATIONS, FORMATS, RULES = "agents", "languages", "operations", "formats", "rules"
MODULES = {OPERATIONS: ("Params", "Result", "run"), RULES: ("CODE", "CATEGORY", "SEVERITY", "check")}
"""Groups whose parts are modules, and the names that each must have."""
ATTRIBUTES = {AGENTS: "agent", LANGUAGES: "language", FORMATS: "format"}
"""What a module hands over; an operation or rule is the module itself."""


def agent(name: str, plugins: bool = False) -> Agent | None:
    """One agent, or None when there is none of that name; its module has `_` where the name has `-`."""
    found: Agent | None = _find(AGENTS, name.replace("-", "_"), plugins)
    return found


def agents(plugins: bool = False) -> list[Agent]:
    """All agents by name."""
    return [_loaded(AGENTS, name, plugins) for name in names(AGENTS, plugins)]


def languages(plugins: bool = False) -> list[Language]:
    """All languages by name."""
    return [_loaded(LANGUAGES, name, plugins) for name in names(LANGUAGES, plugins)]


def operation(name: str, plugins: bool = False) -> Operation | None:
    """One operation, or None when there is none of that name."""
    found: Operation | None = _find(OPERATIONS, name, plugins)
    return found


def family(name: str) -> list[str]:
    """The operations of a family, by their whole names; nothing when there is no family of that name."""
    if not name.isidentifier():
        return []
    folder = os.path.join(os.path.dirname(__file__), OPERATIONS, name)
    return sorted(_members(folder, name)) if os.path.isdir(folder) else []


def format(name: str, plugins: bool = False) -> Format | None:
    """One format, or None when there is none of that name."""
    found: Format | None = _find(FORMATS, name, plugins)
    return found


def rules(plugins: bool = False) -> list[Rule]:
    """All rules by name, which begins with their code."""
    return [_loaded(RULES, name, plugins) for name in names(RULES, plugins)]


def names(group: str, plugins: bool = False) -> list[str]:
    """The names of a group, sorted; nothing is imported for it."""
    built_in = _built_in(group)
    guests = list(_guests(group)) if plugins else []
    twice = set(built_in) & set(guests)
    if twice:
        raise KeelError(
            problem=f"{group}: '{min(twice)}' is installed by an entry point and built in; remove one of them"
        )
    return sorted(built_in + guests)


def describe(plugins: bool = False) -> list[str]:
    """Everything there is, a line each: the group, the name, and what it offers."""
    tell: dict[str, Callable[[Any], str]] = {
        AGENTS: _title,
        LANGUAGES: _suffixes,
        OPERATIONS: _first_line,
        FORMATS: lambda part: "",
        RULES: _first_line,
    }
    return [
        f"{group} {name} {said(_loaded(group, name, plugins))}".rstrip()
        for group, said in tell.items()
        for name in names(group, plugins)
    ]


def _find(group: str, name: str, plugins: bool) -> Any:
    if not name.replace(" ", "_").replace("-", "_").isidentifier() or name not in names(group, plugins):
        return None
    return _loaded(group, name, plugins)


def _loaded(group: str, name: str, plugins: bool) -> Any:
    if name in _built_in(group):
        where = f"keel.{group}.{name.replace(' ', '.').replace('-', '_')}"
        part: Any = import_module(where)
        attribute = ATTRIBUTES.get(group)
        if attribute is not None:
            part = getattr(part, attribute, None)
    else:
        part, where = _guests(group)[name](), f"the entry point '{name}' of keel.{group}"
    wanted = MODULES.get(group, ("name",))
    lacking = [attribute for attribute in wanted if not hasattr(part, attribute)]
    if lacking:
        raise KeelError(problem=f"{where} offers no {', '.join(lacking)}")
    return part


def _built_in(group: str) -> list[str]:
    """Modules and packages of the folder. A beginning underscore says: for the others here."""
    folder = os.path.join(os.path.dirname(__file__), group)
    found = [name for name in os.listdir(folder) if name[0] not in "_." and _is_module(folder, name)]
    if group != OPERATIONS:
        return [name.removesuffix(".py") for name in found]
    single = [name.removesuffix(".py").replace("_", "-") for name in found if name.endswith(".py")]
    return single + [
        each for name in found if not name.endswith(".py") for each in _members(os.path.join(folder, name), name)
    ]


def _members(folder: str, family: str) -> list[str]:
    inside = [name for name in os.listdir(folder) if name[0] not in "_." and name.endswith(".py")]
    return [f"{family} {name.removesuffix('.py')}" for name in inside]


def _is_module(folder: str, name: str) -> bool:
    return name.endswith(".py") or os.path.exists(os.path.join(folder, name, "__init__.py"))


def _guests(group: str) -> dict[str, Callable[[], Any]]:
    """What other distributions bring, by name; each is imported when it is called."""
    from importlib.metadata import entry_points  # 39 ms

    found: dict[str, Callable[[], Any]] = {}
    for entry in entry_points(group=f"keel.{group}"):
        if entry.name in found:
            raise KeelError(problem=f"{group}: '{entry.name}' is installed by two entry points; remove one of them")
        found[entry.name] = entry.load
    return found


def _title(agent: Agent) -> str:
    return agent.title


def _suffixes(language: Language) -> str:
    return " ".join(language.suffixes)


def _first_line(operation: Operation) -> str:
    return (operation.__doc__ or "").partition("\n")[0]
