"""The metadata of an edge: stored in a short form, since thousands have the same, and shown in full.

Which edges have metadata is left to the linkers.
"""

from __future__ import annotations


def stored(star: str, candidates: list[str], own: list[str] | None = None) -> str:
    """The text of a row: the module of a star import, and the other candidates; empty for nothing.

    `own`, of an edge that only a helper found: the targets that linking had found instead, perhaps none.
    """
    import json  # only here and below: few edges have metadata, and every sync of an edit is a new process

    metadata: dict[str, object] = {"star": star} if star else {}
    if candidates:
        metadata["candidates"] = candidates
    if own is not None:
        metadata["own"] = own
    return json.dumps(metadata, ensure_ascii=False, separators=(",", ":")) if metadata else ""


def shown(text: str) -> dict[str, object]:
    """The metadata as answers and exports show it."""
    import json

    metadata: dict[str, object] = json.loads(text) if text else {}
    star = metadata.pop("star", "")
    if star:
        metadata["warning"] = f"WARNING: star import from '{star}' — resolution is ambiguous"
    return metadata


def own_of(text: str) -> list[str] | None:
    """The targets that linking had found before a helper named another one; None for other edges."""
    import json

    own = json.loads(text).get("own") if text else None
    return own if isinstance(own, list) else None


def star_of(text: str) -> str:
    """The module of the star import behind an edge; empty for none."""
    import json

    return str(json.loads(text).get("star", "")) if text else ""
