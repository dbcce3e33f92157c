"""Do keel's answers agree with the type checkers? Calls and imported names of real packages, site by site.

What answers cost is measured by the other benchmarks; what must hold on every machine is a test and lives in `tests`.
"""
