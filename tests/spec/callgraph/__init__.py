"""Call graphs: cases with every call between their definitions, what running them shows, and keel's answer to them.

The cases are Markdown documents in `tests/spec/python/callgraph`; its README says how they are written.
"""
