"""Standard streams that were closed before keel began: each gets something in its place.

Left closed, the next file that is opened would take the stream's number, and a message could end up inside it. What is
written to them is left to the surfaces.
"""

from __future__ import annotations

import os
import sys


def fill_closed_streams() -> None:
    """Makes all three streams usable; an answer written to a closed output is refused, a message goes nowhere."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is not None:
            continue
        # Standard output is opened for reading on purpose: that the answer reaches nobody must be noticed.
        descriptor = os.open(os.devnull, os.O_WRONLY if name == "stderr" else os.O_RDONLY)
        if descriptor != number:
            os.dup2(descriptor, number)
            os.close(descriptor)
        mode = "r" if name == "stdin" else "w"
        setattr(sys, name, open(number, mode, encoding="utf-8", errors="backslashreplace", closefd=False))  # noqa: SIM115  # as long as keel
