"""Parameters: which of them an argument reaches, by the language's rules.

The rules are defined once, for resolution, which follows arguments, and for binding, which decides whether a call fits.
What a call passes is left to `arguments` and `binding.calls`.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from keel.model.kinds import ParamKind

POSITIONAL = (ParamKind.POSITIONAL_ONLY, ParamKind.POSITIONAL_OR_KEYWORD)
NAMEABLE = (ParamKind.POSITIONAL_OR_KEYWORD, ParamKind.KEYWORD_ONLY)


class Taking(Struct, frozen=True):
    """What a parameter list takes; parameters are named by their index."""

    positional: tuple[int, ...] = ()
    """Those that positional arguments reach, in turn."""
    names: dict[str, int] = {}
    """Those that keywords reach."""
    star: int = -1
    """`*args`, which takes the positional arguments that are left; -1 when there is none."""
    double_star: int = -1
    """`**kwargs`, which takes the keywords that are left."""


def taking(kinds: Sequence[ParamKind], names: Sequence[str]) -> Taking:
    """What parameters of these kinds and names take."""
    return Taking(
        tuple([index for index, kind in enumerate(kinds) if kind in POSITIONAL]),
        {name: index for index, name in enumerate(names) if kinds[index] in NAMEABLE},
        kinds.index(ParamKind.VAR_POSITIONAL) if ParamKind.VAR_POSITIONAL in kinds else -1,
        kinds.index(ParamKind.VAR_KEYWORD) if ParamKind.VAR_KEYWORD in kinds else -1,
    )


def by_position(takes: Taking, count: int, skip: int = 0) -> Sequence[int]:
    """The parameters that so many positional arguments reach, one for each; fewer where none is left for them.

    The first `skip` parameters are the receiver's.
    """
    positional = [index for index in takes.positional if index >= skip] if skip else takes.positional
    if count <= len(positional) or takes.star < skip:
        return positional[:count]
    return [*positional, *[takes.star] * (count - len(positional))]


def by_name(takes: Taking, name: str) -> int:
    """The parameter that a keyword reaches; -1 when none takes it."""
    return takes.names.get(name, takes.double_star)
