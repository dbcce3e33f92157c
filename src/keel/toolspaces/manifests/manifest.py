"""A manifest: what a tool's file declares about the tool, read without running it.

The names of a manifest, their types, and which are required. Reading them from Python and YAML is left to
`python_files.py` and `yaml_files.py`, whether tools fit together to `toolspaces/validation.py`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import NamedTuple

from keel.errors import ManifestError
from keel.toolspaces.item_ids import is_id
from keel.toolspaces.manifests.plain_values import Problem
from keel.toolspaces.manifests.python_files import assigned, glanced
from keel.toolspaces.reading import read_regular

TYPE, EXECUTOR, VERSION, DESCRIPTION = "__tool_type__", "__executor_id__", "__version__", "__tool_description__"
INPUTS, OUTPUTS = "__inputs__", "__outputs__"
SCHEMA, ENVIRONMENT, CONFIG, CONSTRAINTS = "CONFIG_SCHEMA", "ENV_CONFIG", "CONFIG", "child_constraints"
KEYS = (TYPE, EXECUTOR, VERSION, DESCRIPTION, INPUTS, OUTPUTS, SCHEMA, ENVIRONMENT, CONFIG, CONSTRAINTS)
"""Every name of a manifest; all others in the file are ignored."""

NOTHING_SAID = f"{TYPE} and {EXECUTOR} are missing"
"""The problem of a file that is no tool, but may be a module that tools use."""


class Manifest(NamedTuple):
    """What a tool declares about itself."""

    tool_type: str
    executor_id: str | None
    """The tool that runs it; None for a primitive."""
    said: Mapping[str, object]
    """All values, by their names in the file."""
    lines: Mapping[str, int]
    """The line of each name."""

    @property
    def version(self) -> str:
        """Its version, empty when it says none."""
        return str(self.said.get(VERSION) or "")

    @property
    def description(self) -> str:
        """What it does, in its own words."""
        return str(self.said.get(DESCRIPTION) or "")

    def table(self, key: str) -> Mapping[str, object]:
        """One of the settings that are mappings; empty when it is not said."""
        held = self.said.get(key)
        return held if isinstance(held, dict) else {}


def parse_metadata(path: str | os.PathLike[str]) -> dict[str, object]:
    """What the file at a path says, by name: `__tool_type__`, `__executor_id__` and the others it has."""
    place = os.fspath(path)
    stem = os.path.splitext(os.path.basename(place))[0]
    try:
        data = read_regular(stem, os.path.realpath(place))
    except OSError as error:
        raise ManifestError(stem, place, error.strerror or str(error)) from error
    return dict(parsed(stem, place, data).said)


def parsed(item_id: str, path: str, data: bytes, at_a_glance: bool = False) -> Manifest:
    """The manifest in the bytes of a file; the suffix of the path says how they are read.

    At a glance, code behind the manifest is not looked at: enough to list a tool, not to run it.
    """
    try:
        if path.endswith(".yaml"):
            from keel.toolspaces.manifests.yaml_files import mapped  # few tools need the parser

            said, lines = mapped(data, KEYS)
        else:
            said, lines = glanced(data, KEYS) if at_a_glance else assigned(data, KEYS)
        _check(said, lines)
    except Problem as problem:
        raise ManifestError(item_id, path, problem.text, problem.line) from problem
    executor = said[EXECUTOR]
    return Manifest(str(said[TYPE]), None if executor is None else str(executor), said, lines)


def _check(said: Mapping[str, object], lines: Mapping[str, int]) -> None:
    """Raises an error for a missing required name, or a value of the wrong type."""
    missing = [key for key in (TYPE, EXECUTOR) if key not in said]
    if missing:
        raise Problem(f"{missing[0]} is missing" if len(missing) == 1 else NOTHING_SAID)
    for key, value in said.items():
        problem = WANTED[key](value)
        if problem:
            raise Problem(f"{key} {problem}", lines.get(key))


def _text(value: object) -> str:
    return "" if isinstance(value, str) and value.strip() else "must be a text, in quotes"


def _executor(value: object) -> str:
    if value is None or (isinstance(value, str) and is_id(value)):
        return ""
    return "must be the id of a tool, or None for a primitive"


def _names(value: object) -> str:
    """Names of values, as a list or as the keys of a mapping."""
    held = list(value) if isinstance(value, list | dict) else [None]
    return "" if all(isinstance(name, str) for name in held) else "must be a list of names, or a mapping by name"


def _table(value: object) -> str:
    return "" if isinstance(value, dict) else "must be a mapping"


def _schema(value: object) -> str:
    return "" if isinstance(value, dict | bool) else "must be a JSON Schema: a mapping, or true or false"


def _constraints(value: object) -> str:
    known = {"min_version", "max_version"}
    entries = value.values() if isinstance(value, dict) else [None]
    is_right = all(isinstance(said, dict) and said.keys() <= known for said in entries)
    return "" if is_right else "must map ids of tools to mappings with min_version, max_version or both"


WANTED: Mapping[str, Callable[[object], str]] = {
    TYPE: _text,
    EXECUTOR: _executor,
    VERSION: _text,
    DESCRIPTION: _text,
    INPUTS: _names,
    OUTPUTS: _names,
    SCHEMA: _schema,
    ENVIRONMENT: _table,
    CONFIG: _table,
    CONSTRAINTS: _constraints,
}
"""What is wrong with a value, by name; empty when nothing is."""
