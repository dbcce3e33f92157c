"""A workspace for Python programs: `keel.open(path)`, with every command as a method.

Parameters and answers are those of the command line; failures are errors of `keel.errors`. Finding the methods is left
to `verbs.py`.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Self

from keel import registry
from keel.bootstrap import open_workspace
from keel.errors import UsageError, WorkspaceError, brief
from keel.surfaces.given import params_of
from keel.surfaces.library.verbs import Verbs

if TYPE_CHECKING:
    from collections.abc import Callable


class Workspace(Verbs):
    """A folder that questions are asked about, as `keel.open` gives it.

    Answers are about the files as they are when they are asked for. It can be used by several threads; one of them
    writes at a time.
    """

    def __init__(
        self, path: str | os.PathLike[str] = ".", progress: Callable[[str, int, int], None] | None = None
    ) -> None:
        self._start, self._progress = os.path.abspath(os.fspath(path)), progress
        self._is_closed = False
        self.folder = open_workspace(self._start).folder
        """The workspace folder: the given one, or the one above that has a configuration, a graph or git."""

    def ask(self, verb: str, **given: object) -> Any:
        """The answer of a verb that is named: `ask("describe", symbol="greet")` is `describe("greet")`."""
        if self._is_closed:
            raise WorkspaceError(f"{self.folder} was closed; open it again")
        operation = registry.operation(verb)
        if operation is None:
            known = ", ".join(registry.names(registry.OPERATIONS))
            raise UsageError(f"there is no verb '{brief(verb)}'", f"there are {known}")
        params = params_of(operation.Params, given)
        # Opened anew for each question: the configuration is a file like others, and may have changed.
        workspace = open_workspace(self._start, self.folder, self._progress)
        try:
            return operation.run(workspace, params)
        finally:
            workspace.close()  # what was started for it, such as ty, would outlive it

    def close(self) -> None:
        """Closes it: later calls fail. A `with` block does so by itself."""
        self._is_closed = True

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"keel.open({self.folder!r})"


def open(path: str | os.PathLike[str] = ".", progress: Callable[[str, int, int], None] | None = None) -> Workspace:
    """Opens the workspace that a folder belongs to, found as the command line finds it.

    `progress` is called by long work: with the stage, how much of it is done, and of how much.
    """
    return Workspace(path, progress)
