"""keel: what does this name refer to, and how do we know?

The public names are few: `keel.open(path)` gives a `Workspace`, whose methods are the commands
(`keel.open(".").where("greet")`), and every error is a `KeelError`. To use an operation directly, open a workspace with
`open_workspace` and pass it on (`keel.operations.where.run(workspace, Params(…))`). `PythonHeuristicResolver` resolves
the names of a Python project without a graph on disk, `TyResolver` does so together with the type checker ty. Names are
imported on first use, since the command line starts with this module.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keel.bootstrap import open_workspace
    from keel.errors import KeelError
    from keel.surfaces.library.heuristic import PythonHeuristicResolver
    from keel.surfaces.library.ty import TyResolver
    from keel.surfaces.library.workspace import Workspace, open

__all__ = [
    "KeelError",
    "PythonHeuristicResolver",
    "TyResolver",
    "Workspace",
    "__version__",
    "open",
    "open_workspace",
]
__version__ = "0.1.0"


def __getattr__(name: str) -> object:
    if name == "open_workspace":
        from keel.bootstrap import open_workspace

        return open_workspace
    if name == "KeelError":
        from keel.errors import KeelError

        return KeelError
    if name == "PythonHeuristicResolver":
        from keel.surfaces.library.heuristic import PythonHeuristicResolver

        return PythonHeuristicResolver
    if name == "TyResolver":
        from keel.surfaces.library.ty import TyResolver

        return TyResolver
    if name in ("Workspace", "open"):
        from keel.surfaces.library import workspace

        return getattr(workspace, name)
    raise AttributeError(f"module 'keel' has no attribute '{name}'")
