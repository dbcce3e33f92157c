"""Fixes: what can be done with certainty at a broken place, as edits of its file."""
