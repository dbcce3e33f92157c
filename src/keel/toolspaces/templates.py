"""Templates: texts of a tool's configuration with placeholders that a run fills.

`{name}` is a parameter; names with a dot are keel's own (`{tool.id}`, `{tool.path}`, `{project.path}`, …). A brace is
written twice. A placeholder is filled once and its value is not expanded again, so no value can inject a placeholder;
and each item of a list stays one argument, so no value can become two. Which texts are templates is left to the
primitives.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping

_PLACE = re.compile(r"\{\{|\}\}|\{([A-Za-z_][A-Za-z0-9_.-]*)\}|[{}]")


class TemplateError(Exception):
    """A template cannot be filled; the message says why."""


class Absent(TemplateError):
    """A parameter that the template names was not given."""


def filled(template: str, values: Mapping[str, object]) -> str:
    """The text of a template."""

    def fill(found: re.Match[str]) -> str:
        if found[0] in ("{{", "}}"):
            return found[0][0]
        if found[1] is None:
            raise TemplateError(f"there is a single brace in {template!r}; write {found[0] * 2} for {found[0]}")
        return text_of(_value(found[1], values))

    text = _PLACE.sub(fill, template)
    if "\0" in text:
        raise TemplateError(f"{template!r} would hold a NUL, which no program can be given")
    return text


def filled_list(templates: Iterable[str], values: Mapping[str, object]) -> list[str]:
    """Texts of templates, one for each. One that is a single placeholder for a list becomes the texts of that list; one
    for a parameter that was not given is left out."""
    texts: list[str] = []
    for template in templates:
        place = _PLACE.fullmatch(template)
        value = values.get(place[1]) if place and place[1] else None
        if isinstance(value, list):
            texts += [filled("{each}", {"each": item}) for item in value]
            continue
        try:
            texts.append(filled(template, values))
        except Absent:
            continue
    return texts


def text_of(value: object) -> str:
    """A value as a program gets it: a text as it is, anything else as JSON."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _value(name: str, values: Mapping[str, object]) -> object:
    if name in values:
        return values[name]
    if "." in name:
        own = ", ".join(sorted(known for known in values if "." in known))
        raise TemplateError(f"there is nothing called {{{name}}}; there are {own}")
    raise Absent(f"the parameter '{name}' is not given")
