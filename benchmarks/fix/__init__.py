"""Whether `keel fix --apply` mends what edits of its safe kinds break: mutants of real packages, mended and tried.

`python -m benchmarks.fix` runs it.
"""
