"""Where extraction runs: this process, or a pool of processes.

What is run, and what becomes of the results, is left to `indexing`.
"""
