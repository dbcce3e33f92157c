"""What an edge carries beside its ends: stored briefly, since thousands share it, and shown in full.

Which edges carry what is left to the linkers.
"""

from __future__ import annotations


def stored(star: str, candidates: list[str], own: list[str] | None = None) -> str:
    """The text a row keeps: the module of a star import, and what else could be meant; empty for nothing.

    `own`, of an edge that only a helper found: what linking had found instead, which may be nothing.
    """
    import json  # only here and below: few edges carry anything, and every sync of an edit starts anew

    metadata: dict[str, object] = {"star": star} if star else {}
    if candidates:
        metadata["candidates"] = candidates
    if own is not None:
        metadata["own"] = own
    return json.dumps(metadata, ensure_ascii=False, separators=(",", ":")) if metadata else ""


def shown(text: str) -> dict[str, object]:
    """The metadata as answers and exports show them."""
    import json

    metadata: dict[str, object] = json.loads(text) if text else {}
    star = metadata.pop("star", "")
    if star:
        metadata["warning"] = f"WARNING: star import from '{star}' — resolution is ambiguous"
    return metadata


def own_of(text: str) -> list[str] | None:
    """What was found before a helper named something else; None where that is not so."""
    import json

    own = json.loads(text).get("own") if text else None
    return own if isinstance(own, list) else None


def star_of(text: str) -> str:
    """The module of the star import behind an edge; empty for none."""
    import json

    return str(json.loads(text).get("star", "")) if text else ""
