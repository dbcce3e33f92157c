"""Writes a file of a space: atomically, and never outside of the space.

The content is left to `locks.py` and `scaffold.py`; the system's space is never written.
"""

from __future__ import annotations

import os
from contextlib import suppress

from keel.errors import ToolNotWritten
from keel.toolspaces.reading import is_inside


def write_inside(item_id: str, path: str, root: str, data: bytes, anew: bool = False) -> None:
    """Writes a temporary file and renames it; with `anew`, an existing file is an error."""
    folder = os.path.dirname(path)
    # Before anything is made: a folder on the way may be a link out of the space.
    if not is_inside(os.path.join(os.path.realpath(folder), "x"), os.path.realpath(root)):
        raise ToolNotWritten(item_id, path, f"its folder lies outside of {root}")
    beside = f"{path}.{os.getpid()}.part"
    try:
        os.makedirs(folder, exist_ok=True)
        try:
            with open(beside, "xb") as file:
                file.write(data)
            if anew:
                os.link(beside, path)  # unlike replacing, this fails where something is
                os.remove(beside)
            else:
                os.replace(beside, path)
        except BaseException:
            with suppress(OSError):
                os.remove(beside)
            raise
    except FileExistsError as error:
        raise ToolNotWritten(item_id, path, "it already exists") from error
    except OSError as error:
        raise ToolNotWritten(item_id, path, error.strerror or str(error)) from error
