"""The runtime of tools in Python: the project's environment when it has one, else the Python that runs keel.

The tool gets its parameters as JSON on standard input. The folder it lies in is not on its import path: a tool called
`subprocess` would stand before the library of that name.
"""

from __future__ import annotations

__tool_type__ = "runtime"
__executor_id__ = "subprocess"
__version__ = "1.0.0"
__tool_description__ = "Runs a Python file; parameters come as JSON on standard input."

ENV_CONFIG = {
    "interpreter": {"program": "python", "folders": [".venv", "venv"]},
    "set": {"PYTHONUTF8": "1"},
}

CONFIG = {
    "command": "{runtime.interpreter}",
    # The bytes that were checked are run under the tool's own name; what is in its file by then does not count.
    "args": [
        "-c",
        """import sys
def _code():
    path, source = sys.argv[1:3]
    sys.argv[:3] = [path]
    if sys.path and not sys.path[0]:
        del sys.path[0]
    with open(source, "rb") as file:
        return compile(file.read(), path, "exec", dont_inherit=True)
_code = _code()
__file__ = sys.argv[0]
del sys
exec(_code)""",
        "{tool.path}",
        "{tool.source}",
    ],
    "stdin": "{tool.params}",
}
