"""The default store: one SQLite file for the graph, one for the facts cache.

Nothing is imported here, so that a command pays only for the half it uses: reading costs sqlite3
and little else.
"""
