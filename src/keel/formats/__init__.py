"""Formats: how results become text, each behind the socket in `ports/format.py`.

A result says by itself how it reads best; no format knows a single operation. Printing is left to the surfaces.
"""
