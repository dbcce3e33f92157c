"""Languages, one folder each: how its files become facts, and how its names become edges.

A language knows nothing of the store, of other languages, or of who asks.
"""
