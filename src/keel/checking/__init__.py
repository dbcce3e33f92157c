"""Checking an edit: judging it, post-processing the findings, explaining and fixing them."""
