"""Manifests in YAML: the keys of a manifest as one mapping of plain values.

Only what JSON can represent is accepted: no tags, no anchors and aliases (a few lines of which can expand to more than
fits in memory), no key twice. The parser is not part of a plain installation. The meaning of the keys is left to
`manifest.py`.
"""

from __future__ import annotations

from collections.abc import Container
from typing import TYPE_CHECKING, Any

from keel.toolspaces.extras import ExtraMissing, needed
from keel.toolspaces.manifests.plain_values import DEEPEST, Problem, plain

if TYPE_CHECKING:
    from yaml import Node


def mapped(data: bytes, keys: Container[str]) -> tuple[dict[str, object], dict[str, int]]:
    """What a YAML file says of the names of a manifest, and the lines on which it does."""
    try:
        yaml: Any = needed("yaml", "a tool in YAML")
    except ExtraMissing as missing:
        raise Problem(str(missing)) from missing
    try:
        _refuse_more_than_json(yaml, data)
        top = yaml.compose(data, Loader=_loader(yaml))
        if not isinstance(top, yaml.MappingNode):
            raise Problem("it is no mapping", 1)
        loader = yaml.SafeLoader(b"")
        said = {key: _value(yaml, loader, node) for key, node in _pairs(yaml, top) if key in keys}
        lines = {key: node.start_mark.line + 1 for key, node in _pairs(yaml, top) if key in keys}
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        problem = getattr(error, "problem", None) or type(error).__name__
        raise Problem(f"it is no YAML: {problem}", mark.line + 1 if mark is not None else None) from error
    except (ValueError, RecursionError, OverflowError) as error:
        raise Problem(f"it is no YAML that can be read: {type(error).__name__}: {error}") from error
    return said, lines


def _loader(yaml: Any) -> Any:
    """The parser in C where there is one, which is ten times as fast."""
    return getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def _refuse_more_than_json(yaml: Any, data: bytes) -> None:
    """Looks at the file event by event, which takes no more memory than its text."""
    depth = 0
    for event in yaml.parse(data, Loader=_loader(yaml)):
        line = event.start_mark.line + 1
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
            raise Problem("anchors and aliases are not taken", line)
        if getattr(event, "tag", None):
            raise Problem(f"tags are not taken: {event.tag}", line)
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
        if depth > DEEPEST:
            raise Problem("it holds lists or mappings too deep in each other", line)


def _value(yaml: Any, loader: Any, node: Node) -> object:
    if isinstance(node, yaml.MappingNode):
        return {key: _value(yaml, loader, value) for key, value in _pairs(yaml, node)}
    if isinstance(node, yaml.SequenceNode):
        return [_value(yaml, loader, item) for item in node.value]
    try:
        return plain(loader.construct_object(node))
    except Problem as problem:
        raise Problem(problem.text, node.start_mark.line + 1) from problem


def _pairs(yaml: Any, node: Node) -> list[tuple[str, Node]]:
    """The entries of a mapping: keys are texts, none of them twice."""
    found: dict[str, Node] = {}
    for key, value in node.value:
        line = key.start_mark.line + 1
        if not isinstance(key, yaml.ScalarNode) or not key.tag.endswith(":str"):
            raise Problem("a key is no text", line)
        if key.value in found:
            raise Problem(f"{key.value} is said twice", line)
        found[key.value] = value
    return list(found.items())
