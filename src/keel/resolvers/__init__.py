"""Helpers that resolve references: type checkers, other language servers, and indexes on disk.

A helper that fails costs its tier, never the run. keel's own resolution is left to `languages`.
"""
