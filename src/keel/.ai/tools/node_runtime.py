"""The runtime of scripts for Node.js, which stand in the tool's `CONFIG` as `script`.

Parameters come as JSON on standard input, and from `process.argv[1]` on where the tool's `args` name them.
"""

from __future__ import annotations

__tool_type__ = "runtime"
__executor_id__ = "subprocess"
__version__ = "1.0.0"
__tool_description__ = "Runs the script in CONFIG with node; args of the tool begin at process.argv[1]."

ENV_CONFIG = {"interpreter": {"program": "node"}}

CONFIG = {
    "command": "{runtime.interpreter}",
    "args": ["-e", "{config.script}", "--"],
    "stdin": "{tool.params}",
}
