"""Embedders: models of meaning behind the socket in `ports/embedder.py`.

Nothing is imported here: who does not search by meaning does not pay for it.
"""
