"""What keel has written for a workspace, and taking it away: for `init`, which may have to go back, and `deinit`.

Which paths there can be is said by the workspace. Nothing is taken away here that is not named.
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
    """All paths that a footprint can have, but for folders."""
    return [*footprint.graph, *footprint.others, footprint.config, *footprint.shared, footprint.ignore]


def is_file(path: str) -> bool:
    """Whether there is something that can be taken away by itself; of a link, the link."""
    return os.path.lexists(path) and (os.path.islink(path) or not os.path.isdir(path))


def text_of(path: str) -> str | None:
    """What a file holds; None when there is none, or none that can be read as text."""
    try:
        with open(path, encoding="utf-8", newline="") as file:
            return file.read()
    except (OSError, UnicodeDecodeError):
        return None


def take_away(paths: Iterable[str]) -> None:
    """Removes files, and those of their folders that are empty then; what is gone already is fine."""
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
        with suppress(OSError):  # it holds something else, or is a link
            os.rmdir(folder)


@contextmanager
def taken_back_on_failure(footprint: Footprint) -> Iterator[None]:
    """What the block makes goes again when it fails; what was there before stays."""
    before = {path for path in everything(footprint) if os.path.lexists(path)}
    had_folder = os.path.lexists(footprint.folder)
    try:
        yield
    except BaseException:
        with suppress(WorkspaceError):  # the failure that led here is the one to tell
            take_away(path for path in everything(footprint) if path not in before and is_file(path))
        if not had_folder:
            with suppress(OSError):
                os.rmdir(footprint.folder)
        raise
