"""Placement: which module a function belongs to, and which other function does the same."""
