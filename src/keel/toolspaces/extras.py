"""Extras: libraries that only some tools need, which a plain installation does not bring.

What they are used for is left to the callers; the error of a missing one says how to install it.
"""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

EXTRA = "keel-graph[tools]"


class ExtraMissing(Exception):
    """A library is not installed; the message says what needs it and how to get it."""


def needed(module: str, what: str) -> ModuleType:
    """A module of an extra, for something that cannot be done without it."""
    try:
        return import_module(module)
    except ImportError as error:
        name = module.partition(".")[0]
        raise ExtraMissing(f"{what} needs {name}, which is not installed: pip install '{EXTRA}'") from error
