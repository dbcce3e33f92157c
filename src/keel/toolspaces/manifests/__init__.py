"""Manifests: what a tool's file declares about the tool, in Python or YAML, read without running it."""
