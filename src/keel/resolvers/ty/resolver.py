"""The resolver over ty: the Definitions socket for one Python project.

Making it costs a look at ty's version; the server is started with the first request. Finding ty is left to `find`,
talking to it to `lsp`.

Two things are ty's own. It unpacks the standard library's stubs into the user's cache when a definition is in them: on
the very first run some of these answers are missing, and all of them where the cache cannot be written; answers inside
the project do not depend on it. And it reads files as UTF-8: about a file in another encoding it is silent.
"""

from __future__ import annotations

import os
from collections.abc import Generator, Iterable, Sequence

from keel.errors import HelperError
from keel.ports.definitions import Answer, Position
from keel.resolvers.lsp.client import Launch
from keel.resolvers.lsp.definitions import ServerDefinitions
from keel.resolvers.lsp.framing import Json
from keel.resolvers.ty.find import Ty, find_ty


class TyResolver:
    """ty for one project; without a usable ty it answers nothing, and `trouble` has the reason."""

    def __init__(
        self, project_root: str, infer_returns: bool = False, ty: Ty | None = None, sources: Sequence[str] = ()
    ) -> None:
        """`infer_returns`: also infer what functions without annotations return, which takes longer.

        It finds more methods and fewer `super()` calls: a second opinion on what stayed silent, not a better first.
        `sources`: the folders that imports start from, absolute; none says that ty is to find them by itself.
        """
        self.ty: Ty | None = None
        self._trouble: HelperError | None = None
        self._server: ServerDefinitions | None = None
        try:
            self.ty = ty or find_ty()
        except HelperError as error:
            self._trouble = error
            return
        self._trouble = self.ty.doubt
        self._server = ServerDefinitions(launch(self.ty, project_root, infer_returns, sources))

    def __enter__(self) -> TyResolver:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self._leave(politely=kind is None)

    @property
    def available(self) -> bool:
        """Whether there is a usable ty, and it has not been given up."""
        return self._server is not None and self._server.available

    @property
    def trouble(self) -> HelperError | None:
        """What to report: what cost answers, or else a warning about the version."""
        return (self._server.trouble if self._server is not None else None) or self._trouble

    def ask(self, questions: Iterable[Position]) -> Generator[tuple[Position, Answer], None, None]:
        """Each question with its definitions."""
        if self._server is None:
            return ((position, None) for position in questions)
        return self._server.ask(questions)

    def close(self) -> None:
        """Ends ty."""
        self._leave(politely=True)

    def _leave(self, politely: bool) -> None:
        if self._server is not None:
            self._server.close(politely)


def launch(ty: Ty, project_root: str, infer_returns: bool, sources: Sequence[str] = ()) -> Launch:
    """How ty is started and configured for a project."""
    configuration: dict[str, Json] = {}
    if infer_returns:
        configuration["analysis"] = {"return-type-inference": "always"}
    if sources:
        # By itself ty knows the project's folder and `src`, no members of a workspace and no other roots. Folders that
        # the project's own settings for ty name are searched after these.
        configuration["environment"] = {"root": list(sources)}
    # Diagnostics are not used here, and they cost most of the time ty takes.
    options: dict[str, Json] = {"diagnosticMode": "off"}
    if configuration:
        options["configuration"] = configuration
    return Launch("ty", (ty.path, "server"), os.path.abspath(project_root), options)
