"""The default store: one SQLite file for the graph, one for the facts cache.

Which store is used is left to `bootstrap.py`. Nothing is imported here, so that a command pays only for the half it
uses: reading costs sqlite3 and little else.
"""
