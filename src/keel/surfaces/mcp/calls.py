"""Runs tool calls, each in a thread of its own, and turns answers and failures into results of the protocol.

Operations are synchronous, and read files and the graph: the event loop that serves all clients never waits for one. A
few run at a time, the rest queue up. Every exception becomes a failure with a kind, a message and a hint. The types of
the SDK are left to `server.py`.
"""

from __future__ import annotations

import re
import threading
import time
from typing import TYPE_CHECKING, Any, NamedTuple

from keel import registry
from keel.bootstrap import open_workspace
from keel.errors import AnswerUnfinished, GraphMissing, KeelError, SymbolAmbiguous, UsageError, brief
from keel.formats.json import plain
from keel.formats.llm import DEFAULT_TOKENS
from keel.surfaces.daemon.start import start_where_wanted
from keel.surfaces.failures import exit_code_of, failure_of
from keel.surfaces.given import misfit, params_of
from keel.surfaces.mcp.catalogue import BUDGET, CHECKING, MAX_TOKENS, Tool
from keel.surfaces.mcp.mapping import FirstMap

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from keel.bootstrap import Workspace

    Note = Callable[..., str]

MAX_MESSAGE_LENGTH = 4_000
"""Characters of a failure's message."""


class Cancelled(Exception):
    """The client has cancelled the call; raised where long work reports progress."""


class Answer(NamedTuple):
    """The result of a call: a text for the model, and the same as data."""

    text: str
    content: dict[str, Any]
    is_error: bool = False


class Call:
    """One running call, shared by the thread that answers it and the event loop."""

    def __init__(self) -> None:
        self.stage: tuple[str, int, int] = ("", 0, 0)
        """What is being done, how much of it is, and of how much."""
        self.is_cancelled = threading.Event()

    def progress(self, stage: str, done: int, total: int) -> None:
        """Called by long work; raises when the call was cancelled."""
        if self.is_cancelled.is_set():
            raise Cancelled
        self.stage = (stage, done, total)


class Asking:
    """Answers calls about one workspace; `note` writes its log."""

    def __init__(self, start: str, explicit: str | None, note: Note) -> None:
        self.workspace = open_workspace(start, explicit)
        self._start, self._note = start, note
        self._first_map = FirstMap(self.workspace.folder)
        self._is_watched = False

    def answer(self, tool: Tool, arguments: Mapping[str, object], call: Call) -> Answer:
        """The answer to one call, whatever happens."""
        began = time.perf_counter()
        # A workspace of its own: the configuration may have changed, and progress belongs to this call.
        workspace = self.workspace
        trouble: Exception | None = None
        remarks: tuple[str, ...] = ()
        try:
            workspace = open_workspace(self._start, workspace.folder, call.progress)
            budget, params = _read(tool, arguments)
            result = self._result(workspace, tool, params)
            remarks = tuple(getattr(result, "logged", ()))
            answer = Answer(_text(tool, result, budget), _content(result))
        except Exception as error:
            trouble = error
        finally:
            workspace.close()  # what was started for it, such as ty, would outlive it
        code = exit_code_of(trouble) if trouble is not None else 0
        words = ["mcp", tool.name, *(f"{name}={value}" for name, value in arguments.items())]
        log = self._note(workspace, words, code, time.perf_counter() - began, trouble, remarks)
        if not self._first_map.is_running():
            self._have_watched()
        return answer if trouble is None else _failed(tool, trouble, log)

    def _have_watched(self) -> None:
        """Starts the daemon once there is a graph: it keeps the graph fresh between calls."""
        if not self._is_watched and self.workspace.store.exists():
            self._is_watched = True
            start_where_wanted(self.workspace.folder)

    def unfinished(self, tool: Tool, call: Call, seconds: float) -> Answer:
        """What is said instead of an answer that takes too long; the work goes on."""
        return _failed(tool, AnswerUnfinished(seconds, *call.stage), "")

    def _result(self, workspace: Workspace, tool: Tool, params: object) -> object:
        try:
            # Checks would build the graph themselves, however long that takes.
            if self._first_map.is_running() or (tool.group == CHECKING and not workspace.store.exists()):
                self._first_map.await_graph(workspace)
            return tool.operation.run(workspace, params)
        except GraphMissing:
            self._first_map.await_graph(workspace)
            return tool.operation.run(workspace, params)


def _read(tool: Tool, arguments: Mapping[str, object]) -> tuple[int, object]:
    """The budget of the text, and the parameters of the operation."""
    given = dict(arguments)
    budget = given.pop(MAX_TOKENS, DEFAULT_TOKENS)
    params = params_of(tool.operation.Params, given, tool.fields)
    problem = misfit(BUDGET, budget)
    if problem or not isinstance(budget, int):
        raise UsageError(f"{MAX_TOKENS} {problem}")
    return budget, params


def _text(tool: Tool, result: object, budget: int) -> str:
    """The answer in few tokens; what it says about options is said in the words of the tool."""
    shape: Any = registry.format("llm")
    text = "".join(shape.within(budget).render(result)).rstrip("\n")
    return in_words_of(tool, text) or f"{tool.verb}: nothing to report"


def in_words_of(tool: Tool, text: str) -> str:
    """Options of the command line, as the parameters of a tool that they are: `--max-lines` is `max_lines`."""
    names = {f"--{name.replace('_', '-')}": name for name in (*tool.fields, MAX_TOKENS)}
    return re.sub(r"(?<![\w-])--[a-z][a-z-]*", lambda option: names.get(option[0], option[0]), text)


def _content(result: object) -> dict[str, Any]:
    content = plain(result)
    return content if isinstance(content, dict) else {"answer": content}


def _failed(tool: Tool, trouble: Exception, log: str) -> Answer:
    failure = failure_of(trouble, log)
    hint = failure.hint if log or isinstance(trouble, KeelError) else ""
    lines = [f"{failure.kind}: {brief(failure.error, MAX_MESSAGE_LENGTH)}{f'; {hint}' if hint else ''}"]
    if isinstance(trouble, SymbolAmbiguous):
        lines += [f"  {line}" for line in trouble.candidates]
        more = trouble.total - len(trouble.candidates)
        lines += [f"  … and {more:,} more"] if more else []
    details = {
        name: brief(value, MAX_MESSAGE_LENGTH) if isinstance(value, str) else value
        for name, value in failure.details.items()
    }
    failed = {
        "code": failure.kind,
        "message": brief(failure.error, MAX_MESSAGE_LENGTH),
        "hint": in_words_of(tool, hint),
    }
    return Answer(
        in_words_of(tool, "\n".join(lines)), {"failure": {**failed, "details": plain(details)}}, is_error=True
    )
