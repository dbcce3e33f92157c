"""Qualified names without regard to their language: in one form for comparison, and split.

A typed name does not show its language; where the language is known, writing names is left to its `Syntax`.
"""

from __future__ import annotations


def neutral(name: str) -> str:
    """A name with dots between its parts, whatever its language uses: `net::Client` becomes `net.Client`."""
    return name.replace("::", ".") if ":" in name else name


def owner_of(name: str) -> str:
    """A name without its last part; empty for one that has only one."""
    return name[: -len(neutral(name).rpartition(".")[2])].rstrip(".:") if "." in name or ":" in name else ""
