"""The Operation socket: one verb that keel can be asked, as a module under `operations/`.

The module's name is the verb, its docstring the help and the page. The command line and the
schemas are derived from `Params` and `Result`; how an answer becomes text is left to the formats.
"""

from __future__ import annotations

from typing import Any, Protocol


class Operation(Protocol):
    """A module with these names. The first line of its docstring stands in lists of verbs.

    It may also say `FORMATS`: the names of the formats its results can be shown in, the usual one first. Without it,
    those are `human`, `json` and `llm`. And `GROUP`: a word for what it is good for (`ask`, `build`, `set up`, …), by
    which help lists it; `ask` also says that it changes nothing but keel's own graph, `check` and `build` that no file
    of the user's is changed. A parameter called `symbol` is a symbol handle, and completed as one. Parameters that
    `Params.AT_TERMINAL` names, such as those about exit codes, are for people; other surfaces do not offer them.

    `QUICK = True`, on a line of its own, says that a daemon may answer: from the graph, within moments, without asking
    back or running programs. `STARTS_DAEMON = True` says that it runs after every edit, so that a daemon pays.

    One that changes what the user has, besides the graph, takes `yes: bool`. Without it the result is a plan, nothing
    is done, and the result's `question` (an attribute, no field) says what is to be agreed to: a surface that can ask
    does so, and calls again with `yes`; a plan that was refused is a "no". A result that leaves nothing to agree to
    has an empty one. Its `since_plan`, if there is one, is what to show to those who have seen the plan.
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
