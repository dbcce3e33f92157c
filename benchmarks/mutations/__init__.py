"""Does `keel compile` see what an edit breaks, and nothing else? Real packages, changed function by function.

What a compile costs is measured by `benchmarks.house`; what must hold on every machine is a test and lives in `tests`.
"""
