"""Asking before something is done: for results that are a plan, where there is somebody to ask.

What is planned is shown by the formats, what agreement means is said by `ports/operation.py`, and whether there is
somebody is seen by `main.py`.
"""

from __future__ import annotations

import sys


def agreed(question: str) -> bool:
    """Whether the person who has seen the plan says yes."""
    print(f"{question} [y/N] ", end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip().lower() in ("y", "yes")
