"""SCIP: an index of definitions and references that an indexer has written to a file.

Using the answers is left to linking.
"""
