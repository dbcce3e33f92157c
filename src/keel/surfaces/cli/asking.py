"""Asking before something is done: for results that are a plan, where there is somebody to ask.

What is planned is shown by the formats, and what agreement means is said by `ports/operation.py`.
"""

from __future__ import annotations

import sys


def agreed(result: object, shown_as: str) -> bool:
    """Whether there is a plan, a person who has seen it, and that person says yes."""
    question = getattr(result, "question", "")
    if not question or shown_as != "human" or not (sys.stdin.isatty() and sys.stdout.isatty()):
        return False
    print(f"{question} [y/N] ", end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip().lower() in ("y", "yes")
