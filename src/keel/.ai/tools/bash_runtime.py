"""The runtime of scripts for bash, which stand in the tool's `CONFIG` as `script`.

Parameters come as JSON on standard input, and as `$1` and so on where the tool's `args` name them.
"""

from __future__ import annotations

__tool_type__ = "runtime"
__executor_id__ = "subprocess"
__version__ = "1.0.0"
__tool_description__ = "Runs the script in CONFIG with bash; args of the tool are $1 and so on."

ENV_CONFIG = {"interpreter": {"program": "bash"}}

CONFIG = {
    "command": "{runtime.interpreter}",
    "args": ["-c", "{config.script}", "{tool.id}"],
    "stdin": "{tool.params}",
}
