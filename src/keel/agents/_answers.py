"""Answers that several agents understand: findings on standard error with exit code 2, or in a JSON object.

Which of them an agent gets is left to its module.
"""

from __future__ import annotations

from keel.ports.agent import ADVISED, BLOCKED, FAILED, FAULT, STOPPED, TOLD, Answer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keel.ports.agent import Verdict


def by_exit_code(verdict: Verdict, event: str) -> Answer:
    """Errors by exit code 2 and standard error; warnings as context for the model; notices for the user."""
    if verdict.outcome == BLOCKED:
        return Answer(code=STOPPED, err=verdict.text)
    if verdict.outcome == ADVISED:
        return Answer(out=written({"hookSpecificOutput": {"hookEventName": event, "additionalContext": verdict.text}}))
    return to_watchers(verdict)


def to_watchers(verdict: Verdict) -> Answer:
    """A line on standard error when there is something to say, and an exit code that lets the edit pass."""
    if verdict.outcome == FAILED:
        return Answer(code=FAULT, err=verdict.text)
    return Answer(err=verdict.text) if verdict.outcome == TOLD else Answer()


def written(value: dict[str, object]) -> str:
    """An object on one line of JSON, in ASCII so that no terminal or pipe changes it."""
    from json import dumps

    return dumps(value)
