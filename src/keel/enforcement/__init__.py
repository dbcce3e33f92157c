"""Enforcement: compares the base graph with the current graph, runs the rules, and post-processes their findings.

Both graphs come from `indexing`, and judgements about calls from the languages; they are passed in.
"""
