"""The configuration that `init` proposes: severities by what the code complies with already, as a commented file.

The keys and their values are declared by the rules; measuring is left to `graph/compliance.py`.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping

from keel.config import ERROR, GRADED, Config, Enforcement, Override, Workspace
from keel.graph.compliance import Compliance
from keel.model.record import Field, Record, field

ENOUGH = 80
"""From this share on, in per cent, the code base is taken to follow the convention already."""

RELAXED = (("type_hints", "warning"), ("docstrings", "off"))
EXEMPT: Mapping[str, tuple[tuple[str, str], ...]] = {
    "tests": RELAXED,
    "test": RELAXED,
    "scripts": RELAXED,
    "fixtures": (("type_hints", "off"), ("docstrings", "off"), ("placement", "off")),
}
"""Folders in which less is required, whatever the rest complies with; they are not measured."""


class Measured(Record):
    """How much of the code meets a check, and the severity that follows."""

    functions: int = field("Public functions that were looked at.")
    comply: int = field("How many of them have it.")
    percent: int = field("The share, rounded down; 100 when there are none.")
    severity: str = field("What new and changed code is held to.")


def measured(compliance: Compliance, strict: bool) -> dict[str, Measured]:
    """The measure and severity of each check that `init` adapts."""
    having = {"type_hints": compliance.typed, "docstrings": compliance.documented}
    return {check: _measure(compliance.functions, comply, strict) for check, comply in having.items()}


def _measure(functions: int, comply: int, strict: bool) -> Measured:
    percent = comply * 100 // functions if functions else 100
    severity = ERROR if strict or percent >= ENOUGH else "warning"
    return Measured(functions=functions, comply=comply, percent=percent, severity=severity)


def is_exempt(path: str) -> bool:
    """Whether a file is in a folder in which less is required."""
    return not EXEMPT.keys().isdisjoint(path.split("/")[:-1])


def proposed(name: str, checks: Mapping[str, Measured], paths: Iterable[str]) -> Config:
    """The configuration for a workspace of one root with these files."""
    severities = {check: measure.severity for check, measure in checks.items()}
    return Config(
        workspace=Workspace(name=name, roots=((name, "."),)),
        enforcement=Enforcement(settings=tuple(severities.items()), overrides=_overrides(paths)),
    )


def _overrides(paths: Iterable[str]) -> tuple[Override, ...]:
    """Overrides for the exempt folders that exist: by their path at the top, or by their name at any depth."""
    at_top: set[str] = set()
    below: set[str] = set()
    for path in paths:
        first, *inner = path.split("/")[:-1] or [""]
        at_top.update({first} & EXEMPT.keys())
        below.update(EXEMPT.keys() & set(inner))
    return tuple(
        Override(pattern=f"**/{folder}/**" if folder in below else f"{folder}/**", settings=settings)
        for folder, settings in EXEMPT.items()
        if folder in at_top | below
    )


def differences(yours: Enforcement, proposal: Enforcement, keys: Mapping[str, Field]) -> list[str]:
    """The keys whose values differ, each with both values."""
    ours, theirs = _flat(proposal, keys), _flat(yours, keys)
    return [
        f"enforcement.{key} is {theirs.get(key, 'not there')}; init would write {ours.get(key, 'nothing')}"
        for key in dict.fromkeys((*ours, *theirs))
        if ours.get(key) != theirs.get(key)
    ]


def _flat(enforcement: Enforcement, keys: Mapping[str, Field]) -> dict[str, str]:
    overrides = {f'overrides."{entry.pattern}"': _inline(entry.settings) for entry in enforcement.overrides}
    return {**_values(enforcement, keys), **overrides}


def _values(enforcement: Enforcement, keys: Mapping[str, Field]) -> dict[str, str]:
    """Every key with its value, whether it is set or the default."""
    return {**{key: str(said.default) for key, said in keys.items()}, **dict(enforcement.settings)}


def written(config: Config, checks: Mapping[str, Measured], strict: bool, keys: Mapping[str, Field]) -> str:
    """The configuration as a commented file."""
    enforcement, breaker = config.enforcement, config.circuit_breaker
    roots = "\n".join(f"{_key(name)} = {_text(folder)}" for name, folder in config.workspace.roots)
    overrides = "\n".join(f"{_key(entry.pattern)} = {_inline(entry.settings)}" for entry in enforcement.overrides)
    return TEMPLATE.format(
        version=config.schema_version,
        name=_text(config.workspace.name),
        roots=roots,
        reasons="\n".join(f"#   {line}" for line in reasons(checks, strict)),
        settings="\n".join(_setting(key, value, keys[key]) for key, value in _values(enforcement, keys).items()),
        overrides=f"\n{overrides}" if overrides else "",
        max_retries=breaker.max_retries,
        auto_downgrade=str(breaker.auto_downgrade).lower(),
    )


def reasons(checks: Mapping[str, Measured], strict: bool) -> list[str]:
    """Why each check is as strict as it is."""
    return [f"{check} = {_text(measure.severity)}: {_reason(measure, strict)}" for check, measure in checks.items()]


def _reason(measure: Measured, strict: bool) -> str:
    if not measure.functions:
        return "there are no public functions yet"
    share = f"{measure.comply:,} of {measure.functions:,} public functions comply ({measure.percent} %"
    if measure.percent >= ENOUGH:
        return f"{share}, which is at least {ENOUGH} %)"
    return f"{share}); asked for with --strict" if strict else f"{share}, which is less than {ENOUGH} %)"


def _setting(key: str, value: str, said: Field) -> str:
    """A key with its value, and its choices where they are not the usual ones."""
    choices = "" if said.choices == GRADED else f"  # {' or '.join(map(_text, said.choices))}"
    return f"{key} = {_text(value)}{choices}"


def _inline(settings: Collection[tuple[str, str]]) -> str:
    return "{ " + ", ".join(f"{key} = {_text(value)}" for key, value in settings) + " }"


def _key(name: str) -> str:
    bare = name.replace("-", "").replace("_", "")
    return name if bare.isascii() and bare.isalnum() else _text(name)


def _text(value: str) -> str:
    """A basic string of TOML, which is written as JSON writes it except for one character."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


TEMPLATE = """\
# keel's configuration: meant to be committed, and yours from now on. `keel init` wrote it and never overwrites it.
# Every key may be left out, and then has the value that keel comes with.
schema_version = {version}

[workspace]
name = {name}

# The folders that are read, by the name that the ids of their symbols begin with. It is written down so that ids are
# the same in every clone and working tree, whatever its folder is called.
[workspace.roots]
{roots}

# How strict each check is: "error", "warning" or "off". New and changed code is held to `type_hints` and `docstrings`,
# code that was there before to the same with `_existing`. As measured when this file was written:
{reasons}
[enforcement]
{settings}

# What differs in some places; of the globs that match a file, the last one that names a key wins.
[enforcement.overrides]{overrides}

# After so many failed attempts at one finding it becomes a warning for the rest of the session.
[circuit_breaker]
max_retries = {max_retries}
auto_downgrade = {auto_downgrade}

# Findings that are not to count, each with its reason:
# [suppress]
# "src/legacy/adapter.py:validate" = {{ codes = ["W001"], reason = "adapts two interfaces on purpose" }}

# Globs that are exempt from the placement check:
# [exclude]
# placement = ["src/generated/**"]
"""
