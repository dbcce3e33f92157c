"""Checking an edit: judging it, settling what becomes of the findings, explaining and fixing them."""
