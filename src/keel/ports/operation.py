"""The Operation socket: one verb that keel can be asked, as a module under `operations/`.

The module's name is the verb, its docstring the help and the page. The command line and the
schemas are derived from `Params` and `Result`; how an answer becomes text is left to the formats.
"""

from __future__ import annotations

from typing import Any, Protocol


class Operation(Protocol):
    """A module with these names. The first line of its docstring stands in lists of verbs.

    It may also say `FORMATS`: the names of the formats its results can be shown in, the usual one first. Without it,
    those are `human` and `json`.
    """

    __name__: str
    __doc__: str | None

    @property
    def Params(self) -> type[Any]:  # noqa: N802  # a class, as the module names it
        """What can be asked: a Record whose fields say type, default and meaning."""

    @property
    def Result(self) -> type[Any]:  # noqa: N802  # a class, as the module names it
        """What is answered: a Record."""

    @property
    def run(self) -> Any:
        """`run(workspace, params) -> Result`."""
