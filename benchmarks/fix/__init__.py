"""Whether `keel fix --apply` fixes what edits of its safe kinds break: mutants of real packages, fixed and tried.

`python -m benchmarks.fix` runs it.
"""
