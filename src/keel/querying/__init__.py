"""Querying the graph: what operations that answer questions share, such as freshness, bounds, filters and entries."""
