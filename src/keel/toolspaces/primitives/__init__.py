"""Primitives: what keel does itself at the end of a chain, by the id of the system's tool for it.

A primitive takes a job and returns an outcome. Making jobs is left to `jobs.py`. Tools of other spaces are programs,
which need a runtime; none is loaded into keel.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import cast

from keel.toolspaces.chain import Chain
from keel.toolspaces.jobs import Job, Outcome
from keel.toolspaces.spaces import SYSTEM

MODULES: Mapping[str, str] = {"subprocess": "process", "http_client": "http"}
"""The module of each, whose `perform` does it."""


def primitive(item_id: str) -> Callable[[Job], Outcome]:
    """What does the work of a primitive; each is imported when it is needed."""
    module = import_module(f"{__name__}.{MODULES[item_id]}")
    return cast("Callable[[Job], Outcome]", module.perform)


def primitive_issues(chain: Chain) -> list[str]:
    """Why keel cannot run the last element of a chain."""
    last = chain.primitive
    if last.space == SYSTEM and last.item_id in MODULES:
        return []
    return [
        f"Tool '{last.item_id}' from {last.space} space is a primitive (its __executor_id__ is None), and keel "
        f"performs only those of the system space: {', '.join(sorted(MODULES))}. Name an executor, such as "
        "python_runtime."
    ]
