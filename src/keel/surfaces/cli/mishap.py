"""Mishaps: an exception that nobody foresaw, as one line for people and the whole of it in `.keel/log`.

Errors that keel knows are not among them: they say what is the case by themselves.
"""

from __future__ import annotations

import os
import sys
import time
import traceback

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keel.bootstrap import Workspace


def told(error: Exception, workspace: Workspace | None, verbose: bool) -> str:
    """What to say about it, after the details are kept."""
    text = "".join(traceback.format_exception(error))
    if verbose:
        return f"{text}keel: {_line(error)}"
    log = _keep(text, workspace)
    where = f"details are in {log}" if log else "run again with -v for details"
    return f"keel: {_line(error)}; {where}"


def _line(error: Exception) -> str:
    said = str(error).partition("\n")[0]
    return f"this is a fault of keel: {type(error).__name__}{': ' if said else ''}{said}"


def _keep(text: str, workspace: Workspace | None) -> str:
    """Adds the details to the log; its path, or nothing when it cannot be written."""
    from keel.bootstrap import LOG

    if workspace is None:
        return ""
    path = workspace.kept(LOG)
    try:
        with open(path, "a", encoding="utf-8", errors="backslashreplace") as file:
            stamp = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
            file.write(f"{stamp} keel {' '.join(sys.argv[1:])}\n{text}\n")
    except OSError:
        return ""
    return os.path.relpath(path)
