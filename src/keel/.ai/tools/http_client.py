"""The primitive that sends one request over HTTP. keel performs it; this file says how it can be told."""

from __future__ import annotations

__tool_type__ = "primitive"
__executor_id__ = None
__version__ = "1.0.0"
__tool_description__ = "Sends one HTTP request, to https addresses and to this machine."

CONFIG = {
    "method": "GET",
    "timeout": 30,  # seconds, repetitions included
    "retries": 2,  # of requests that can be repeated, when the server is busy or cannot be reached
    "max_output": 1048576,  # bytes of the answer that are kept
    "output": "text",  # or "json": how the body is read
    "follow_redirects": False,
    "allow_http": False,  # plain HTTP to other machines
}
