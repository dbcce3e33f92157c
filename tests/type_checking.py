"""A type checker that tests make up: it counts arguments, and can be told to be silent. It records what it was asked.

It knows functions of `def name(a, b)` and calls of `name(1, 2)`, one a line; that is enough for what every type checker
promises, and for what keel makes of a type checker's answers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from keel.errors import HelperEnded, HelperError
from keel.model.kinds import Tier
from keel.ports.definitions import Position
from keel.ports.type_checker import Complaint, Knowledge, Meaning, Scene

_defined = re.compile(rb"^def (\w+)\((.*?)\)(?: ->|:)", re.MULTILINE).findall
_called = re.compile(rb"(?<!def )\b(\w+)\(([^()]*)\)").finditer


class FakeTypeChecker:
    """Complains about calls with another number of arguments than the function of that name has."""

    name = "ty"
    tier = int(Tier.TIER2_TY)

    def __init__(self, knows: Knowledge = Knowledge.TYPES, is_broken: bool = False) -> None:
        self.knows, self.is_broken = knows, is_broken
        self.asked: list[list[str]] = []
        """The names of the files of each question for complaints."""
        self.closed = 0

    @property
    def trouble(self) -> HelperError | None:
        return HelperEnded("ty", "it was told to") if self.is_broken else None

    def complaints(self, scene: Scene, paths: Sequence[str]) -> Sequence[Complaint] | None:
        self.asked.append([Path(path).name for path in paths])
        if self.is_broken:
            return None
        now = {path: Path(path).read_bytes() for path in scene.files}
        base = {path: text for path, text in {**now, **scene.before}.items() if text is not None}
        before = {(each.rule, each.message) for path in paths for each in _wrong(path, base)}
        return [each for path in paths for each in _wrong(path, now) if (each.rule, each.message) not in before]

    def knowledge(self, scene: Scene, callees: Sequence[Position]) -> Sequence[Knowledge] | None:
        if self.is_broken:
            return None
        text = b"\n".join(Path(path).read_bytes() for path in scene.files)
        known = {name for name, _ in _defined(text)}
        return [self.knows if _word(each) in known else Knowledge.NOTHING for each in callees]

    def close(self) -> None:
        self.closed += 1


def _wrong(path: str, texts: Mapping[str, bytes]) -> Iterator[Complaint]:
    wants = {name: len(params.split(b",")) for text in texts.values() for name, params in _defined(text) if params}
    for line, text in enumerate(texts.get(path, b"").split(b"\n"), 1):
        for found in _called(text):
            name, arguments = found.groups()
            given = len(arguments.split(b",")) if arguments else 0
            if not text.startswith(b"def ") and wants.get(name, given) != given:
                place = (line, found.start() + 1, line, found.end() + 1)
                said = f"`{name.decode()}` wants {wants[name]} and gets {given}"
                yield Complaint(path, *place, "missing-argument", Meaning.ARITY, said)


def _word(place: Position) -> bytes:
    line = Path(place.path).read_bytes().split(b"\n")[place.line - 1]
    found = re.match(rb"\w+", line[place.column - 1 :])
    return found.group() if found else b""
