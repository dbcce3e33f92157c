"""The resolver of Python with ty as a class: keel's own analysis of a project, confirmed by the type checker.

Building the graph is left to `heuristic`, talking to ty to `resolvers`.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Mapping, Sequence

from keel.errors import HelperError
from keel.languages.python import language
from keel.model.kinds import Tier
from keel.ports.definitions import Helper, Project
from keel.resolvers.ty import resolver
from keel.resolvers.ty.find import Ty, find_ty
from keel.surfaces.library.heuristic import ProjectResolution, PythonHeuristicResolver

log = logging.getLogger("keel")


class TyResolver(PythonHeuristicResolver):
    """Resolves the names of a Python project by keel's own analysis and the type checker ty.

    Without a usable ty there is a warning in the log of `keel`, `available` is false, and everything is answered by
    keel's own analysis. The project is read when it is first asked about, and not again: make a new resolver after
    edits. It belongs to one thread.
    """

    def __init__(self, project_root: str | os.PathLike[str]) -> None:
        super().__init__(project_root)
        self.ty_binary = ""
        """The path of the ty that is run; empty when there is none."""
        self._ty: Ty | None = None
        try:
            self._ty = find_ty()
            self.ty_binary = self._ty.path
        except HelperError as error:
            log.warning("Python is resolved by keel's own analysis only: %s", error)
        self.available = self._ty is not None
        """Whether there is a usable ty."""

    def resolve_project(self) -> ProjectResolution:
        """All nodes, edges, and references without an edge.

        A ty that breaks costs its answers; what it was is in `warnings` and in the log.
        """
        resolution = super().resolve_project()
        for warning in self.warnings:
            log.warning("%s", warning)
        return resolution

    def _helpers(self) -> Mapping[str, Sequence[Helper]]:
        ty = self._ty
        if ty is None:
            return {}

        def open_ty(project: Project, second_opinion: bool) -> resolver.TyResolver:
            return resolver.TyResolver(project.folder, second_opinion, ty, project.sources)

        return {language.name: [Helper("ty", int(Tier.TIER2_TY), open_ty, has_second_opinion=True)]}
