"""Where extraction runs: this process, a process pool, a Dask cluster.

What is run, and what becomes of the results, is left to `indexing`.
"""
