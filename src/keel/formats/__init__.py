"""Formats: how results become text, each behind the socket in `ports/format.py`.

A result declares its own layout; no format names an operation. Printing is left to the surfaces.
"""
