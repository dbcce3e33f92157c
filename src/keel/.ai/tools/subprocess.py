"""The primitive that runs a program: argv, never a shell. keel performs it; this file says how it can be told."""

from __future__ import annotations

__tool_type__ = "primitive"
__executor_id__ = None
__version__ = "1.0.0"
__tool_description__ = "Runs a program with arguments, a time-out and a limit to its output; never a shell."

CONFIG = {
    "timeout": 60,  # seconds, after which the whole process group is ended
    "max_output": 1048576,  # bytes of output that are kept, and of error output
    "output": "text",  # or "json": how the output is read
    "exit_codes": [0],  # those that mean success
    "args": [],  # those of a chain are joined, the runtime's first
}
