"""Tools that agents can ask for: which program runs, from which space, and whether it may.

A tool is a file in one of three spaces, searched in this order: the project's `.ai/tools/`, the user's `~/.ai/tools/`
(or `$USER_SPACE/.ai/tools/`), and the system's, which comes with keel. A tool of a higher space shadows one of the same
id in a lower one; deleting its file brings the lower one back. A tool names what runs it, down to a primitive.
"""
