"""Qualified names without regard to their language: in one form, so that they can be compared, and taken apart.

A name that is typed does not say its language; where the language is known, its `Syntax` says how a name is written.
"""

from __future__ import annotations


def neutral(name: str) -> str:
    """A name with dots between its parts, whatever its language puts there: `net::Client` becomes `net.Client`."""
    return name.replace("::", ".") if ":" in name else name


def owner_of(name: str) -> str:
    """A name without its last part; empty for one that has only one."""
    return name[: -len(neutral(name).rpartition(".")[2])].rstrip(".:") if "." in name or ":" in name else ""
