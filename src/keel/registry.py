"""The registry: finds every language, rule, operation, format, agent and publisher, built in or installed.

A built-in is a module in its folder (`languages/`, `operations/`, `rules/`, …); a plugin is an entry point of the group
of the same name (`keel.languages`, …) of an installed distribution. A folder of operations is a family:
`operations/tools/list.py` is `tools list`; an underscore in a file's name is a dash in the verb. One part is loaded
without importing the others. Choosing among parts is left to `bootstrap.py`.
"""

from __future__ import annotations

import os
import sys
from functools import lru_cache
from importlib import import_module

from keel.errors import KeelError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from typing import Any

    from keel.model.record import Field
    from keel.ports.agent import Agent
    from keel.ports.format import Format
    from keel.ports.language import Language
    from keel.ports.operation import Operation
    from keel.ports.publisher import Publisher
    from keel.ports.rule import Rule

AGENTS, FORMATS, LANGUAGES, OPERATIONS = "agents", "formats", "languages", "operations"
PUBLISHERS, RULES = "publishers", "rules"
REQUIRED = {
    AGENTS: ("name", "title"),
    FORMATS: ("name", "render"),
    LANGUAGES: ("name", "suffixes", "extract", "linker"),
    OPERATIONS: ("Params", "Result", "run"),
    PUBLISHERS: ("name", "publish"),
    RULES: ("CODE", "CATEGORY", "SEVERITY", "check"),
}
"""The groups, and the names that each of their parts must have."""
ATTRIBUTES = {AGENTS: "agent", FORMATS: "format", LANGUAGES: "language", PUBLISHERS: "publisher"}
"""The name under which a module offers its part; an operation or a rule is the module itself."""
DISTRIBUTION = (".dist-info", ".egg-info")
"""The suffix of the metadata folder that an installer writes for a distribution."""
ENTRY_POINTS = "entry_points.txt"


class Guest:
    """An entry point of an installed distribution: which module, and what of it."""

    __slots__ = ("attribute", "distribution", "group", "module", "name")

    def __init__(self, group: str, name: str, reference: str, distribution: str) -> None:
        self.group, self.name, self.distribution = group, name, distribution
        module, _, self.attribute = reference.partition("[")[0].strip().partition(":")
        self.module = module.strip()

    def __str__(self) -> str:
        return f"the entry point '{self.name}' of keel.{self.group} in {self.distribution}"

    def load(self) -> Any:
        """The object that the entry point refers to; any exception of its import becomes one error that names it."""
        try:
            part: Any = import_module(self.module)
            for name in filter(None, self.attribute.strip().split(".")):
                part = getattr(part, name)
        except Exception as error:
            raise KeelError(problem=f"{self} cannot be loaded: {type(error).__name__}: {error}") from error
        return part


def agent(name: str) -> Agent | None:
    """One agent, or None when there is none of that name; its module has `_` where the name has `-`."""
    found: Agent | None = _find(AGENTS, name.replace("-", "_"))
    return found


def agents() -> list[Agent]:
    """All agents by name."""
    return _all(AGENTS)


def languages() -> list[Language]:
    """All languages by name."""
    return _all(LANGUAGES)


def operation(name: str) -> Operation | None:
    """One operation, or None when there is none of that name."""
    found: Operation | None = _find(OPERATIONS, name)
    return found


def family(name: str) -> list[str]:
    """The operations of a family, by their whole names; nothing when there is no family of that name."""
    return [verb for verb in names(OPERATIONS) if verb.startswith(f"{name} ")] if name.isidentifier() else []


def format(name: str) -> Format | None:
    """One format, or None when there is none of that name."""
    found: Format | None = _find(FORMATS, name)
    return found


def publishers() -> list[Publisher]:
    """All publishers by name."""
    return _all(PUBLISHERS)


def rules() -> list[Rule]:
    """All rules by name, which begins with their code; two with one code or configuration key are refused."""
    found: list[Rule] = _all(RULES)
    codes: dict[str, str] = {}
    keys: dict[str, str] = {}
    for name, rule in zip(names(RULES), found, strict=True):
        other = codes.setdefault(rule.CODE, name)
        if other != name:
            raise KeelError(problem=f"rules: '{name}' has the code {rule.CODE} of '{other}'; remove one of them")
        for key, said in declared_keys(rule).items():
            other = keys.setdefault(key, rule.CODE)
            if other != rule.CODE:
                raise KeelError(problem=f"rules: {rule.CODE} and {other} declare the configuration key '{key}'")
            if not said.choices:
                raise KeelError(problem=f"rules: the configuration key '{key}' of {rule.CODE} names no choices")
    return found


def declared_keys(rule: Rule) -> Mapping[str, Field]:
    """The keys of `[enforcement]` that a rule declares; their values are texts, one of the choices."""
    declared: Mapping[str, Field] = getattr(rule, "KEYS", {})
    return declared


def enforcement_keys() -> dict[str, Field]:
    """The keys of `[enforcement]`, as the rules declare them."""
    return {name: said for rule in rules() for name, said in declared_keys(rule).items()}


def names(group: str) -> list[str]:
    """The names of a group, sorted; no part is imported."""
    built_in = _built_in(group)
    guests = _guests().get(group, {})
    for name in built_in:
        if name in guests:
            raise KeelError(problem=f"{group}: '{name}' is built in, and {guests[name]} brings another; remove it")
    return sorted([*built_in, *guests])


def guests(group: str) -> list[str]:
    """The names of a group that plugins provide."""
    return sorted(_guests().get(group, {}))


def describe() -> list[str]:
    """Everything that is installed, a line each: the group, the name, and what it offers."""
    tell: dict[str, Callable[[Any], str]] = {
        AGENTS: lambda agent: agent.title,
        LANGUAGES: lambda language: " ".join(language.suffixes),
        OPERATIONS: _first_line,
        FORMATS: lambda part: "",
        PUBLISHERS: lambda part: "",
        RULES: _first_line,
    }
    return [
        f"{group} {name} {said(_loaded(group, name))}".rstrip() for group, said in tell.items() for name in names(group)
    ]


def _all(group: str) -> list[Any]:
    return [_loaded(group, name) for name in names(group)]


def _find(group: str, name: str) -> Any:
    if not name.replace(" ", "_").replace("-", "_").isidentifier() or name not in names(group):
        return None
    return _loaded(group, name)


def _loaded(group: str, name: str) -> Any:
    guest = _guests().get(group, {}).get(name)
    if guest is None:
        where = f"keel.{group}.{name.replace(' ', '.').replace('-', '_')}"
        part: Any = import_module(where)
    else:
        part, where = guest.load(), str(guest)
    attribute = ATTRIBUTES.get(group)
    if attribute is not None and (guest is None or not guest.attribute):
        part = getattr(part, attribute, None)
    lacking = [attribute for attribute in REQUIRED[group] if not hasattr(part, attribute)]
    if lacking:
        raise KeelError(problem=f"{where} offers no {', '.join(lacking)}")
    return part


@lru_cache(16)  # by group, of which there are six
def _built_in(group: str) -> list[str]:
    """Modules and packages of the folder. A leading underscore marks those that are shared by the others."""
    folder = os.path.join(os.path.dirname(__file__), group)
    if not os.path.isdir(folder):
        return []  # a group of plugins only
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


@lru_cache(1)
def _guests() -> dict[str, dict[str, Guest]]:
    """The entry points of installed distributions, by group and name; none is imported.

    The files are read here, since `importlib.metadata` alone takes longer to import than most commands take.
    """
    found: dict[str, dict[str, Guest]] = {}
    for distribution, path in _distributions():
        try:
            with open(path, "rb") as file:
                text = file.read()
        except OSError:
            continue  # most have none
        for guest in _entries(text, distribution) if b"keel." in text else ():
            # A module cannot have a dash in its name, and so the name of an agent has none here.
            name = guest.name.replace("-", "_") if guest.group == AGENTS else guest.name
            other = found.setdefault(guest.group, {}).setdefault(name, guest)
            if other is not guest:
                raise KeelError(problem=f"{guest.group}: {other} and {guest} are two of one name; remove one of them")
    return found


def _distributions() -> Iterator[tuple[str, str]]:
    """The installed distributions and where their entry points are; the first of a name hides the others."""
    seen: set[str] = set()
    for folder in _installation_folders():
        try:
            inside = os.listdir(folder)
        except OSError:
            continue
        for name in inside:
            if name.endswith(DISTRIBUTION):
                distribution = name.rpartition(".")[0].partition("-")[0].lower().replace("_", "-").replace(".", "-")
                if distribution not in seen:
                    seen.add(distribution)
                    yield distribution, os.path.join(folder, name, ENTRY_POINTS)


def _installation_folders() -> list[str]:
    """The folders of the search path that installers write to.

    The first entry is left out: it is the folder of the script, or with `python -m` the working directory, and code
    that is only analysed must not be run.
    """
    path = sys.path if sys.flags.safe_path else sys.path[1:]
    try:
        here = os.getcwd()
    except OSError:
        here = ""
    return [folder for folder in dict.fromkeys(path) if os.path.isabs(folder) and folder != here]


def _entries(data: bytes, distribution: str) -> Iterator[Guest]:
    """The entry points of keel's groups in a file."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise KeelError(problem=f"the {ENTRY_POINTS} of {distribution} is not UTF-8") from None
    group = ""
    for number, line in enumerate(map(str.strip, text.splitlines()), start=1):
        if line.startswith("["):
            section = line.strip("[] ")
            group = section.removeprefix("keel.") if section.startswith("keel.") else ""
        elif group in REQUIRED and line and line[0] not in "#;":
            name, is_there, reference = (part.strip() for part in line.partition("="))
            if not (name and is_there and reference):
                problem = f"is no `name = module:attribute` in [keel.{group}]"
                raise KeelError(problem=f"the {ENTRY_POINTS} of {distribution}: line {number} {problem}")
            yield Guest(group, name, reference, distribution)


def _first_line(part: Any) -> str:
    return (part.__doc__ or "").partition("\n")[0]
