"""Jobs: everything a primitive needs for one run, put together from a chain and its parameters.

The settings of a chain are merged, the primitive's first: those nearer to the tool win, but `args` are joined in that
order. Running a job is left to the primitives.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import NamedTuple

from keel.errors import RunError
from keel.toolspaces.chain import Chain
from keel.toolspaces.environment import Environment, EnvironmentProblem, environment_of
from keel.toolspaces.manifests.manifest import CONFIG, ENVIRONMENT
from keel.toolspaces.manifests.plain_values import read_json
from keel.toolspaces.templates import TemplateError, filled, filled_list

SOURCE = "tool.source"
TEXT, JSON = "text", "json"
OUTPUTS = (TEXT, JSON)
KEPT, MAX_KEPT = 1 << 20, 1 << 28
"""Bytes of output that are kept when nothing is said, and the most that can be asked for."""


class Job(NamedTuple):
    """One run, ready for a primitive."""

    item_id: str
    config: Mapping[str, object]
    params: Mapping[str, object]
    values: Mapping[str, object]
    """What templates are filled with."""
    environment: Environment
    project: str

    def text(self, key: str, usual: str = "") -> str:
        """A setting that is a template, filled."""
        said = self.config.get(key, usual)
        if not isinstance(said, str):
            raise self.problem(f"CONFIG: {key} must be a text")
        try:
            return filled(said, self.values)
        except TemplateError as error:
            raise self.problem(f"CONFIG: {key}: {error}") from error

    def texts(self, key: str) -> list[str]:
        """A setting that is a list of templates, filled."""
        said = self.config.get(key, [])
        if not isinstance(said, list) or not all(isinstance(each, str) for each in said):
            raise self.problem(f"CONFIG: {key} must be a list of texts")
        try:
            return filled_list(said, self.values)
        except TemplateError as error:
            raise self.problem(f"CONFIG: {key}: {error}") from error

    def table(self, key: str) -> dict[str, str]:
        """A setting that maps names to templates, filled; one for a parameter that was not given is left out."""
        said = self.config.get(key, {})
        if not isinstance(said, dict) or not all(isinstance(each, str) for each in said.values()):
            raise self.problem(f"CONFIG: {key} must map names to texts")
        try:
            found = {name: filled_list([template], self.values) for name, template in said.items()}
        except TemplateError as error:
            raise self.problem(f"CONFIG: {key}: {error}") from error
        return {name: texts[0] for name, texts in found.items() if texts}

    def number(self, key: str, usual: float, most: float) -> float:
        """A setting that is a number above zero."""
        said = self.config.get(key, usual)
        if isinstance(said, bool) or not isinstance(said, int | float) or not 0 < said <= most:
            raise self.problem(f"CONFIG: {key} must be a number above 0 and at most {most:g}")
        return float(said)

    def whole(self, key: str, usual: int, most: int) -> int:
        """A setting that is a whole number."""
        said = self.config.get(key, usual)
        if isinstance(said, bool) or not isinstance(said, int) or not 0 <= said <= most:
            raise self.problem(f"CONFIG: {key} must be a whole number from 0 to {most}")
        return said

    def flag(self, key: str) -> bool:
        """A setting that is true or false."""
        said = self.config.get(key, False)
        if not isinstance(said, bool):
            raise self.problem(f"CONFIG: {key} must be true or false")
        return said

    def one_of(self, key: str, known: tuple[str, ...]) -> str:
        """A setting that is one of several words, usually the first."""
        said = self.config.get(key, known[0])
        if said not in known:
            raise self.problem(f"CONFIG: {key} must be one of {', '.join(known)}")
        return str(said)

    @property
    def limit(self) -> int:
        """How many bytes of output are kept."""
        return self.whole("max_output", KEPT, MAX_KEPT)

    def problem(self, text: str, hint: str = "") -> RunError:
        """An error of this job."""
        return RunError(self.item_id, text, hint)


class Outcome(NamedTuple):
    """The result of a job."""

    success: bool
    data: object = None
    error: str = ""
    messages: str = ""
    """The standard error of the tool."""
    exit_code: int | None = None
    warnings: tuple[str, ...] = ()


def job_of(chain: Chain, params: Mapping[str, object], source: str, around: Mapping[str, str]) -> Job:
    """A job from a chain; `source` is a file with the tool's bytes, and `around` the environment keel runs in."""
    tool = chain.tool
    settings = merged([each.manifest.table(CONFIG) for each in reversed(chain.elements)])
    said = [each.manifest.table(ENVIRONMENT) for each in reversed(chain.elements)]
    try:
        environment = environment_of(said, chain.project, around)
    except EnvironmentProblem as error:
        raise RunError(tool.item_id, str(error)) from error
    own = {
        "tool.id": tool.item_id,
        "tool.path": tool.path,
        "tool.folder": os.path.dirname(tool.path),
        "tool.params": json.dumps(params, ensure_ascii=False),
        SOURCE: source,
        "project.path": chain.project,
        **({"runtime.interpreter": environment.interpreter} if environment.interpreter else {}),
        **{f"config.{key}": value for key, value in settings.items() if isinstance(value, str)},
        **{f"env.{name}": value for name, value in environment.passed.items()},
    }
    values = {**{name: value for name, value in params.items() if "." not in name}, **own}
    return Job(tool.item_id, settings, params, values, environment, chain.project)


def merged(settings: list[Mapping[str, object]]) -> dict[str, object]:
    """Settings merged; later ones win."""
    found: dict[str, object] = {}
    for each in settings:
        before, more = found.get("args"), each.get("args")
        found |= each
        if isinstance(before, list) and isinstance(more, list):
            found["args"] = [*before, *more]
    return found


def wants_source(chain: Chain) -> bool:
    """Whether anything in a chain asks for a file with the tool's bytes."""
    return any(f"{{{SOURCE}}}" in str(each.manifest.table(CONFIG).get("args", "")) for each in chain.elements)


def answer_of(job: Job, text: str) -> tuple[object, str]:
    """The output of a tool, decoded as its settings say; and what is wrong with it."""
    if job.one_of("output", OUTPUTS) == TEXT:
        return text, ""
    try:
        return read_json(text), ""
    except ValueError as error:
        return text, f"its output is no JSON ({error})"
