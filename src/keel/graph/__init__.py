"""Read-only algorithms over a GraphReader that operations share: look-up, walks, search, counts, placement.

They return values; what is shown of them is left to the operations.
"""
