"""Incremental linking: which look-ups an edit changes, and what a persistent linker reuses."""
