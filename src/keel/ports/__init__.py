"""Sockets: one short Protocol a file, for everything that can have more than one implementation.

What is plugged in is found by `registry.py` and chosen by `bootstrap.py`.
"""
