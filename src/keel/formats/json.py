"""Results as JSON: one object with the fields of the result, for programs.

The schema of the fields is left to `model/schemas.py`, a result that streams to `jsonl`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from keel.model.record import Record, items

if TYPE_CHECKING:
    from collections.abc import Iterator


class Json:
    """The Format socket as JSON."""

    name = "json"

    def render(self, result: object, colour: bool = False) -> Iterator[str]:
        """One object, indented, with a line end."""
        from json import dumps

        yield dumps(plain(result), ensure_ascii=False, indent=2) + "\n"


def plain(value: object) -> object:
    """A value as dicts, lists, texts and numbers."""
    if isinstance(value, Record):
        may_lack, aside = getattr(value, "LEFT_OUT", ()), getattr(value, "ASIDE", ())
        said = [pair for pair in items(value) if pair[0] not in aside]
        return {name: plain(item) for name, item in said if item is not None or name not in may_lack}
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    names = getattr(value, "__struct_fields__", None)
    if names is not None:
        return {name: plain(getattr(value, name)) for name in names}
    return value


format = Json()
