"""Decorated definitions: decorators, and what they decorate.

Functions and classes have modules of their own.
"""

from __future__ import annotations

from tree_sitter import Node

from keel.languages.python.extract.classes import class_definition
from keel.languages.python.extract.functions import function_definition
from keel.languages.python.extract.walk import Walk, statement
from keel.languages.python.grammar import kind_id

DECORATOR = kind_id("decorator")


@statement("decorated_definition")
def decorated_definition(w: Walk, node: Node) -> None:
    """Decorators and what they decorate."""
    *before, definition = node.named_children
    decorators = [child for child in before if child.kind_id == DECORATOR]
    if definition.type == "class_definition":
        class_definition(w, definition, node.start_byte, decorators)
    else:
        function_definition(w, definition, node.start_byte, decorators)
