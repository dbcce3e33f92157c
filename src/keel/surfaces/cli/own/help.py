"""Show the help of keel, of one command, or of a rule.

    keel help
    keel help where
    keel help tools run
    keel help commands
    keel help E005
    keel help where --json

Without a word it shows one screen to start with; `commands` lists every command and what it does. With `--json`, the
answer holds the JSON Schemas of the command's parameters, of its answer, and of what it says when it fails.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from keel.errors import UsageError
from keel.model.record import Record, field
from keel.registry import family
from keel.surfaces.cli.commands import command
from keel.surfaces.cli.help import catalogue, family_page, overview, page
from keel.surfaces.cli.streams import stdout, width_of

if TYPE_CHECKING:
    from typing import ClassVar

    from keel.ports.operation import Operation

GROUP = "shell"
COMMANDS = "commands"
WIDEST, NARROWEST = 100, 40


class Params(Record):
    """What `help` can be asked."""

    command: tuple[str, ...] = field(
        "A command, or `commands` for the list of all; or the code of a rule.", default=(), positional=True
    )


class Result(Record):
    """The help that was asked for."""

    LAYOUT: ClassVar = ("{text}",)

    text: str = field("What is shown to people.")
    parameters: dict[str, object] = field("The JSON Schema of what the command can be asked.")
    answer: dict[str, object] = field("The JSON Schema of what it answers.")
    failure: dict[str, object] = field("The JSON Schema of what it says with `--json` when it fails.")


def run(params: Params) -> Result:
    """The page of a command or of a family of them, the list of all, or the first screen."""
    from keel.surfaces.cli.main import Options

    width = max(NARROWEST, min(width_of(stdout()) or WIDEST, WIDEST))
    verb = " ".join(params.command)
    if verb in ("", COMMANDS) or family(verb):
        text = family_page(verb, width) if family(verb) else catalogue(width) if verb else overview(width)
        return Result(text=text, parameters={}, answer={}, failure={})
    rule = _rule(verb)
    if rule:
        return Result(text=rule, parameters={}, answer={}, failure={})
    if _looks_like_a_code(verb):
        raise UsageError(f"no rule has the code {verb.upper()}", "`docs/rules` lists them, and so does every finding")
    asked = command(verb)
    return Result(text=page(verb, asked, Options, width), **_schemas(asked))


def _looks_like_a_code(word: str) -> bool:
    return len(word) == 4 and word[0].isalpha() and word[1:].isdigit()


def _rule(code: str) -> str:
    """The page of the rule with a code; empty when there is none."""
    from keel import registry

    named = code.upper()
    return next(((rule.__doc__ or "").rstrip() for rule in registry.rules() if named == rule.CODE), "")


def _schemas(asked: Operation) -> dict[str, dict[str, object]]:
    from keel import registry
    from keel.model.schemas import schema_of
    from keel.surfaces.failures import Failure

    registry.rules()  # findings of some have fields of their own, which the schemas show
    return {
        "parameters": schema_of(asked.Params, output=False),
        "answer": schema_of(asked.Result),
        "failure": schema_of(Failure),
    }
