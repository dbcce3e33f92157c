"""Manifests: what a tool's file says about the tool, in Python or YAML, read without running any of it."""
