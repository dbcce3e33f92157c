"""Where the time of a compile goes: functions of keel with a clock around them, in one process.

Each stage has its time without that of the stages inside it.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from importlib import import_module
from typing import Any

PLACES = {
    "scan": [("keel.indexing.pipeline", "look_at")],
    "extract": [("keel.indexing.facts", "Reader.__call__")],
    "link now": [("keel.indexing.update", "Update._link")],
    "link base": [("keel.indexing.base.graph", "AcceptedGraph.links.func")],
    "changed keys": [("keel.indexing.update", "Update._settle"), ("keel.indexing.base.graph", "link_accepted")],
    "read": [("keel.indexing.cache.graph_cache", "decode_interface"), ("keel.indexing.base.facts", "facts_of")],
    "ty": [
        ("keel.resolvers.ty.type_checker", "TyTypeChecker.complaints"),
        ("keel.resolvers.ty.type_checker", "TyTypeChecker.grasps"),
    ],
    "accepted": [("keel.indexing.base.accepted_tree", "accepted_tree")],
    "judge": [("keel.checking.judgement", "judge"), ("keel.checking.judgement", "delta_of")],
    "write": [
        ("keel.stores.sqlite.write", "SqliteWriter.put"),
        ("keel.stores.sqlite.write", "SqliteWriter.link"),
        ("keel.stores.sqlite.connect", "_abandon"),
    ],
    "format": [("keel.operations.compile", "report_of"), ("keel.formats.human", "Human.render")],
}


class Stages:
    """Clocks around the functions of the stages."""

    def __init__(self) -> None:
        self.spent: dict[str, float] = {}
        self._inside: list[float] = []
        for stage, places in PLACES.items():
            for module, name in places:
                owner: Any = import_module(module)
                *path, last = name.split(".")
                for part in path:
                    owner = vars(owner)[part] if isinstance(owner, type) else getattr(owner, part)
                setattr(owner, last, self._clocked(stage, getattr(owner, last)))

    def clear(self) -> None:
        """Begins anew."""
        self.spent.clear()

    def spent_of(self, took: float) -> dict[str, float]:
        """What each stage had of that time, and what none had."""
        return {**self.spent, "rest": took - sum(self.spent.values())}

    def _clocked(self, stage: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def timed(*arguments: Any, **named: Any) -> Any:
            start = time.perf_counter()
            self._inside.append(0.0)
            try:
                return function(*arguments, **named)
            finally:
                took = time.perf_counter() - start
                own = took - self._inside.pop()
                self.spent[stage] = self.spent.get(stage, 0.0) + own
                if self._inside:
                    self._inside[-1] += took

        return timed
