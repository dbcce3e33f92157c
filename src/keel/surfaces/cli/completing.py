"""Shell completion: the words that a partly typed command line can continue with.

Commands, options and values follow from the declarations of the commands; symbols come from the graph, if there is one.
A parameter called `symbol` is a symbol handle, one called `item_id` the id of a tool. Without candidates the shell
offers files. The scripts and protocols of shells are left to `own/completion.py`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from keel import registry
from keel.errors import KeelError
from keel.model.record import Field, fields_of
from keel.model.text.qualified import neutral
from keel.surfaces.cli import commands
from keel.surfaces.cli.arguments import SEVERAL, SHORT, formats_of, option, takes_value

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from keel.ports.operation import Operation

    Candidate = tuple[str, str]

MAX_SYMBOLS = 200
MAX_WORD_LENGTH = 200


def candidates(words: Sequence[str], common: type, described: bool = True) -> list[Candidate]:
    """What the last of the words can become, each with a remark; remarks cost time, and some shells show none."""
    *before, last = words or [""]
    typed = _Typed(before, common)
    if typed.verb == "" and not typed.awaits and not last.startswith("-"):
        return _beginning(_verbs(described, typed.family), last)
    if typed.awaits:
        return _beginning(_values(typed, typed.awaits, last), last)
    if last.startswith("-") and not typed.ended:
        name, equals, value = last.partition("=")
        if equals and name in typed.options:
            found = _beginning(_values(typed, typed.options[name][0], value), value)
            return [(f"{name}={word}", remark) for word, remark in found]
        return _beginning(((name, field.help) for name, (_, field) in typed.options.items()), last)
    waiting = typed.positional()
    return _beginning(_values(typed, waiting, last), last) if waiting else []


class _Typed:
    """What the words before the last one say: the command, its options, and what the next word is for."""

    def __init__(self, words: Sequence[str], common: type) -> None:
        self.verb, self.family, self.awaits, self.ended = "", "", "", False
        self.command: Operation | None = None
        self.options: dict[str, tuple[str, Field]] = {}
        self.workspace: str | None = None
        self._loose = 0
        self._offer(common)
        for word in words:
            self._take(word)

    def positional(self) -> str:
        """The field that the next loose word is for; nothing when there is none."""
        fields = [(name, field) for name, field in self.options.values() if field.positional]
        for name, _ in fields[self._loose : self._loose + 1]:
            return name
        return fields[-1][0] if fields and fields[-1][1].type.startswith(SEVERAL) else ""

    def field(self, name: str) -> Field:
        """A field by its name."""
        return self.options[option(name)][1]

    def _take(self, word: str) -> None:
        name, equals, value = word.partition("=")
        name = SHORT.get(name, name)
        if self.awaits:
            self._give(self.awaits, word)
            self.awaits = ""
        elif word == "--":
            self.ended = True
        elif word.startswith("-") and not self.ended:
            field_name, field = self.options.get(name, ("", Field()))
            if equals:
                self._give(field_name, value)
            elif field_name and takes_value(field):
                self.awaits = field_name
        elif not self.verb and not self.family and registry.family(word):
            self.family = word
        elif not self.verb:
            self.verb = f"{self.family} {word}".strip()
            self.command = commands.command(self.verb)
            self._offer(self.command.Params)
        else:
            self._loose += 1

    def _give(self, name: str, value: str) -> None:
        if name == "workspace":
            self.workspace = value

    def _offer(self, kind: type) -> None:
        self.options.update((option(name), (name, field)) for name, field in fields_of(kind).items())


def _verbs(described: bool, family: str = "") -> Iterable[Candidate]:
    """The words that a command begins with; within a family, those that follow its name."""
    if described:
        every = sorted(pair for group in commands.groups().values() for pair in group)
    else:
        every = [(verb, "") for verb in commands.names()]
    if family:
        return [(verb.partition(" ")[2], remark) for verb, remark in every if verb.startswith(f"{family} ")]
    single = {word: "" if member else remark for verb, remark in every for word, _, member in [verb.partition(" ")]}
    return list(single.items())


def _values(typed: _Typed, name: str, begun: str) -> Iterable[Candidate]:
    """The values a field can have; nothing when they are not known."""
    field = typed.field(name)
    if field.choices:
        return [(choice, "") for choice in field.choices]
    if name == "format" and typed.command is not None:
        return [(offered, "") for offered in formats_of(typed.command)]
    if name == "language":
        return [(language, "") for language in registry.names(registry.LANGUAGES)]
    if name == "command":
        return _verbs(described=False)
    if name in ("item_id", "item_ids"):
        return [(item_id, "") for item_id in _tools(typed.workspace)]
    return [(symbol, "") for symbol in _symbols(typed.workspace, begun)] if name == "symbol" else []


def _tools(workspace: str | None) -> list[str]:
    """The ids of the tools that can be asked for."""
    from keel.bootstrap import open_workspace
    from keel.toolspaces.listing import ids_of
    from keel.toolspaces.spaces import spaces_of

    folder = open_workspace(".", workspace).folder
    return sorted({item_id for space in spaces_of(folder) for item_id in ids_of(space)})


def _symbols(workspace: str | None, begun: str) -> list[str]:
    """Names in the graph that need no quotes in a shell; below a class, its own members."""
    if not begun or len(begun) > MAX_WORD_LENGTH:
        return []
    from keel.bootstrap import open_workspace

    try:
        with open_workspace(".", workspace).store.reading() as reader:
            names = reader.names_beginning(begun, MAX_SYMBOLS)
    except KeelError:
        return []  # there is no graph yet, or none that can be read now
    dots = neutral(begun).count(".")
    plain = ((name, neutral(name)) for name in names)
    return [name for name, said in plain if said.count(".") == dots and said.replace(".", "").isidentifier()]


def _beginning(words: Iterable[Candidate], begun: str) -> list[Candidate]:
    return [(word, remark) for word, remark in words if word.startswith(begun)]
