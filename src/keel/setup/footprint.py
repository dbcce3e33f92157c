"""What keel has written for a workspace, and removing it: for `init`, which may have to roll back, and for `deinit`.

Which paths can exist is declared by the workspace. Nothing is removed here that is not named.
"""

from __future__ import annotations

import os
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from keel.errors import WorkspaceError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from keel.model.footprint import Footprint


def everything(footprint: Footprint) -> list[str]:
    """All paths that a footprint can have, except folders."""
    return [*footprint.graph, *footprint.others, footprint.config, *footprint.shared, footprint.ignore]


def is_file(path: str) -> bool:
    """Whether a path exists and is not a folder; of a link, the link itself."""
    return os.path.lexists(path) and (os.path.islink(path) or not os.path.isdir(path))


def text_of(path: str) -> str | None:
    """The text of a file; None when it does not exist, or is not text."""
    try:
        with open(path, encoding="utf-8", newline="") as file:
            return file.read()
    except (OSError, UnicodeDecodeError):
        return None


def take_away(paths: Iterable[str]) -> None:
    """Removes files, and those of their folders that are then empty; what does not exist is skipped."""
    folders = set()
    for path in paths:
        try:
            os.remove(path)
        except FileNotFoundError:
            continue
        except OSError as error:
            raise WorkspaceError(f"cannot take away {path}: {error.strerror}; run it again when it can be") from error
        folders.add(os.path.dirname(path))
    for folder in folders:
        with suppress(OSError):  # it has other content, or is a link
            os.rmdir(folder)


@contextmanager
def taken_back_on_failure(footprint: Footprint) -> Iterator[None]:
    """What the block creates is removed when it fails; what existed before is kept."""
    before = {path for path in everything(footprint) if os.path.lexists(path)}
    had_folder = os.path.lexists(footprint.folder)
    try:
        yield
    except BaseException:
        with suppress(WorkspaceError):  # the original failure is the one to report
            take_away(path for path in everything(footprint) if path not in before and is_file(path))
        if not had_folder:
            with suppress(OSError):
                os.rmdir(footprint.folder)
        raise
