"""Languages, one folder each: how the files of a language become facts, and how its references become edges.

A language knows nothing of the store, of other languages, or of its callers; those are left to `indexing` and above.
"""
