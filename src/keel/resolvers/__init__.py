"""Outside helpers that answer references: type checkers and other language servers, and indexes on disk.

A helper that breaks costs its tier, never the run. What keel resolves by itself is left to `languages`.
"""
