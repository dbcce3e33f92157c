"""Scanning: which files the roots have, which of them count, and which changed since the graph was made."""
