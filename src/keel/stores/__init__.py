"""Stores: where the graph lives between commands, each behind the socket in `ports/store.py`.

What goes into the graph is left to `indexing`; which store is used, to `bootstrap.py`.
"""
