"""Fixes: the changes that are certain to be right at a broken place, as edits of its file."""
