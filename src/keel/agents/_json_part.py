"""keel's entry in a JSON file: a hook in a list, or a server among others; everything else is left untouched.

Locating values in the text is left to `_json_text.py`, the content of the entries to each agent.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from keel.agents._json_text import Node, added, layout_of, read, removed
from keel.model.record import Record
from keel.ports.agent import Unfit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

HOOKS = "hooks"
"""The key of the list of programs of one entry, where an entry can have several."""
SERVER = "keel"
"""What keel's MCP server is called."""


class JsonPart(Record):
    """One value of keel in a file that is not its own: below `at`, an element of a list, or the member called `key`."""

    path: str
    at: tuple[str, ...]
    value: object
    is_keels: Callable[[object], bool]
    """Whether a value was written by some version of keel."""
    key: str = ""
    around: dict[str, object] = {}  # noqa: RUF012  # a record is frozen, and its default is never changed
    """What the file must hold besides, such as its version."""
    executable: bool = False

    def merged(self, text: str | None) -> str:
        """The file with keel's value in it."""
        if text is None or not text.strip():
            return json.dumps({**self.around, **self._nested(self.at)}, indent=2, ensure_ascii=False) + "\n"
        for name, value in self.around.items():
            root = _object(read(text), ())
            if name not in _members(root):
                text = added(text, root, 0, value, name)
        return self._with_value(text)

    def _with_value(self, text: str) -> str:
        holder = _object(read(text), ())
        for depth, name in enumerate(self.at):
            inner = _members(holder).get(name)
            if inner is None:
                return added(text, holder, depth, self._nested(self.at[depth:])[name], name)
            is_list = depth + 1 == len(self.at) and not self.key
            holder = _list(inner, self.at[: depth + 1]) if is_list else _object(inner, self.at[: depth + 1])
        return self._in_member(text, holder) if self.key else self._in_list(text, holder)

    def _in_member(self, text: str, holder: Node) -> str:
        depth = len(self.at)
        there = _members(holder).get(self.key)
        if there is None:
            return added(text, holder, depth, self.value, self.key)
        if there.value == self.value:
            return text
        if not self.is_keels(there.value):
            raise Unfit(f'"{".".join((*self.at, self.key))}" already exists, and was not written by keel')
        return _replaced(text, there, self.value, depth + 1)

    def _in_list(self, text: str, holder: Node) -> str:
        depth = len(self.at)
        for entry in holder.entries:
            whose = list(self._whose(entry.node.value))
            if whose and all(whose) and entry.node.value != self.value:
                return _replaced(text, entry.node, self.value, depth + 1)
            if any(whose):
                return text  # as it is wanted, or moved by the user among other hooks
        return added(text, holder, depth, self.value)

    def without(self, text: str) -> str:
        """The file without keel's value, and without objects and lists that only held it."""
        if not text.strip():
            return text
        holders = [_object(read(text), ())]
        for name in self.at:
            inner = _members(holders[-1]).get(name)
            if inner is None:
                return text
            holders.append(inner)
        index = self._index(holders[-1])
        if index is None:
            return text
        entry = holders[-1].entries[index]
        inner = _members(entry.node).get(HOOKS) if not self.key else None
        if inner is not None and not all(self._whose(entry.node.value)):
            own = next(at for at, each in enumerate(inner.entries) if self.is_keels(each.node.value))
            return self.without(removed(text, inner, own))
        text = removed(text, holders[-1], index)
        for depth in range(len(self.at), 0, -1):
            if len(holders[depth].entries) > 1:
                return self.without(text)
            text = _pruned(text, self.at[:depth])
        return text

    def is_bare(self, text: str) -> bool:
        """Whether nothing is left but what every such file must have."""
        if not text.strip():
            return True
        value = read(text).value
        return isinstance(value, dict) and all(self.around.get(name) == each for name, each in value.items())

    def _index(self, holder: Node) -> int | None:
        """The position of keel's value in the object or list around it."""
        for index, entry in enumerate(holder.entries):
            if self.key:
                if entry.key == self.key and self.is_keels(entry.node.value):
                    return index
            elif any(self._whose(entry.node.value)):
                return index
        return None

    def _whose(self, value: object) -> Iterator[bool]:
        """Of an entry of a list, or of each program that it names: whether it is keel's."""
        inner = value.get(HOOKS) if isinstance(value, dict) else None
        for each in inner if isinstance(inner, list) else [value]:
            yield self.is_keels(each)

    def _nested(self, at: tuple[str, ...]) -> dict[str, object]:
        value: object = {self.key: self.value} if self.key else [self.value]
        for name in reversed(at):
            value = {name: value}
        assert isinstance(value, dict)
        return value


def server(path: str, at: str, **more: object) -> JsonPart:
    """The entry of keel's MCP server in a file that lists servers below `at`."""
    value = {**more, "command": "keel", "args": ["mcp"]}
    return JsonPart(path=path, at=(at,), key=SERVER, value=value, is_keels=is_keels_server)


def is_keels_server(value: object) -> bool:
    """Whether an entry starts `keel mcp`, with whatever options."""
    if not isinstance(value, dict):
        return False
    command, args = value.get("command"), value.get("args")
    program = command.replace("\\", "/").rpartition("/")[2] if isinstance(command, str) else ""
    return program.removesuffix(".exe") == "keel" and isinstance(args, list) and args[:1] == ["mcp"]


def _replaced(text: str, node: Node, value: object, depth: int) -> str:
    return text[: node.start] + layout_of(text).written(value, depth) + text[node.end :]


def _pruned(text: str, at: tuple[str, ...]) -> str:
    """The text without an object or list that holds nothing any more, not even a comment."""
    holder = read(text)
    for name in at[:-1]:
        holder = _members(holder)[name]
    index = max(number for number, entry in enumerate(holder.entries) if entry.key == at[-1])
    node = holder.entries[index].node
    is_empty = not text[node.start + 1 : node.end - 1].strip()
    return removed(text, holder, index) if is_empty else text


def _members(node: Node) -> dict[str, Node]:
    """The values of an object by name; of two with one name the last, as other parsers do."""
    return {entry.key: entry.node for entry in node.entries} if isinstance(node.value, dict) else {}


def _object(node: Node, at: tuple[str, ...]) -> Node:
    if not isinstance(node.value, dict):
        raise Unfit(f'"{".".join(at)}" is no object' if at else "it is no object")
    return node


def _list(node: Node, at: tuple[str, ...]) -> Node:
    if not isinstance(node.value, list):
        raise Unfit(f'"{".".join(at)}" is no list')
    return node
