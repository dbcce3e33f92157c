"""Edits of names that have moved: importing one from another module, and updating `__all__`.

Renaming is left to `renames.py`; where a name has moved to, to the planner of the edit.
"""

from __future__ import annotations

from tree_sitter import Node

from keel.languages.python.editing.layout import line_end, without
from keel.languages.python.editing.syntax import around, everything_in, name_at, plain_names, text_of
from keel.languages.python.grammar import parse
from keel.model.edits import Edit

FUTURE = "future_import_statement"
EXPORTS = "__all__"
IMPORTS = ("import_statement", "import_from_statement", FUTURE)


def import_from(source: bytes, at: int, module: str, name: str, package: str) -> list[Edit] | None:
    """Takes an imported name from another module; what the file calls it stays."""
    node = name_at(source, at)
    statement = around(node, "import_from_statement") if node is not None else None
    if node is None or statement is None:
        return None
    where = statement.child_by_field_name("module_name")
    entries = statement.children_by_field_name("name")
    entry = next((each for each in entries if each.start_byte <= at < each.end_byte), None)
    if where is None or entry is None:
        return None
    if where.type == "relative_import" and package and module.startswith(f"{package}."):
        module = module[len(package) :]
    said = _entry(entry, name)
    if len(entries) == 1:
        changed = [Edit(where.start_byte, where.end_byte, module.encode())]
        return changed if said == (entry.text or b"") else [*changed, Edit(entry.start_byte, entry.end_byte, said)]
    indent = source[statement.start_byte - statement.start_point.column : statement.start_byte]
    more = line_end(source) + indent + b"from " + module.encode() + b" import " + said
    if indent.strip() or source[statement.end_byte :].split(b"\n", 1)[0].strip():
        return None  # something else is on its lines
    return [*without(source, entries, entry), Edit(statement.end_byte, statement.end_byte, more)]


def import_also(source: bytes, at: int, module: str, name: str, is_late: bool) -> list[Edit] | None:
    """Writes a name by itself in place of `a.name`, or of the name alone, and imports it."""
    node = name_at(source, at)
    if node is None or node.parent is None or around(node, *IMPORTS) is not None:
        return None
    whole = node.parent if is_behind_dot(node) else node
    root = parse(source).root_node
    if any(text_of(each) == name for each in plain_names(root) if whole is not node or text_of(node) != name):
        return None
    line = _import(source, module, name)
    added = _in_function(source, node, line) if is_late else _at_top(source, root, line)
    said = Edit(whole.start_byte, whole.end_byte, name.encode())
    return [added, said] if added is not None else None


def listed(source: bytes, old: str, new: str) -> list[Edit]:
    """Another name in the `__all__` of a module."""
    return exported(parse(source).root_node, old, new)


def import_at_top(source: bytes, module: str, name: str) -> Edit:
    """A name imported with the first imports of the file."""
    return _at_top(source, parse(source).root_node, _import(source, module, name))


def _import(source: bytes, module: str, name: str) -> bytes:
    return b"from " + module.encode() + b" import " + name.encode() + line_end(source)


def exported(root: Node, old: str, new: str) -> list[Edit]:
    """Another name in the `__all__` of a module: what it lists and does not have, `import *` fails on."""
    statements = [each.named_child(0) for each in root.named_children if each.type == "expression_statement"]
    lists = [
        each.child_by_field_name("right")
        for each in statements
        if each is not None and text_of(each.child_by_field_name("left") or each) == EXPORTS
    ]
    return [
        Edit(said.start_byte, said.end_byte, new.encode())
        for each in lists
        if each is not None
        for said in everything_in(each)
        if said.type == "string_content" and text_of(said) == old
    ]


def is_behind_dot(node: Node) -> bool:
    """Whether a name is that of an attribute."""
    parent = node.parent
    return parent is not None and parent.type == "attribute" and parent.child_by_field_name("attribute") == node


def _entry(entry: Node, name: str) -> bytes:
    """An entry of an import that says another name, and is called as before."""
    alias = entry.child_by_field_name("alias")
    called = text_of(alias if alias is not None else entry)
    return (name if called == name and alias is None else f"{name} as {called}").encode()


def _in_function(source: bytes, node: Node, line: bytes) -> Edit | None:
    """An import as the first statement of the outermost function around; None where there is none of several lines."""
    function, further = None, around(node, "function_definition")
    while further is not None:
        function, further = further, around(further, "function_definition")
    body = function.child_by_field_name("body") if function is not None else None
    if body is None or not body.start_byte <= node.start_byte < body.end_byte:
        return None
    first = next(each for each in body.named_children if not _is_doc(each) or each == body.named_children[-1])
    start = first.start_byte - first.start_point.column
    indent = source[start : first.start_byte]
    return Edit(start, start, indent + line) if not indent.strip() else None


def _at_top(source: bytes, root: Node, line: bytes) -> Edit:
    """An import behind the first imports of the file, or else behind its docstring and comments."""
    head, has_imports = 0, False
    for node in root.named_children:
        if node.type in IMPORTS:
            head, has_imports = node.end_byte, True
        elif node.type != "comment" and not _is_doc(node):
            break
        elif not has_imports:
            head = node.end_byte
    at = source.find(b"\n", head) + 1 if head else 0
    return Edit(at, at, line)


def _is_doc(node: Node) -> bool:
    first = node.named_child(0) if node.type == "expression_statement" else None
    return first is not None and first.type == "string"
