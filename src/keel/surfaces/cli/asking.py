"""Asks for confirmation on a terminal before a plan is carried out.

Showing the plan is left to the formats, what confirming does to `ports/operation.py`, and whether a person can be asked
to `main.py`.
"""

from __future__ import annotations

import sys


def agreed(question: str) -> bool:
    """Whether the person who has seen the plan says yes."""
    print(f"{question} [y/N] ", end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip().lower() in ("y", "yes")
