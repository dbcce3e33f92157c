"""Validation: whether the elements of a chain may run each other.

A tool may rely on tools of its own space and of those below it, never on those above: what every project shares must
not depend on one project. All issues are reported, not only the first. Chains come as plain mappings or from
`chain.py`, to which resolving is left.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from msgspec import Struct

from keel.toolspaces.chain import ARROW, MAX_CHAIN_LENGTH, Chain, Element
from keel.toolspaces.manifests.manifest import CONSTRAINTS, INPUTS, OUTPUTS
from keel.toolspaces.spaces import RANK


class ValidationResult(Struct, frozen=True):
    """Whether a chain may run, with issues and warnings."""

    valid: bool
    issues: list[str] = []
    warnings: list[str] = []


class Link(NamedTuple):
    """What validation looks at of one element."""

    item_id: str
    space: str
    version: str = ""
    inputs: frozenset[str] | None = None
    outputs: frozenset[str] | None = None
    constraints: Mapping[str, object] = {}
    shadows: tuple[tuple[str, str], ...] = ()


def validate_chain(chain: Chain | Sequence[Element | Mapping[str, Any]]) -> ValidationResult:
    """Everything that is wrong with a chain, from the tool to the primitive."""
    links = [_link(each) for each in (chain.elements if isinstance(chain, Chain) else chain)]
    issues = [*_whole_issues(links), *(issue for link in links for issue in _space_issues(link))]
    warnings = [_shadow_warning(link) for link in links[1:] if link.shadows]
    for child, parent in pairwise(links):
        issues += _pair_issues(child, parent)
    return ValidationResult(valid=not issues, issues=issues, warnings=warnings)


def validate_space_compatibility(
    child: Element | Mapping[str, Any], parent: Element | Mapping[str, Any]
) -> ValidationResult:
    """Whether the space of a tool may rely on the space of what runs it."""
    links = _link(child), _link(parent)
    issues = [issue for link in links for issue in _space_issues(link)] + list(_precedence_issues(*links))
    return ValidationResult(valid=not issues, issues=issues)


def _link(each: Element | Mapping[str, Any]) -> Link:
    if isinstance(each, Element):
        said = each.manifest.said
        return Link(
            each.item_id,
            each.space,
            each.manifest.version,
            _names(said.get(INPUTS)),
            _names(said.get(OUTPUTS)),
            each.manifest.table(CONSTRAINTS),
            each.found.shadows,
        )
    constraints = each.get("child_constraints")
    return Link(
        str(each.get("item_id", "")),
        str(each.get("space", "")),
        str(each.get("version") or ""),
        _names(each.get("inputs")),
        _names(each.get("outputs")),
        constraints if isinstance(constraints, Mapping) else {},
    )


def _names(declared: object) -> frozenset[str] | None:
    """The names that were declared; None when nothing was."""
    return frozenset(map(str, declared)) if isinstance(declared, list | tuple | dict | set | frozenset) else None


def _whole_issues(links: Sequence[Link]) -> Iterator[str]:
    ids = [link.item_id for link in links]
    if not ids:
        yield "The chain is empty."
    if len(ids) > MAX_CHAIN_LENGTH:
        yield f"The chain has more than {MAX_CHAIN_LENGTH} elements: {ARROW.join(ids)}."
    for item_id in dict.fromkeys(item_id for item_id in ids if ids.count(item_id) > 1):
        first = ids.index(item_id)
        yield f"Circular chain: {ARROW.join(ids[first : ids.index(item_id, first + 1) + 1])}."


def _space_issues(link: Link) -> Iterator[str]:
    if link.space not in RANK:
        yield f"Tool '{link.item_id}' is from the unknown space '{link.space}'; there are {', '.join(RANK)}."


def _pair_issues(child: Link, parent: Link) -> Iterator[str]:
    yield from _precedence_issues(child, parent)
    if child.outputs is not None and parent.inputs is not None and not parent.inputs <= child.outputs:
        lacking = ", ".join(sorted(parent.inputs - child.outputs))
        yield f"Tool '{parent.item_id}' takes {lacking}, which '{child.item_id}' does not put out."
    constraint = parent.constraints.get(child.item_id)
    if isinstance(constraint, Mapping):
        from keel.toolspaces.versions import version_issues  # few chains say any

        yield from version_issues(child.item_id, child.version, parent.item_id, constraint)


def _precedence_issues(child: Link, parent: Link) -> Iterator[str]:
    lower, upper = RANK.get(child.space), RANK.get(parent.space)
    if lower is not None and upper is not None and lower < upper:
        yield (
            f"Tool '{child.item_id}' from {child.space} space cannot depend on '{parent.item_id}' from "
            f"{parent.space} space. Put a '{child.item_id}' into the {parent.space} space as well, or take this "
            f"'{parent.item_id}' out of it."
        )


def _shadow_warning(link: Link) -> str:
    below = ", ".join(space for space, _ in link.shadows)
    return f"Tool '{link.item_id}' from {link.space} space shadows the one from {below} space."
