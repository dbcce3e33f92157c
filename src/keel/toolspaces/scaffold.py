"""Scaffolding: the file of a new tool, which runs as it is.

It goes to the project's or the user's space; the system's is read-only. Its content is an example to be changed.
Writing the file is left to `writing.py`.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping

from keel.errors import ToolNotWritten
from keel.toolspaces.item_ids import checked_id
from keel.toolspaces.spaces import Space
from keel.toolspaces.writing import write_inside

PYTHON = '''"""{title}

Parameters come as JSON on standard input; the answer is what is printed.
"""

from __future__ import annotations

import json
import sys

__tool_type__ = "python"
__executor_id__ = "python_runtime"
__version__ = "0.1.0"
__tool_description__ = {description}

CONFIG_SCHEMA = {{
    "type": "object",
    "properties": {{"name": {{"type": "string", "description": "Who is greeted.", "default": "world"}}}},
    "additionalProperties": False,
}}
CONFIG = {{"output": "json", "timeout": 60}}


def run(name: str) -> dict[str, object]:
    """What the tool does."""
    return {{"greeting": f"Hello, {{name}}!"}}


if __name__ == "__main__":
    print(json.dumps(run(**json.load(sys.stdin))))
'''

SCRIPT = '''"""{title}

The script gets its arguments as they are, none of them by way of another shell.
"""

from __future__ import annotations

__tool_type__ = "{kind}"
__executor_id__ = "{kind}_runtime"
__version__ = "0.1.0"
__tool_description__ = {description}

CONFIG_SCHEMA = {{
    "type": "object",
    "properties": {{"name": {{"type": "string", "description": "Who is greeted.", "default": "world"}}}},
    "additionalProperties": False,
}}
CONFIG = {{
    "script": {script},
    "args": ["{{name}}"],
    "timeout": 60,
}}
'''

SCRIPTS = {"bash": """r\'echo "Hello, $1!"\'""", "node": '"console.log(`Hello, ${process.argv[1]}!`)"'}
KINDS: Mapping[str, str] = {"python": PYTHON, **dict.fromkeys(SCRIPTS, SCRIPT)}


def executor_of(kind: str) -> str:
    """What runs a new tool of a kind."""
    return f"{kind}_runtime"


def new_tool(item_id: str, space: Space, kind: str, description: str) -> str:
    """Writes the file of a new tool and returns its path; an existing one is an error."""
    item_id = checked_id(item_id)
    stem = os.path.join(space.tools, *item_id.split("/"))
    path, other = f"{stem}.py", f"{stem}.yaml"
    if os.path.lexists(other):
        raise ToolNotWritten(item_id, path, f"{other} already exists")
    told = description.strip() or f"Greets somebody (an example: say what {item_id} does)."
    text = KINDS[kind].format(
        title=_title(told), description=json.dumps(told, ensure_ascii=False), kind=kind, script=SCRIPTS.get(kind, "")
    )
    write_inside(item_id, path, space.root, text.encode(), anew=True)
    return path


def _title(text: str) -> str:
    """A text as the first line of a docstring."""
    line = " ".join(text.split()).replace("\\", "\\\\").replace('"', "'")
    return line if line.endswith((".", "!", "?")) else f"{line}."
