"""Outside helpers that answer references: type checkers and other language servers.

A helper that breaks costs its tier, never the run. What keel resolves by itself is left to `languages`.
"""
