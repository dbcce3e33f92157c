"""SCIP: an index of definitions and references that an indexer has written to a file.

What is made of the answers is left to linking.
"""
