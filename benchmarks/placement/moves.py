"""Every function of a package judged as new where it is, and as new in a module drawn by lot.

What keel weighs about a function does not depend on where it is, so both are read off one weighing: the whole is
done in one process, without an edit. That a real edit gives the same is shown by `sample.py`.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from keel.graph.placement.modules import Modules, is_utility
from keel.graph.placement.placement import CALLED_BY, LEAST_SIZE, Sign, elsewhere, is_placeable, is_registered, signs_of
from keel.languages.python import language
from keel.model.profiles import Folder
from keel.model.rows import StoredNode
from keel.model.syntax import syntaxes_of
from keel.ports.store import GraphReader

SEED = 8


@dataclass(frozen=True, slots=True)
class Verdict:
    """How much better another module is than a host, and which ones are best."""

    margin: float
    best: tuple[str, ...]

    def is_flagged(self, threshold: float) -> bool:
        """Whether it is told at a threshold."""
        return self.margin >= threshold


NOTHING = Verdict(-1.0, ())
"""Too little is known, or there is no other module that it deals with."""


@dataclass(frozen=True, slots=True)
class Moved:
    """A function, judged at home and in another module."""

    package: str
    path: str
    line: int
    name: str
    origin: str
    host: str
    is_judged: bool
    """Not so what comes from a module of utilities or what a framework is handed: it is never told about."""
    at_home: Verdict
    in_host: Verdict
    uncalled_at_home: Verdict
    uncalled_in_host: Verdict
    """The same as long as it is not called."""


def moves(package: str, source: str, reader: GraphReader) -> Iterator[Moved]:
    """Every function of the source of a package."""
    modules = Modules(reader, syntaxes_of([language]))
    lot = random.Random(f"{SEED} {package}")
    hosts = [
        folder
        for folder, profile in modules.profiles.items()
        if profile.path.startswith(source) and profile.size >= LEAST_SIZE and not is_utility(profile.path)
    ]
    for node in _functions(modules, source):
        file = modules.files[node.file]
        origin = modules.folders[node.file]
        host = lot.choice([folder for folder in hosts if folder != origin])
        signs = signs_of(modules, node)
        uncalled = [sign for sign in signs if sign.signal != CALLED_BY]
        yield Moved(
            package,
            file.path,
            node.line,
            node.qualified_name,
            origin[1],
            host[1],
            not (is_utility(file.path) or is_registered(modules, node)),
            _verdict(modules, signs, origin, besides=1),
            _verdict(modules, signs, host),
            _verdict(modules, uncalled, origin, besides=1),
            _verdict(modules, uncalled, host),
        )


def _functions(modules: Modules, source: str) -> Iterator[StoredNode]:
    for number, file in modules.files.items():
        if file.path.startswith(source):
            for node in modules.reader.nodes(number):
                if is_placeable(node, "x.py", language.syntax):
                    yield node


def _verdict(modules: Modules, signs: Sequence[Sign], host: Folder, besides: int = 0) -> Verdict:
    found = elsewhere(modules, signs, host, besides)
    return Verdict(round(found.margin, 4), tuple(fit.folder[1] for fit in found.fits)) if found else NOTHING
