"""Asking the graph: what operations that answer questions share, such as its freshness, bounds, filters and entries."""
