"""Sockets: one short Protocol per file, for everything that can have more than one implementation.

Implementations are discovered by `registry.py` and chosen by `bootstrap.py`. The docstrings of a Protocol are its
contract: what they state, every implementation guarantees.
"""
