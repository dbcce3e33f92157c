"""The Operation socket: one verb of keel, as a module under `operations/`.

The module's name is the verb, its docstring the help and the page. Command line and schemas are derived from `Params`
and `Result`; turning a result into text is left to the formats.
"""

from __future__ import annotations

from typing import Any, Protocol


class Operation(Protocol):
    """A module with these names. The first line of its docstring is shown in lists of verbs.

    It may also define `FORMATS`: the names of the formats its results can be shown in, the default first. Without it,
    those are `human`, `json` and `llm`. And `GROUP`: the heading under which help lists it (`ask`, `build`, `set up`,
    …); `ask` also promises that it changes nothing but keel's own graph, `check` and `build` that no file of the user's
    is changed. A parameter called `symbol` is a symbol handle, and completed as one. Parameters named in
    `Params.AT_TERMINAL`, such as those about exit codes, are for people; other surfaces do not offer them.

    `QUICK = True`, on a line of its own, allows the daemon to answer: from the graph, within moments, without prompting
    or running programs. `STARTS_DAEMON = True` says that it runs after every edit, so that starting a daemon pays off.

    An operation that changes what the user has, besides the graph, takes `yes: bool`. Without it the result is a plan,
    nothing is done, and the result's `question` (an attribute, not a field) is what has to be agreed to: a surface that
    can prompt does so, and calls again with `yes`; a plan that was refused is a "no". A result with nothing to agree to
    has an empty `question`. Its `since_plan`, if it has one, is what to show to a user who has seen the plan.
    """

    __name__: str
    __doc__: str | None

    @property
    def Params(self) -> type[Any]:  # noqa: N802  # a class, as the module names it
        """The parameters: a Record whose fields declare type, default and meaning."""

    @property
    def Result(self) -> type[Any]:  # noqa: N802  # a class, as the module names it
        """The answer: a Record."""

    @property
    def run(self) -> Any:
        """`run(workspace, params) -> Result`."""
