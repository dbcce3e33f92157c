"""The catalogue of tools: which operations are listed, with descriptions, schemas and hints.

Everything follows from the operation: its docstring is the description, `Params` the input schema, `Result` the output
schema, `GROUP` what may be hinted about its effects. Models read it at the start of every conversation, and it costs
tokens, so it is short. Calling a tool is left to `calls.py`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from keel import registry
from keel.formats.llm import DEFAULT_TOKENS
from keel.model.record import Field, fields_of
from keel.model.schemas import schema_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from keel.ports.operation import Operation

DEFAULT = ("resolve", "search", "find", "describe", "neighbors", "impact", "compile", "explain")
"""Listed unless all are asked for, in this order: the questions of an agent that reads and edits code."""
MAX_TOKENS = "max_tokens"
BUDGET = Field("Budget of the text.", DEFAULT_TOKENS, least=100, most=100_000)
"""What every tool takes beside the parameters of its operation."""
BUDGET.type = "int"
LARGE = 1_000_000
RESOLVE = "resolve"
ASKING, CHECKING, BUILDING = "ask", "check", "build"
Schema = dict[str, Any]

INSTRUCTIONS = """\
keel knows what every name in this workspace refers to, with evidence, as the files are now.
- A name, dotted name, path:line, hash or route: `resolve`. Words of your own: `search`. A set by kind: `find`.
- What a symbol is: `describe`. Who uses it, what it uses: `neighbors`.
- Before changing a signature or removing something: `impact`. After every edit: `compile`, until nothing is broken.
- `explain` shows the evidence behind a finding or an edge.
An empty answer says whether nothing exists or something similar may be meant."""


class Tool(NamedTuple):
    """An operation as a tool."""

    name: str
    """The verb; that of a family has an underscore: `tools_list`."""
    verb: str
    operation: Operation

    @property
    def group(self) -> str:
        """What the operation is good for."""
        return str(getattr(self.operation, "GROUP", ""))

    @property
    def fields(self) -> dict[str, Field]:
        """What it can be given, without what is for people at a terminal."""
        aside = getattr(self.operation.Params, "AT_TERMINAL", ())
        return {name: said for name, said in fields_of(self.operation.Params).items() if name not in aside}


def tools(every: bool = False) -> dict[str, Tool]:
    """The tools by name: the default ones that there are, then, if asked for, every other."""
    known = registry.names(registry.OPERATIONS)
    verbs = [verb for verb in DEFAULT if verb in known]
    if every:
        verbs += [verb for verb in known if verb not in DEFAULT]
    found = (Tool(verb.replace(" ", "_"), verb, operation) for verb in verbs if (operation := _loaded(verb)))
    return {tool.name: tool for tool in found if not _streams(tool.operation)}


def _loaded(verb: str) -> Operation | None:
    try:
        return registry.operation(verb)
    except Exception:  # a broken plugin must not hide the others; `keel help commands` shows why
        return None


def _streams(operation: Operation) -> bool:
    """Whether its answer has no bound, which makes it unfit for a conversation."""
    return any(said.type.startswith("Iterator[") for said in fields_of(operation.Result).values())


def entry(tool: Tool) -> Schema:
    """A tool as `tools/list` shows it."""
    return {
        "name": tool.name,
        "title": f"keel {tool.verb}",
        "description": _description(tool.operation),
        "inputSchema": _input(tool),
        "outputSchema": _output(tool.operation.Result),
        "annotations": _annotations(tool),
    }


def _description(operation: Operation) -> str:
    """The first line of the docstring, and the sentence that sends names to `resolve`, where there is one."""
    summary, _, rest = (operation.__doc__ or "").strip().partition("\n")
    prose = [" ".join(part.split()) for part in rest.split("\n\n") if not part.lstrip("\n").startswith(" ")]
    sentences = [sentence for part in prose for sentence in re.split(r"(?<=\.)\s", part)]
    return f"{summary} {next((one for one in sentences if f'`{RESOLVE}`' in one), '')}".rstrip()


def _annotations(tool: Tool) -> Schema:
    """Hints about effects. What asks changes nothing but keel's own graph, which follows the files.

    What checks also remembers how often it found the same, so that it is neither read-only nor twice the same. All else
    may change files of the user, or, as tools of the tool spaces do, anything.
    """
    if tool.group == ASKING:
        return {"readOnlyHint": True, "idempotentHint": True, "openWorldHint": False}
    harmless = tool.group in (CHECKING, BUILDING)
    return {"readOnlyHint": False, "destructiveHint": not harmless, "openWorldHint": not harmless}


def _input(tool: Tool) -> Schema:
    described = schema_of(tool.operation.Params, output=False)
    required = [name for name in described["required"] if name in tool.fields]
    names = sorted(tool.fields, key=lambda name: name not in required)  # what must be said is told first
    properties = {name: _brief(described["properties"][name]) for name in names}
    properties[MAX_TOKENS] = {
        "type": "integer",
        "description": BUDGET.help,
        "default": BUDGET.default,
        "minimum": BUDGET.least,
    }
    return {
        "type": "object",
        "properties": properties,
        **({"required": required} if required else {}),
        "additionalProperties": False,
    }


def _brief(schema: Mapping[str, Any]) -> Schema:
    """A parameter without what goes without saying: that it may be left out, defaults and bounds that say nothing."""
    said = dict(schema)
    forms = [form for form in said.pop("anyOf", ()) if form != {"type": "null"}]
    if forms:
        said = {**(forms[0] if len(forms) == 1 else {"anyOf": forms}), **said}
    if said.get("default", ...) in (None, "", [], {}, False):
        del said["default"]
    if said.get("minimum") in (0, 1):
        del said["minimum"]
    if said.get("maximum", 0) > LARGE:
        del said["maximum"]
    return said


def _output(result: type) -> Schema:
    """The fields of an answer and their types. What is inside of them is in the schemas of the documentation.

    None is said to be required, since the answer of a failure is another one: `failure`.
    """
    described = schema_of(result)
    fields = described.get("properties", {})  # none where the answer has several forms
    return {"type": "object", "properties": {name: _kind(said) for name, said in fields.items()}}


def _kind(said: Mapping[str, Any]) -> Schema:
    kinds = [form["type"] for form in said.get("anyOf", [said]) if "type" in form]
    return {"type": kinds[0] if len(kinds) == 1 else kinds} if kinds else {}
