"""Embedders: models that turn text into vectors, behind the socket in `ports/embedder.py`.

Which one is used is left to `bootstrap.py`. Nothing is imported here, so that other commands do not pay for it.
"""
