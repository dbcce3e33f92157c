"""Rows: what the store keeps of a file's facts, for look-ups, search and placement."""
